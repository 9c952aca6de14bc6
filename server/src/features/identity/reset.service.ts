import type { PasswordLink } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { normalizeEmail } from '../../lib/email.ts'
import { createEmailToken, getTokenId, isEmailToken } from '../../lib/email-token.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { rejectWeakPassword } from '../../lib/password/password-rules.ts'
import { hashPassword, runPasswordTask } from '../../lib/password/passwords.ts'
import { newId } from '../../lib/secrets.ts'
import { emails } from '../../mail/emails/emails.ts'
import { record } from '../audit/audit.service.ts'
import { requireOpenCompany } from '../company/company.service.ts'
import { tryCountReset } from '../outbox/mail-limit.service.ts'
import { type Compose, enqueueMail } from '../outbox/outbox.service.ts'
import { requirePasswordSignIn } from '../session/policy.service.ts'
import { readMailDelivery } from '../settings/mail-server.service.ts'
import { clearAttempts, countAttempt } from '../throttle/throttle.service.ts'
import { changePasswordHash, findUser, findUserByEmail, lockUser, type UserRecord } from '../user/user.repo.ts'
import { maySignIn } from '../user/user.service.ts'
import { deleteEndedResets, findReset, insertReset } from './reset.repo.ts'

const lifetimeMs = 60 * 60_000

/**
 * Sends a link to choose a new password. Does the same, and takes the same time, whether or not anyone has the address: the
 * message is queued either way, and dropped before it is sent if no account has the address. If the address is over its limit,
 * nothing is sent and the caller isn't told, so that strangers can neither flood it nor find out whether it is known.
 */
export async function requestReset(deps: Deps, address: string, typed: string): Promise<void> {
  await requirePasswordSignIn(deps)
  const email = normalizeEmail(typed)
  await countAttempt(deps, { action: 'forgot', subject: email, address })
  const user = await findUserByEmail(deps.db, email)
  if (!(await tryCountReset(deps, email, user?.generation ?? 0))) return
  const reset = newReset(deps, user)
  const { ends_at } = reset
  await deps.db.transaction().execute(async (trx) => {
    await insertReset(trx, reset)
    await enqueueMail(deps, trx, { letter: 'password_reset', to: email, about: reset.id, ends_at })
    const about = user ? { company: user.company_id, name: email } : { note: 'unknown email address' }
    await record(deps, trx, [{ action: 'password.reset_asked', by: { kind: 'stranger', client: address }, ...about }])
  })
}

const newReset = (deps: Deps, user: Pick<UserRecord, 'id' | 'generation'> | undefined) => ({
  id: newId(),
  user_id: user?.id ?? null,
  generation: user?.generation ?? 0,
  ends_at: new Date(deps.now().getTime() + lifetimeMs).toISOString(),
})

/**
 * Creates a link with which another user can choose a new password, and sends it to them. Returns the link only if no mail server is set
 * up, for the admin to pass on.
 */
export async function createReset(deps: Deps, actor: Staff, id: string): Promise<PasswordLink> {
  await requirePasswordSignIn(deps)
  const found = await findUser(deps.db, id)
  if (!found) throw new AppError('user.not_found')
  if (id === actor.userId) throw new AppError('user.own_role') // an open session must not be enough to take over an account
  if (!(await tryCountReset(deps, found.email, found.generation))) throw new AppError('mail.too_many')
  return deps.db.transaction().execute(async (trx) => {
    await requireOpenCompany(trx, found.company_id)
    const user = await lockUser(trx, id)
    if (!user) throw new AppError('user.not_found')
    if (user.invitation_id !== null) throw new AppError('user.invited')
    if (user.suspended_at !== null) throw new AppError('user.suspended')
    const reset = newReset(deps, user)
    await insertReset(trx, reset)
    const about = `${reset.id} ${actor.userId}`
    await enqueueMail(deps, trx, { letter: 'password_reset', to: user.email, about, ends_at: reset.ends_at })
    const isShown = (await readMailDelivery({ ...deps, db: trx })) === 'files'
    const note = isShown ? 'link shown' : `to ${user.email}`
    const target = { company: user.company_id, name: user.email }
    await record(deps, trx, [{ action: 'password.link_created', by: actor, ...target, note }])
    return { ends_at: reset.ends_at, ...(isShown && { url: createUrl(deps, reset.id, user.email) }) }
  })
}

const createUrl = ({ config, keys }: Deps, resetId: string, email: string) =>
  `${config.publicUrl}/reset/${createEmailToken(keys.reset, resetId, email)}`

/**
 * Composes the message with a reset link. `about` has the id of the reset, and of the admin who created it, if one did. Returns undefined,
 * so that nothing is sent, if the address is no longer the user's.
 */
export const composePasswordReset: Compose = async (deps, { about, to }) => {
  const [resetId = '', adminId] = about.split(' ')
  const user = await findResetUser(deps, resetId)
  if (user?.email !== to) return undefined
  const admin = adminId === undefined ? undefined : await findUser(deps.db, adminId)
  const sender = adminId === undefined ? undefined : (admin?.name ?? null)
  return { write: emails.passwordReset({ name: user.name, sender, url: createUrl(deps, resetId, to) }) }
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
  const hash = await runPasswordTask(toClientKey(address), () => hashPassword(password))
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
  return { write: emails.passwordChanged({ name: user.name, url: `${deps.config.publicUrl}/forgot` }) }
}

export const sweepResets = (deps: Deps) => deleteEndedResets(deps.db, deps.now().toISOString())

async function requireResetUser(deps: Deps, token: string): Promise<UserRecord> {
  await requirePasswordSignIn(deps)
  const user = await findResetUser(deps, getTokenId(token))
  if (!user || !isEmailToken(deps.keys.reset, token, user.email)) throw new AppError('reset.not_found')
  return user
}

async function findResetUser(deps: Deps, resetId: string): Promise<UserRecord | undefined> {
  const reset = await findReset(deps.db, resetId, deps.now().toISOString())
  const user = reset?.user_id ? await findUser(deps.db, reset.user_id) : undefined
  return user && user.generation === reset?.generation && maySignIn(user) ? user : undefined
}
