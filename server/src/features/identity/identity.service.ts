import type { ActivityAction, Session } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Actor, Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { normalizeEmail } from '../../lib/email.ts'
import { clientOf } from '../../lib/net/client-address.ts'
import { rejectWeakPassword } from '../../lib/password/password-rules.ts'
import { decoyHash, hashPassword, matchesPassword, needsRehash, runPasswordTask } from '../../lib/password/passwords.ts'
import { hashToken, newId, newToken } from '../../lib/secrets.ts'
import { record, recordLater } from '../audit/audit.service.ts'
import { enqueueMail } from '../outbox/outbox.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { countAttempt } from '../throttle/throttle.service.ts'
import {
  changePasswordHash,
  findUser,
  findUserByEmail,
  replacePasswordHash,
  setSignedInAt,
  type UserRecord,
} from '../user/user.repo.ts'
import { maySignIn, toUser } from '../user/user.service.ts'
import {
  deleteEndedSessions,
  deleteOldestSessions,
  deleteOldestTokens,
  deleteSession,
  findSession,
  findSessionByToken,
  insertSession,
  insertSessionToken,
  rotateRestoreNumber,
  touchSession,
} from './identity.repo.ts'
import { createRestoreSecret, readRestoreSecret } from './session-cookie.ts'
import { addMinutes, getSessionLimits } from './session-limits.service.ts'

export interface ClientDetails {
  address: string
  agent: string
}

/** The result of a sign-in: the response and the cookie. `maxAge`, in seconds, is set only if the session is remembered. */
export interface SignedIn {
  session: Session
  cookie: { secret: string; maxAge: number | undefined }
}

const maxSessionsPerUser = 20
const maxTokensPerSession = 50
/** How often `last_seen_at` is updated; more often if the idle timeout is short. */
const touchIntervalMs = 60_000
/** Tabs that are opened together send the same secret; within this time all of them are accepted. */
const restoreGraceMs = 60_000

interface Credentials {
  email: string
  password: string
  remember?: boolean | undefined
}

/**
 * Signs a user in, for both sign-in calls. The queue comes before the rate limit, so that a request it rejects does not count as an
 * attempt.
 */
