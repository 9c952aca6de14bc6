import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { createEmailToken, getTokenId, isEmailToken } from '../../lib/email-token.ts'
import { newId } from '../../lib/secrets.ts'
import { emails } from '../../mail/emails/emails.ts'
import { type Performer, record } from '../audit/audit.service.ts'
import { type Compose, enqueueMail } from '../outbox/outbox.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { findUser, lockUser, type UserRecord } from '../user/user.repo.ts'
import { deleteFactorReset, findFactorReset, findFactorResetById, insertFactorReset, listDueResets } from './factor.repo.ts'
import { removeAllFactors, reportChange } from './factor-changes.service.ts'

/**
 * Requests the removal of a user's second factors, for an admin. It takes effect when the user agrees, or after the delay in the settings.
 * The user gets an email at once, so that they can cancel it: the request could come from someone who pretends to be them.
 */
export async function requestFactorReset(deps: Deps, actor: Staff, userId: string): Promise<{ due_at: string }> {
  if (userId === actor.userId) throw new AppError('user.own_role')
  const { factor_reset_minutes } = (await readSettings(deps)).security
  const now = deps.now()
  const due_at = new Date(now.getTime() + factor_reset_minutes * 60_000).toISOString()
  return deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, userId)
    if (!user) throw new AppError('user.not_found')
    if (user.second_factor_at === null) throw new AppError('factor.missing')
    const pending = await findFactorReset(trx, user.id)
    if (pending) return { due_at: pending.due_at }
    const reset = { id: newId(), user_id: user.id, requested_by: actor.userId, requested_at: now.toISOString(), due_at }
    await insertFactorReset(trx, reset)
    await enqueueMail(deps, trx, { letter: 'factor_reset', to: user.email, about: reset.id, sender: actor })
    const about = { company: user.company_id, name: user.email }
    await record(deps, trx, [{ action: 'factor.reset_requested', by: actor, ...about }])
    return { due_at }
  })
}

export const cancelFactorReset = (deps: Deps, actor: Staff, userId: string): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, userId)
    if (!user) throw new AppError('user.not_found')
    if (!(await deleteFactorReset(trx, user.id))) throw new AppError('factor.missing')
    const about = { company: user.company_id, name: user.email }
    await record(deps, trx, [{ action: 'factor.reset_cancelled', by: actor, ...about }])
  })

/** Returns whose second factors an emailed link removes, and when. Changes nothing, so that mail scanners don't answer it. */
export async function checkFactorReset(deps: Deps, token: string): Promise<{ email: string; due_at: string }> {
  const { user, due_at } = await requireReset(deps, token)
  return { email: user.email, due_at }
}

/** Agrees to a removal, or cancels it, for the user who got the email. */
export async function answerFactorReset(deps: Deps, address: string, { token, agree }: { token: string; agree: boolean }) {
  const { user } = await requireReset(deps, token)
  const by = { kind: 'stranger' as const, client: address }
  await deps.db.transaction().execute(async (trx) => {
    const locked = await lockUser(trx, user.id)
    if (!locked || !(await deleteFactorReset(trx, user.id))) throw new AppError('factor.reset_not_found')
    if (agree) return removeFactors(deps, trx, locked, by)
    return record(deps, trx, [{ action: 'factor.reset_cancelled', by, company: user.company_id, name: user.email }])
  })
}

/** Removes the second factors of a user if a removal is due. Returns whether it was. */
export const applyDueReset = (deps: Deps, { id }: Pick<UserRecord, 'id'>): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    const reset = await findFactorReset(trx, id)
    if (!reset || reset.due_at > deps.now().toISOString()) return false
    const user = await lockUser(trx, id)
    if (!user || !(await deleteFactorReset(trx, id))) return false
    await removeFactors(deps, trx, user, { kind: 'system' })
    return true
  })

/** Applies the removals that are due. */
export async function sweepFactorResets(deps: Deps): Promise<void> {
  const due = await listDueResets(deps.db, deps.now().toISOString(), maxResetsPerSweep)
  for (const { user_id } of due) await applyDueReset(deps, { id: user_id })
}

const maxResetsPerSweep = 100

async function removeFactors(deps: Deps, trx: Deps['db'], user: UserRecord, by: Performer): Promise<void> {
  await removeAllFactors(trx, user.id)
  await reportChange(deps, trx, user, 'reset', { action: 'factor.reset', by })
}

async function requireReset(deps: Deps, token: string) {
  const reset = await findFactorResetById(deps.db, getTokenId(token))
  const user = reset && (await findUser(deps.db, reset.user_id))
  if (!user || !isEmailToken(deps.keys.factorReset, token, user.email)) throw new AppError('factor.reset_not_found')
  return { user, due_at: reset.due_at }
}

/** Composes the email with which a user agrees to a removal or cancels it. `about` is the id of the request. */
export const composeFactorReset: Compose = async (deps, { about, to }) => {
  const reset = await findFactorResetById(deps.db, about)
  const user = reset && (await findUser(deps.db, reset.user_id))
  if (user?.email !== to) return undefined
  const admin = await findUser(deps.db, reset?.requested_by ?? '')
  const url = `${deps.config.publicUrl}/factor-reset/${createEmailToken(deps.keys.factorReset, about, to)}`
  return { write: emails.factorReset({ name: user.name, sender: admin?.name, dueAt: reset?.due_at ?? '', url }) }
}
