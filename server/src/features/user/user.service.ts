import type { api, CompanyAccess, Parsed, Role, User, UserDetails, UserRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getCompanyScope, includesAllCompanies, requireConfirmation, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { WithRequester } from '../../lib/concurrency/scan.ts'
import { normalizeEmail } from '../../lib/email.ts'
import { firstCompanyName } from '../../lib/first-company.ts'
import { generatePassword, hashPassword } from '../../lib/password/passwords.ts'
import { newId } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import { countExistingCompanies, insertCompany } from '../company/company.repo.ts'
import { findFactorReset } from '../factor/factor.repo.ts'
import { lockSignInMethods } from '../provider/provider.repo.ts'
import { requireOtherAdminWithoutPasswords } from '../settings/sign-in-methods.service.ts'
import { storeSums } from '../stats/transfer.repo.ts'
import { expireInvitation } from './invitation.repo.ts'
import {
  changeRights,
  claimFirstRun,
  countOtherCompanies,
  findUser,
  findUserByEmail,
  hasOtherAdmin,
  hasUsers,
  insertUser,
  lockAdmins,
  lockUser,
  refreshStandingsSoon,
  replaceSelectedCompanies,
  setAccess,
  type UserRecord,
} from './user.repo.ts'
import { listUsers } from './user-list.repo.ts'

/** The name of the first admin until they enter their own. */
export const firstAdminName = 'Administrator'

export interface FirstAdmin {
  email: string
  password: string
  /** Whether the operator chose the password; otherwise it is random. */
  isChosen: boolean
}

/**
 * Creates the first admin and a company for them, once per database. Returns whether it did. Safe when two nodes start at
 * the same time: only one of them can claim the first run. Announces the password before the transaction commits, so that a crash in between
 * never leaves an admin whose password nobody saw: the next start creates the admin and announces another password.
 */
export async function createFirstAdmin(deps: Deps, announce: (admin: FirstAdmin) => void): Promise<boolean> {
  const { adminEmail: email, adminPassword } = deps.config
  if (await hasUsers(deps.db)) return false
  const password = adminPassword ?? generatePassword()
  const password_hash = await hashPassword(password)
  const created_at = deps.now().toISOString()
  const company = { id: newId(), name: firstCompanyName, created_at }
  return deps.db.transaction().execute(async (trx) => {
    if (!(await claimFirstRun(trx, created_at))) return false
    await insertCompany(trx, company)
    const admin = { id: newId(), company_id: company.id, name: firstAdminName, email, role: 'NEPTUNE_ADMIN' as const }
    const chosen = { password_hash, password_changed_at: adminPassword === undefined ? null : created_at }
    await insertUser(trx, { ...admin, ...chosen, generation: 0, suspended_at: null, created_at })
    await record(deps, trx, [
      { action: 'user.created', by: { kind: 'system' }, company: company.id, name: email, note: admin.role },
    ])
    announce({ email, password, isChosen: adminPassword !== undefined })
    return true
  })
}

/**
 * Lists users: all of them for admins, those of the companies they have access to for users. Other companies look empty, like unknown
 * ones. Lists removed users only on request.
 */
export async function listVisibleUsers(deps: Deps, actor: Staff, query: Parsed<typeof api.user.list>['query'] & WithRequester) {
  const { rows, next } = await listUsers(deps.db, { ...query, isRemoved: query.removed === 'true' }, getCompanyScope(actor))
  return { data: await toUserRows(deps, actor, rows), next }
}

/** Returns a user. Throws `user.not_found` if the caller may not see them. Only admins get everything. */
export async function readUser(deps: Deps, actor: Staff, id: string): Promise<UserDetails> {
  const user = await findUser(deps.db, id, getCompanyScope(actor))
  const [row] = user ? await toUserRows(deps, actor, [user]) : []
  if (!user || !row) throw new AppError('user.not_found')
  if (actor.role !== 'NEPTUNE_ADMIN') return row
  const reset = await findFactorReset(deps.db, id)
  return {
    ...row,
    created_at: user.created_at,
    signed_in_at: user.signed_in_at,
    has_second_factor: user.second_factor_at !== null,
    factor_reset_at: reset?.due_at ?? null,
  }
}

async function toUserRows(deps: Deps, actor: Staff, users: UserRecord[]): Promise<UserRow[]> {
  // Others don't get the number, because it counts companies that they may not see.
  const counted = includesAllCompanies(getCompanyScope(actor)) ? users.filter(({ access }) => access === 'selected') : []
  const counts = await countOtherCompanies(
    deps.db,
    counted.map(({ id }) => id),
  )
  return users.map((user) => ({ ...toUserRow(user), other_companies: counts.get(user.id) }))
}

export async function changeRole(
  deps: Deps,
  actor: Staff,
  { email, id, role }: Parsed<typeof api.user.changeRole>['body'],
): Promise<UserRow> {
  if (role === 'NEPTUNE_ADMIN') requireConfirmation(actor)
  const user = await findUserByEmail(deps.db, normalizeEmail(email))
  if (id !== undefined && id !== user?.id) throw new AppError('user.not_found') // the email now belongs to another user
  return changeRightsOf(deps, actor, user, { role })
}

/**
 * Changes which companies a user may see. The change takes effect with the user's next request on every node, because every query reads it.
 * Links in companies that the user may no longer see stop working.
 */
export async function changeAccess(
  deps: Deps,
  actor: Staff,
  id: string,
  { access, companies = [] }: Parsed<typeof api.user.changeAccess>['body'],
): Promise<UserRow> {
  const user = await deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, id)
    if (!user) throw new AppError('user.not_found')
    await storeAccess(trx, user, access, companies)
    const note = `${user.access} → ${describeAccess(access, companies)}`
    await record(deps, trx, [{ action: 'user.access_changed', by: actor, company: user.company_id, name: user.email, note }])
    await storeSums(trx, id)
    return { ...user, access }
  })
  await refreshStandingsSoon(deps.db, [{ maker_id: id }], (err) =>
    deps.log.error({ err, user: id }, 'the states of links could not be refreshed'),
  )
  return toUserRow(user)
}

