import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { normalizeEmail } from '../../lib/email.ts'
import { createEmailToken, getTokenId, isEmailToken } from '../../lib/email-token.ts'
import { clientOf } from '../../lib/net/client-address.ts'
import { rejectWeakPassword } from '../../lib/password/password-rules.ts'
import { hashPassword, runPasswordTask } from '../../lib/password/passwords.ts'
import { newId } from '../../lib/secrets.ts'
import { emails } from '../../mail/emails.ts'
import { record } from '../audit/audit.service.ts'
import { tryCountReset } from '../outbox/mail-limit.service.ts'
import { type Compose, enqueueMail } from '../outbox/outbox.service.ts'
import { clearAttempts, countAttempt } from '../throttle/throttle.service.ts'
import { changePasswordHash, findUser, findUserByEmail, type UserRecord } from '../user/user.repo.ts'
import { maySignIn } from '../user/user.service.ts'
import { deleteEndedResets, findReset, insertReset } from './reset.repo.ts'

const lifetimeMs = 60 * 60_000

/**
 * Sends a link to choose a new password. Does the same, and takes the same time, whether or not anyone has the address: the
 * message is queued either way, and dropped before it is sent if no account has the address. If the address is over its limit,
 * nothing is sent and the caller isn't told, so that strangers can neither flood it nor find out whether it is known.
 */
export async function requestReset(deps: Deps, address: string, typed: string): Promise<void> {
  const email = normalizeEmail(typed)
  await countAttempt(deps, { action: 'forgot', subject: email, address })
  const user = await findUserByEmail(deps.db, email)
  if (!(await tryCountReset(deps, email, user?.generation ?? 0))) return
  const ends_at = new Date(deps.now().getTime() + lifetimeMs).toISOString()
  const reset = { id: newId(), user_id: user?.id ?? null, generation: user?.generation ?? 0, ends_at }
  await deps.db.transaction().execute(async (trx) => {
    await insertReset(trx, reset)
    await enqueueMail(deps, trx, { letter: 'password_reset', to: email, about: reset.id, ends_at })
    const about = user ? { company: user.company_id, name: email } : { note: 'unknown e-mail' }
    await record(deps, trx, [{ action: 'password.reset_asked', by: { kind: 'stranger', client: address }, ...about }])
  })
}

/** Composes the message with a reset link. Returns undefined, so that nothing is sent, if the address is no longer the user's. */
export const composePasswordReset: Compose = async (deps, { about, to }) => {
  const user = await findResetUser(deps, about)
  if (user?.email !== to) return undefined
  return emails.passwordReset({
    name: user.name,
    url: `${deps.config.publicUrl}/reset/${createEmailToken(deps.keys.reset, about, to)}`,
  })
}

/** Returns the email of the account that a reset token is for. */
export async function checkReset(deps: Deps, token: string): Promise<{ email: string }> {
  const { email } = await requireResetUser(deps, token)
  return { email }
}

/** Sets a new password. This raises the user's generation, which ends all sessions and invalidates all other reset links. */
export async function resetPassword(deps: Deps, address: string, { token, password }: { token: string; password: string }) {
  const user = await requireResetUser(deps, token)
  rejectWeakPassword('password', password, [user.name, user.email, user.company_name])
  const hash = await runPasswordTask(clientOf(address), () => hashPassword(password))
  await deps.db.transaction().execute(async (trx) => {
    const isChanged = await changePasswordHash(trx, user, hash, deps.now().toISOString())
    if (!isChanged) throw new AppError('reset.not_found') // used at the same time
    await enqueueMail(deps, trx, { letter: 'password_changed', to: user.email, about: user.id })
    const by = { kind: 'stranger' as const, client: address }
    await record(deps, trx, [{ action: 'password.reset', by, company: user.company_id, name: user.email }])
  })
  await clearAttempts(deps, { action: 'login', subject: user.email, address })
}

export const composePasswordChanged: Compose = async (deps, { about }) => {
  const user = await findUser(deps.db, about)
  if (!user) return undefined
  return emails.passwordChanged({ name: user.name, url: `${deps.config.publicUrl}/forgot` })
}

export const sweepResets = (deps: Deps) => deleteEndedResets(deps.db, deps.now().toISOString())

async function requireResetUser(deps: Deps, token: string): Promise<UserRecord> {
  const user = await findResetUser(deps, getTokenId(token))
  if (!user || !isEmailToken(deps.keys.reset, token, user.email)) throw new AppError('reset.not_found')
  return user
}

async function findResetUser(deps: Deps, resetId: string): Promise<UserRecord | undefined> {
  const reset = await findReset(deps.db, resetId, deps.now().toISOString())
  const user = reset?.user_id ? await findUser(deps.db, reset.user_id) : undefined
  return user && user.generation === reset?.generation && maySignIn(user) ? user : undefined
}
