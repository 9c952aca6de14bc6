import type { api, Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { requireConfirmation, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { normalizeEmail } from '../../lib/email.ts'
import { rejectWeakPassword } from '../../lib/password/password-rules.ts'
import { createUnmatchableHash, hashPassword, runPasswordTask } from '../../lib/password/passwords.ts'
import { newId } from '../../lib/secrets.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { findCompany } from '../company/company.repo.ts'
import { requireOpenCompany } from '../company/company.service.ts'
import { storeSums } from '../stats/transfer.repo.ts'
import { type CreatedUser, createInvitation, getLinkToShow, sendInvitation } from './invitation.service.ts'
import { rejectMisleadingName } from './person-name.ts'
import { insertUser } from './user.repo.ts'
import { storeAccess, toUserRow } from './user.service.ts'

/** Creates a user, either with a password or with an invitation to choose one. */
export async function createUser(deps: Deps, actor: Staff, body: Parsed<typeof api.user.create>['body']): Promise<CreatedUser> {
  const company = await findCompany(deps.db, body.company)
  if (!company) throw new AppError('company.not_found')
  rejectMisleadingName(body.name)
  const { password } = body
  if (password !== undefined) rejectWeakPassword('password', password, [body.name, body.email, company.name])
  if (body.role === 'NEPTUNE_ADMIN') requireConfirmation(actor)
  const invitation = password === undefined ? createInvitation(deps) : undefined
  const row = {
    id: newId(),
    company_id: company.id,
    name: body.name.trim(),
    email: normalizeEmail(body.email),
    role: body.role,
    access: body.access ?? 'own',
    password_hash:
      password === undefined ? createUnmatchableHash() : await runPasswordTask(actor.userId, () => hashPassword(password)),
    generation: 0,
    suspended_at: null,
    created_at: deps.now().toISOString(),
    password_changed_at: null,
    second_factor_at: null,
    invitation_id: invitation?.invitation_id ?? null,
    invitation_ends_at: invitation?.invitation_ends_at ?? null,
  }
  await deps.db.transaction().execute(async (trx) => {
    await requireOpenCompany(trx, company.id)
    if (!(await insertUser(trx, row))) throw new AppError('user.email_taken')
    await storeAccess(trx, row, row.access, body.companies ?? [])
    if (invitation) await sendInvitation(deps, trx, actor, { ...invitation, email: row.email })
    const about = { by: actor, company: company.id, name: row.email }
    const entries: Entry[] = [{ action: 'user.created', ...about, note: row.role }]
    if (invitation) entries.push({ action: 'user.invited', ...about })
    await record(deps, trx, entries)
    await storeSums(trx, row.id)
  })
  const unset = { name_key: '', name_order: '', company_archived_at: null, signed_in_at: null, removed_at: null, language: null }
  const unvisited = { visited_at: null, news_since: null }
  return {
    data: toUserRow({ ...row, ...unset, ...unvisited, company_name: company.name }),
    link: invitation && (await getLinkToShow(deps, { ...invitation, email: row.email })),
  }
}