export async function signIn(deps: Deps, caller: ClientDetails, credentials: Credentials): Promise<SignedIn> {
  const user = await runPasswordTask(clientOf(caller.address), () => checkCredentials(deps, caller, credentials))
  return startSession(deps, caller, user, credentials.remember ?? false)
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
    const about = user ? { company: user.company_id, name: user.email } : { note: 'unknown e-mail' }
    const by = { kind: 'stranger' as const, client: caller.address }
    const refusal = user && isCorrect ? describeObstacle(user) : { action: 'session.refused' as const }
    recordLater(deps, `${refusal.action} ${user?.id ?? 'unknown'} ${clientOf(caller.address)}`, {
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

/** Returns why someone with the right password can't sign in. Only the audit log says so. */
const describeObstacle = ({ suspended_at }: UserRecord) => ({
  action: 'session.unavailable' as const,
  note: suspended_at === null ? 'company_archived' : 'suspended',
})

/** Resolves a session token to its user. Rights are read from the user's row at every request, never from the session. */
export async function identifyUser(deps: Deps, token: string, client: string): Promise<Actor> {
  const now = deps.now()
  const session = await findSessionByToken(deps.db, hashToken(token), await getSessionLimits(deps))
  if (!session) return { kind: 'anonymous' }
  const idleTimeoutMs = (await getIdleMinutes(deps, session)) * 60_000
  if (now.getTime() - Date.parse(session.last_seen_at) > Math.min(touchIntervalMs, idleTimeoutMs / 10)) {
    // Reading stays possible while the database is read-only; the session just ends earlier.
    await touchSession(deps.db, session.id, await getLastSeenColumns(deps, now, session)).catch((err) =>
      deps.log.warn({ err }, 'a session could not be extended'),
    )
  }
  const { user_id: userId, company_id: companyId, role, access, id: sessionId, name } = session
  return { kind: 'staff', userId, companyId, role, access, sessionId, name, client }
}

/**
 * Exchanges the restore secret in the cookie for a new token, as every new tab does. The secret rotates when it is used, at most once a
 * minute. If an old one is used again later, it was copied, so the session ends for everyone who holds either.
 */
export async function restoreSession(deps: Deps, caller: ClientDetails, secret: string): Promise<SignedIn> {
  const claim = readRestoreSecret(deps.keys, secret)
  const now = deps.now()
  const session = claim && (await findSession(deps.db, claim.sessionId, await getSessionLimits(deps)))
  const user = session && (await findUser(deps.db, session.user_id))
  if (!claim || !session || !user) throw new AppError('session.missing')

  const isJustRestored = now.getTime() - Date.parse(session.restored_at) <= restoreGraceMs
  const isCurrent = claim.number === session.restore_number
  if (!isCurrent && !(isJustRestored && claim.number === session.restore_number - 1)) {
    deps.log.warn({ userId: user.id, sessionId: session.id }, 'an old restore secret was used again: its session was ended')
    await deps.db.transaction().execute(async (trx) => {
      await deleteSession(trx, session.id)
      // The web translates this note, and older audit entries contain it.
      const about = { company: user.company_id, name: user.email, note: 'a spent secret came back' }
      await record(deps, trx, [{ action: 'session.ended', by: { kind: 'system' }, ...about }])
    })
    throw new AppError('session.missing')
  }

  const token = newToken('nps')
  const lastSeen = await getLastSeenColumns(deps, now, session)
  const number = await deps.db.transaction().execute(async (trx) => {
    const created_at = now.toISOString()
    // Fails if another tab has signed out meanwhile.
    if (!(await touchSession(trx, session.id, lastSeen))) throw new AppError('session.missing')
    await insertSessionToken(trx, { hash: hashToken(token), session_id: session.id, created_at })
    await deleteOldestTokens(trx, session.id, maxTokensPerSession)
    const isRotated = isCurrent && !isJustRestored
    // If another tab has just rotated the secret, this changes nothing: both tabs get the same number.
    if (isRotated) await rotateRestoreNumber(trx, session.id, session.restore_number, created_at)
    // The same address means another tab. From a different address, the cookie may have been stolen, so it is recorded.
    if (clientOf(caller.address) !== clientOf(session.client)) {
      const entry = {
        action: 'session.started' as const,
        by: toStaff(user, session.id, caller),
        company: user.company_id,
        name: user.email,
      }
      await record(deps, trx, [{ ...entry, note: 'a session that began elsewhere' }])
    }
    return isRotated ? session.restore_number + 1 : session.restore_number
  })
  return toSignedIn(deps, user, token, { ...session, restore_number: number })
}

export const readCurrentUser = async (deps: Deps, { userId }: { userId: string }) => {
  const user = await findUser(deps.db, userId)
  if (!user) throw new AppError('session.missing')
  return toUser(user)
}

export const signOut = (deps: Deps, actor: Staff) =>
  deps.db.transaction().execute(async (trx) => {
    await deleteSession(trx, actor.sessionId)
    await record(deps, trx, [{ action: 'session.ended', by: actor, company: actor.companyId }])
  })

/** Changes the password. Requires the old one, in case the device was left unlocked. Ends all sessions and starts a new one. */
export async function changePassword(
  deps: Deps,
  caller: ClientDetails,
  actor: Staff,
  { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
): Promise<SignedIn> {
  const user = await findUser(deps.db, actor.userId)
  const session = await findSession(deps.db, actor.sessionId, await getSessionLimits(deps))
  if (!user || !session) throw new AppError('session.missing')
  rejectWeakPassword('newPassword', newPassword, [user.name, user.email, user.company_name])
  if (newPassword === oldPassword) {
    const fields = [{ field: 'newPassword', message: 'This is your current password. Choose a different one.' }]
    throw new AppError('request.invalid', { fields })
  }
  const hash = await runPasswordTask(clientOf(caller.address), async () => {
    await requirePassword(deps, actor, user, oldPassword, 'password.changed')
    return hashPassword(newPassword)
  })
  await deps.db.transaction().execute(async (trx) => {
    const isChanged = await changePasswordHash(trx, user, hash, deps.now().toISOString())
    if (!isChanged) throw new AppError('session.missing') // changed elsewhere at the same time
    await enqueueMail(deps, trx, { letter: 'password_changed', to: user.email, about: user.id })
    await record(deps, trx, [{ action: 'password.changed', by: actor, company: user.company_id, name: user.email }])
  })
  return startSession(deps, caller, { ...user, generation: user.generation + 1 }, session.remembered_at !== null)
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

export const sweepSessions = (deps: Deps) => deleteEndedSessions(deps.db, deps.now().toISOString())

export async function startSession(deps: Deps, caller: ClientDetails, user: UserRecord, remember: boolean): Promise<SignedIn> {
  const now = deps.now()
  const created_at = now.toISOString()
  const token = newToken('nps')
  const { security } = await readSettings(deps)
  const lifetime = { remembered_at: remember ? created_at : null, ends_at: addMinutes(now, security.session_minutes) }
  const session = {
    id: newId(),
    user_id: user.id,
    generation: user.generation,
    ...lifetime,
    created_at,
    ...(await getLastSeenColumns(deps, now, lifetime)),
    restore_number: 0,
    restored_at: created_at,
    client: caller.address,
    agent: caller.agent.slice(0, 200),
  }
  await deps.db.transaction().execute(async (trx) => {
    await insertSession(trx, session)
    await insertSessionToken(trx, { hash: hashToken(token), session_id: session.id, created_at })
    await deleteOldestSessions(trx, user.id, maxSessionsPerUser)
    await setSignedInAt(trx, user.id, created_at)
    const entry = { action: 'session.started' as const, by: toStaff(user, session.id, caller), company: user.company_id }
    await record(deps, trx, [{ ...entry, name: user.email }])
  })
  return toSignedIn(deps, user, token, session)
}

/** Returns a user as the performer of an action. The session is empty if there is none yet. */
export const toStaff = (
  { id, company_id, role, access, name }: UserRecord,
  sessionId: string,
  { address }: ClientDetails,
): Staff => ({
  kind: 'staff',
  userId: id,
  companyId: company_id,
  role,
  access,
  name,
  sessionId,
  client: address,
})

async function toSignedIn(
  deps: Deps,
  user: UserRecord,
  token: string,
  session: { id: string; ends_at: string; remembered_at: string | null; restore_number: number },
): Promise<SignedIn> {
  return {
    session: { token, type: 'Bearer', expiresAt: session.ends_at, info: toUser(user) },
    cookie: {
      secret: createRestoreSecret(deps.keys, session.id, session.restore_number),
      maxAge: session.remembered_at ? (await getIdleMinutes(deps, session)) * 60 : undefined,
    },
  }
}

/**
 * Returns the columns to set when a session is used. `idle_ends_at` is never later than `ends_at`, so queries check only the
 * former.
 */
async function getLastSeenColumns(
  deps: Deps,
  now: Date,
  { remembered_at, ends_at }: { remembered_at: string | null; ends_at: string },
) {
  const idleEnd = addMinutes(now, await getIdleMinutes(deps, { remembered_at }))
  return { last_seen_at: now.toISOString(), idle_ends_at: idleEnd < ends_at ? idleEnd : ends_at }
}

/** Returns after how many minutes without a request a session ends. */
async function getIdleMinutes(deps: Deps, { remembered_at }: { remembered_at: string | null }): Promise<number> {
  const { session_idle_minutes, session_remembered_idle_minutes } = (await readSettings(deps)).security
  return remembered_at ? session_remembered_idle_minutes : session_idle_minutes
}
