import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { clientOf } from '../../lib/client-address.ts'
import { normalEmail } from '../../lib/email.ts'
import { refuseEasyPassword } from '../../lib/password-rules.ts'
import { hashPassword, passwordGate } from '../../lib/passwords.ts'
import { isSameSecret, newId, sign } from '../../lib/secrets.ts'
import { letters } from '../../mail/letters.ts'
import { record } from '../audit/audit.service.ts'
import { type Compose, enqueue } from '../outbox/outbox.service.ts'
import { countTry, countUses, forgetTries } from '../throttle/throttle.service.ts'
import { changePasswordHash, findUser, findUserByEmail, type UserRecord } from '../user/user.repo.ts'
import { deleteEndedResets, findReset, insertReset } from './reset.repo.ts'

const lasts = 60 * 60_000

/**
 * Does the same, and takes the same time, whether somebody has the address or nobody: the mail is written either way, and thrown
 * away when it is about to be sent to nobody. An address that had enough mails lately gets no more, and the asker is not told:
 * otherwise a stranger could use us to flood it.
 */
export async function askForReset(deps: Deps, address: string, typed: string): Promise<void> {
  const email = normalEmail(typed)
  await countTry(deps, { action: 'forgot', subject: email, address })
  const user = await findUserByEmail(deps.db, email)
  if (!(await mayAskFor(deps, email, user?.generation ?? 0))) return
  const ends_at = new Date(deps.now().getTime() + lasts).toISOString()
  const reset = { id: newId(), user_id: user?.id ?? null, generation: user?.generation ?? 0, ends_at }
  await deps.db.transaction().execute(async (trx) => {
    await insertReset(trx, reset)
    await enqueue(deps, trx, { letter: 'password_reset', to: email, about: reset.id, ends_at })
    const asked = user ? { company: user.company_id, name: email } : { note: 'unknown e-mail' }
    await record(deps, trx, [{ action: 'password.reset_asked', by: { kind: 'stranger', client: address }, ...asked }])
  })
}

/**
 * Counted apart from what staff send, so that strangers cannot use that up; and anew after a change of the password, so that a thief who
 * changed it cannot have used up the owner's way back.
 */
async function mayAskFor(deps: Deps, email: string, generation: number): Promise<boolean> {
  try {
    await countUses(deps, 'mail.too_many', [
      { of: ['forgot', 'hour', email, String(generation)], limit: 5, window: 60 * 60_000 },
      { of: ['forgot', 'day', email], limit: 50, window: 24 * 60 * 60_000 },
    ])
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'mail.too_many') return false
    throw error
  }
}

/** Not to an address that is no longer theirs. */
export const composePasswordReset: Compose = async (deps, { about, to }) => {
  const user = await userOf(deps, about)
  if (user?.email !== to) return undefined
  return letters.passwordReset({ name: user.name, url: `${deps.config.publicUrl}/reset/${tokenOf(deps, about, to)}` })
}

/** Whose password a token is for. */
export async function checkReset(deps: Deps, token: string): Promise<{ email: string }> {
  const { email } = await userOfToken(deps, token)
  return { email }
}

/** The new password ends every session and every other such mail: each is bound to the generation that ends here. */
export async function resetPassword(deps: Deps, address: string, { token, password }: { token: string; password: string }) {
  const user = await userOfToken(deps, token)
  refuseEasyPassword('password', password, [user.name, user.email, user.company_name])
  const hash = await passwordGate(clientOf(address), () => hashPassword(password))
  await deps.db.transaction().execute(async (trx) => {
    if (!(await changePasswordHash(trx, user, hash, deps.now().toISOString()))) throw new AppError('reset.not_found') // used in the same moment
    await enqueue(deps, trx, { letter: 'password_changed', to: user.email, about: user.id })
    const by = { kind: 'stranger' as const, client: address }
    await record(deps, trx, [{ action: 'password.reset', by, company: user.company_id, name: user.email }])
  })
  await forgetTries(deps, { action: 'login', subject: user.email, address })
}

export const composePasswordChanged: Compose = async (deps, { about }) => {
  const user = await findUser(deps.db, about)
  if (!user) return undefined
  return letters.passwordChanged({ name: user.name, url: `${deps.config.publicUrl}/forgot` })
}

export const sweepResets = (deps: Deps) => deleteEndedResets(deps.db, deps.now().toISOString())

/** The row's id and our signature: nothing in the database is enough to make one. It opens while the address it was mailed to is theirs. */
const tokenOf = ({ keys }: Deps, id: string, email: string) => `${id}${sign(keys.reset, `${id} ${email}`).slice(0, 22)}`

async function userOfToken(deps: Deps, token: string): Promise<UserRecord> {
  const id = token.slice(0, 22)
  const user = await userOf(deps, id)
  if (!user || !isSameSecret(token, tokenOf(deps, id, user.email))) throw new AppError('reset.not_found')
  return user
}

async function userOf(deps: Deps, resetId: string): Promise<UserRecord | undefined> {
  const reset = await findReset(deps.db, resetId, deps.now().toISOString())
  const user = reset?.user_id ? await findUser(deps.db, reset.user_id) : undefined
  return user && user.generation === reset?.generation && user.suspended_at === null ? user : undefined
}