/** Stores which companies a user may see. Selected ones always include the user's own. Call `storeSums` afterwards. */
export async function storeAccess(
  trx: Deps['db'],
  { id, company_id }: Pick<UserRecord, 'id' | 'company_id'>,
  access: CompanyAccess,
  companies: string[],
): Promise<void> {
  const selected = access === 'selected' ? [...new Set([company_id, ...companies])] : []
  if ((await countExistingCompanies(trx, selected)) < selected.length) throw new AppError('company.not_found')
  await setAccess(trx, id, access)
  await replaceSelectedCompanies(trx, id, selected)
}

const describeAccess = (access: CompanyAccess, companies: string[]) =>
  access === 'selected' ? `selected (${new Set(companies).size})` : access

export async function suspendUser(deps: Deps, actor: Staff, id: string): Promise<UserRow> {
  return changeRightsOf(deps, actor, await findUser(deps.db, id), { suspended_at: deps.now().toISOString() })
}

export async function restoreUser(deps: Deps, actor: Staff, id: string): Promise<UserRow> {
  const user = await findUser(deps.db, id)
  if (user?.role === 'NEPTUNE_ADMIN') requireConfirmation(actor)
  return changeRightsOf(deps, actor, user, { suspended_at: null })
}

/**
 * Changes the rights of a user. Nobody can change their own rights, and the last admin stays one, even if two admins demote each
 * other at the same time.
 */
async function changeRightsOf(
  deps: Deps,
  actor: Staff,
  user: UserRecord | undefined,
  change: { role: Role } | { suspended_at: string | null },
): Promise<UserRow> {
  if (!user) throw new AppError('user.not_found')
  if (user.id === actor.userId) throw new AppError('user.own_role')
  const losesRights = 'role' in change ? change.role !== 'NEPTUNE_ADMIN' : change.suspended_at !== null
  const changed = await deps.db.transaction().execute(async (trx) => {
    await lockSignInMethods(trx)
    await lockAdmins(trx)
    const current = await findUser(trx, user.id)
    if (!current) throw new AppError('user.not_found') // removed meanwhile
    const isAdmin = current.role === 'NEPTUNE_ADMIN' && current.suspended_at === null
    if (losesRights && isAdmin) await requireOtherAdmin(deps, trx, user.id)
    await changeRights(trx, user.id, change)
    const isSuspended = 'suspended_at' in change && change.suspended_at !== null
    const changed = { ...current, ...change }
    const result = isSuspended ? await expireInvitation(trx, changed, deps.now().toISOString()) : changed
    const about = { by: actor, company: user.company_id, name: user.email }
    if ('role' in change) {
      const note = `${current.role} → ${change.role}`
      await record(deps, trx, [{ action: 'user.role_changed', ...about, note }])
    } else await record(deps, trx, [{ action: losesRights ? 'user.suspended' : 'user.restored', ...about }])
    return result
  })
  await refreshStandingsSoon(deps.db, [{ maker_id: user.id }], (err) =>
    deps.log.error({ err, user: user.id }, 'the states of links could not be refreshed'),
  )
  return toUserRow(changed)
}

/** Throws if this is the last admin who can sign in, or the last one who can do so while passwords are turned off. */
export async function requireOtherAdmin(deps: Deps, trx: Deps['db'], id: string): Promise<void> {
  if (!(await hasOtherAdmin(trx, { id }))) throw new AppError('user.last_admin')
  await requireOtherAdminWithoutPasswords(deps, trx, { id })
}

/** Returns whether a user may sign in: they aren't suspended, have accepted any invitation, and their company isn't archived. */
export const maySignIn = ({ suspended_at, invitation_id, company_archived_at }: UserRecord): boolean =>
  suspended_at === null && invitation_id === null && company_archived_at === null

/** Returns why someone who has proven who they are can't sign in, for the audit log. The reply doesn't tell them. */
export const describeObstacle = ({ suspended_at }: UserRecord) => ({
  action: 'session.unavailable' as const,
  note: suspended_at === null ? 'company_archived' : 'suspended',
})

export const toUserRow = (row: UserRecord): UserRow => ({
  ...toUser(row),
  suspended_at: row.suspended_at,
  company_archived: row.company_archived_at !== null,
  invitation_ends_at: row.invitation_ends_at,
  ...(row.removed_at !== null && { email: '', removed_at: row.removed_at }),
})

export const toUser = (row: UserRecord): User => ({
  id: row.id,
  name: row.name,
  email: row.email,
  company: row.company_id,
  company_name: row.company_name,
  role: row.role,
  access: row.access,
  language: row.language,
})
