import type { ActivityAction } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { requireConfirmation, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { normalizeEmail } from '../../lib/email.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { rejectWeakPassword } from '../../lib/password/password-rules.ts'
import { decoyHash, hashPassword, matchesPassword, needsRehash, runPasswordTask } from '../../lib/password/passwords.ts'
import { record, recordLater } from '../audit/audit.service.ts'
import { finishSignIn, requireTotp } from '../factor/second-factor.service.ts'
import { enqueueMail } from '../outbox/outbox.service.ts'
import { readPasswordState, requirePasswordSignIn } from '../session/policy.service.ts'
import { findSession } from '../session/session.repo.ts'
import { type ClientDetails, confirmSession, type SignedIn, startSession } from '../session/session.service.ts'
import { getSessionLimits } from '../session/session-limits.service.ts'
import { countAttempt } from '../throttle/throttle.service.ts'
import { changePasswordHash, findUser, findUserByEmail, replacePasswordHash, type UserRecord } from '../user/user.repo.ts'
import { describeObstacle, maySignIn, toUser } from '../user/user.service.ts'

interface Credentials {
  email: string
  password: string
  remember?: boolean | undefined
}

/**
 * Signs a user in, for both sign-in calls, unless they need a second factor, too. The queue comes before the rate limit, so that a request
 * that the queue rejects does not count as an attempt.
 */
export async function signIn(deps: Deps, caller: ClientDetails, credentials: Credentials): Promise<SignedIn> {
  await requirePasswordSignIn(deps)
  const user = await runPasswordTask(toClientKey(caller.address), () => checkCredentials(deps, caller, credentials))
  return finishSignIn(deps, caller, user, { method: 'password', remember: credentials.remember ?? false })
}

/**
 * Returns the user with these credentials. An unknown email, a wrong password, a suspended account and an archived company cause the
 * same error, because only admins may learn which one it is.
 */
async function checkCredentials(deps: Deps, caller: ClientDetails, { email, password }: Credentials): Promise<UserRecord> {
  const takeBack = await countAttempt(deps, { action: 'login', subject: normalizeEmail(email), address: caller.address })
  const user = await findUserByEmail(deps.db, normalizeEmail(email))
  const isCorrect = await matchesPassword(password, user?.password_hash ?? decoyHash)
  if (!user || !isCorrect || !maySignIn(user)) {
    // An unknown email is not recorded: some people type their password into that field.
    const about = user ? { company: user.company_id, name: user.email } : { note: 'unknown email address' }
    const by = { kind: 'stranger' as const, client: caller.address }
    const refusal = user && isCorrect ? describeObstacle(user) : { action: 'session.refused' as const }
    recordLater(deps, `${refusal.action} ${user?.id ?? 'unknown'} ${toClientKey(caller.address)}`, {
      by,
      isRefused: true,
      ...about,
      ...refusal,
    })
    throw new AppError('session.wrong_credentials')
  }
  await takeBack()
  if (needsRehash(user.password_hash))
    await replacePasswordHash(deps.db, user.id, user.password_hash, await hashPassword(password))
  return user
}

export const readCurrentUser = async (deps: Deps, { userId }: { userId: string }) => {
  const user = await findUser(deps.db, userId)
  if (!user) throw new AppError('session.missing')
  return toUser(user)
}

/**
 * Changes the password. Requires the old one, in case the device was left unlocked, or a fresh proof to set the first one. Ends all
 * sessions and starts a new one.
 */
export async function changePassword(
  deps: Deps,
  caller: ClientDetails,
  actor: Staff,
  { oldPassword, newPassword }: { oldPassword?: string | undefined; newPassword: string },
): Promise<SignedIn> {
  const user = await findUser(deps.db, actor.userId)
  const session = await findSession(deps.db, actor.sessionId, await getSessionLimits(deps))
  if (!user || !session) throw new AppError('session.missing')
  const state = await readPasswordState(deps, user)
  if (state === 'off') throw new AppError('session.password_off')
  if (state === 'none') requireConfirmation(actor)
  const entered = state === 'set' ? requireField('oldPassword', oldPassword) : undefined
  rejectWeakPassword('newPassword', newPassword, [user.name, user.email, user.company_name])
  if (newPassword === entered) {
    const fields = [{ field: 'newPassword', message: 'This is your current password. Choose a different one.' }]
    throw new AppError('request.invalid', { fields })
  }
  const hash = await runPasswordTask(toClientKey(caller.address), async () => {
    if (entered !== undefined) await requirePassword(deps, actor, user, entered, 'password.changed')
    return hashPassword(newPassword)
  })
  await deps.db.transaction().execute(async (trx) => {
    const isChanged = await changePasswordHash(trx, user, hash, deps.now().toISOString())
    if (!isChanged) throw new AppError('session.missing') // changed elsewhere at the same time
    await enqueueMail(deps, trx, { letter: 'password_changed', to: user.email, about: user.id })
    await record(deps, trx, [{ action: 'password.changed', by: actor, company: user.company_id, name: user.email }])
  })
  const { method, second_factor: secondFactor, remembered_at } = session
  const proof = { method: method ?? 'password', secondFactor, remember: remembered_at !== null, continues: session.id }
  return startSession(deps, caller, { ...user, generation: user.generation + 1 }, proof)
}

/** Returns what was entered. Throws `request.invalid` if nothing was: for fields that only some people need. */
export function requireField(field: string, entered: string | undefined): string {
  if (entered === undefined) throw new AppError('request.invalid', { fields: [{ field, message: 'This field is missing.' }] })
  return entered
}

/** Throws `session.wrong_credentials` if the signed-in user's password is wrong. Call it inside `runPasswordTask`. */
export async function requirePassword(deps: Deps, actor: Staff, user: UserRecord, password: string, action: ActivityAction) {
  const takeBack = await countAttempt(deps, { action: 'password', subject: user.id, address: actor.client })
  if (!(await matchesPassword(password, user.password_hash))) {
    const about = { by: actor, isRefused: true, company: user.company_id, name: user.email }
    recordLater(deps, `password ${user.id}`, { action, ...about })
    throw new AppError('session.wrong_credentials')
  }
  await takeBack()
}

/** Confirms the caller's identity with their password or a code, so that they may make sensitive calls. */
export async function confirmIdentity(
  deps: Deps,
  actor: Staff,
  { password, code }: { password?: string | undefined; code?: string | undefined },
) {
  const user = await findUser(deps.db, actor.userId)
  if (!user) throw new AppError('session.missing')
  if (password !== undefined)
    await runPasswordTask(toClientKey(actor.client), () => requirePassword(deps, actor, user, password, 'session.refused'))
  else await requireTotp(deps, actor.client, user, code ?? '')
  await confirmSession(deps, actor, password === undefined ? 'totp' : 'password')
}
