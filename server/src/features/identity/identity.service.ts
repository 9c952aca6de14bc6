import type { ActivityAction, Session } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Actor, Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { clientOf } from '../../lib/client-address.ts'
import { normalizeEmail } from '../../lib/email.ts'
import { rejectWeakPassword } from '../../lib/password-rules.ts'
import { decoyHash, hashPassword, matchesPassword, needsRehash, passwordGate } from '../../lib/passwords.ts'
import { hashToken, newId, newToken } from '../../lib/secrets.ts'
import { note, record } from '../audit/audit.service.ts'
import { enqueue } from '../outbox/outbox.service.ts'
import { countAttempt } from '../throttle/throttle.service.ts'
import {
  changePasswordHash,
  findUser,
  findUserByEmail,
  raiseGeneration,
  replacePasswordHash,
  type UserRecord,
} from '../user/user.repo.ts'
import { toUser } from '../user/user.service.ts'
import {
  deleteEndedSessions,
  deleteOldestSessions,
  deleteOldestTokens,
  deleteSession,
  deleteSessionOf,
  findSession,
  findSessionByToken,
  insertSession,
  insertToken,
  listSessions,
  rotateRestore,
  touchSession,
} from './identity.repo.ts'
import { createRestoreSecret, readRestoreSecret } from './restore-secret.ts'

export interface Caller {
  address: string
  agent: string
}

/** What a sign-in gives: the answer, and what the cookie is to hold. `maxAge` in seconds only when the browser is to remember it. */
export interface SignedIn {
  session: Session
  cookie: { secret: string; maxAge: number | undefined }
}

const sessionsKept = 20
const tokensKept = 50
/** How often it is written that a session was seen; oftener where the idle limit is short. */
const seenEvery = 60_000
/** Tabs that open together all send the same secret; within this time they are all believed. */
const restoreGrace = 60_000

interface Credentials {
  email: string
  password: string
  remember?: boolean | undefined
}

/** Both sign-in calls are this function. Whoever finds no place to be judged has not tried, so the gate comes before the count. */
export async function signIn(deps: Deps, caller: Caller, credentials: Credentials): Promise<SignedIn> {
  const user = await passwordGate(clientOf(caller.address), () => judge(deps, caller, credentials))
  return startSession(deps, caller, user, credentials.remember ?? false)
}

/** Unknown e-mail, wrong password and a suspended account look the same from outside. */
async function judge(deps: Deps, caller: Caller, { email, password }: Credentials): Promise<UserRecord> {
  const takeBack = await countAttempt(deps, { action: 'login', subject: normalizeEmail(email), address: caller.address })
  const user = await findUserByEmail(deps.db, normalizeEmail(email))
  const isRight = await matchesPassword(password, user?.password_hash ?? decoyHash)
  if (!user || !isRight || user.suspended_at) {
    // Nobody's address is not written down: some people type their password there.
    const tried = user ? { company: user.company_id, name: user.email } : { note: 'unknown e-mail' }
    const by = { kind: 'stranger' as const, client: caller.address }
    note(deps, `sign-in ${user?.id ?? 'unknown'} ${clientOf(caller.address)}`, {
      action: 'session.refused',
      by,
      isRefused: true,
      ...tried,
    })
    throw new AppError('session.wrong_credentials')
  }
  await takeBack()
  if (needsRehash(user.password_hash))
    await replacePasswordHash(deps.db, user.id, user.password_hash, await hashPassword(password))
  return user
}

/** Who a token belongs to now: rights come from the user's row at every request, never from the session. */
export async function identify(deps: Deps, token: string, client: string): Promise<Actor> {
  const now = deps.now()
  const session = await findSessionByToken(deps.db, hashToken(token), now.toISOString())
  if (!session) return { kind: 'anonymous' }
  const idle = Date.parse(session.idle_ends_at) - Date.parse(session.last_seen_at)
  if (now.getTime() - Date.parse(session.last_seen_at) > Math.min(seenEvery, idle / 10)) {
    // Who may read may do so while nothing can be written; their session ends the earlier for it.
    await touchSession(deps.db, session.id, seenAt(deps, now, session)).catch((err) =>
      deps.log.warn({ err }, 'that a session goes on was not written'),
    )
  }
  const { user_id: userId, company_id: companyId, role, id: sessionId, name } = session
  return { kind: 'staff', userId, companyId, role, sessionId, name, client }
}

/**
 * Gives a new tab a token of its own in exchange for the restore secret in the cookie. The secret changes as it is used; a spent
 * one that comes back later was copied, so it ends the session for whoever holds either.
 */
export async function restoreSession(deps: Deps, caller: Caller, secret: string): Promise<SignedIn> {
  const claim = readRestoreSecret(deps.keys, secret)
  const now = deps.now()
  const session = claim && (await findSession(deps.db, claim.sessionId, now.toISOString()))
  const user = session && (await findUser(deps.db, session.user_id))
  if (!claim || !session || !user) throw new AppError('session.missing')

  const isFresh = now.getTime() - Date.parse(session.restored_at) <= restoreGrace
  const isCurrent = claim.number === session.restore_number
  if (!isCurrent && !(isFresh && claim.number === session.restore_number - 1)) {
    deps.log.warn({ userId: user.id, sessionId: session.id }, 'a spent restore secret came back: its session was ended')
    await deps.db.transaction().execute(async (trx) => {
      await deleteSession(trx, session.id)
      const about = { company: user.company_id, name: user.email, note: 'a spent secret came back' }
      await record(deps, trx, [{ action: 'session.ended', by: { kind: 'system' }, ...about }])
    })
    throw new AppError('session.missing')
  }

  const token = newToken('nps')
  const number = await deps.db.transaction().execute(async (trx) => {
    const created_at = now.toISOString()
    // Signed out in another tab since we looked: then there is nothing to restore.
    if (!(await touchSession(trx, session.id, seenAt(deps, now, session)))) throw new AppError('session.missing')
    await insertToken(trx, { hash: hashToken(token), session_id: session.id, created_at })
    await deleteOldestTokens(trx, session.id, tokensKept)
    const isRotated = isCurrent && !isFresh
    if (isRotated) await rotateRestore(trx, session.id, session.restore_number, created_at) // or another tab just did, to the same number
    // On the same browser it is another tab; from somewhere else it may be a thief.
    if (clientOf(caller.address) !== clientOf(session.client)) {
      const entry = {
        action: 'session.started' as const,
        by: staffOf(user, session.id, caller),
        company: user.company_id,
        name: user.email,
      }
      await record(deps, trx, [{ ...entry, note: 'a session that began elsewhere' }])
    }
    return isRotated ? session.restore_number + 1 : session.restore_number
  })
  return signedIn(deps, user, token, { ...session, restore_number: number })
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

/** The old password is asked for, so that an open screen is not enough. Every session ends; this browser gets a new one. */
export async function changePassword(
  deps: Deps,
  caller: Caller,
  actor: Staff,
  { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
): Promise<SignedIn> {
  const user = await findUser(deps.db, actor.userId)
  const session = await findSession(deps.db, actor.sessionId, deps.now().toISOString())
  if (!user || !session) throw new AppError('session.missing')
  rejectWeakPassword('newPassword', newPassword, [user.name, user.email, user.company_name])
  if (newPassword === oldPassword) {
    const fields = [{ field: 'newPassword', message: 'This is your current password. Choose a different one.' }]
    throw new AppError('request.invalid', { fields })
  }
  const hash = await passwordGate(clientOf(caller.address), async () => {
    await requirePassword(deps, actor, user, oldPassword, 'password.changed')
    return hashPassword(newPassword)
  })
  await deps.db.transaction().execute(async (trx) => {
    if (!(await changePasswordHash(trx, user, hash, deps.now().toISOString()))) throw new AppError('session.missing') // changed elsewhere in the same moment
    await enqueue(deps, trx, { letter: 'password_changed', to: user.email, about: user.id })
    await record(deps, trx, [{ action: 'password.changed', by: actor, company: user.company_id, name: user.email }])
  })
  return startSession(deps, caller, { ...user, generation: user.generation + 1 }, session.remembered_at !== null)
}

/** What somebody signed in may do only with their password. To be called in the gate. */
export async function requirePassword(deps: Deps, actor: Staff, user: UserRecord, password: string, action: ActivityAction) {
  const takeBack = await countAttempt(deps, { action: 'password', subject: user.id, address: actor.client })
  if (!(await matchesPassword(password, user.password_hash))) {
    const about = { by: actor, isRefused: true, company: user.company_id, name: user.email }
    note(deps, `password ${user.id}`, { action, ...about })
    throw new AppError('session.wrong_credentials')
  }
  await takeBack()
}

export async function listOwnSessions(deps: Deps, { userId, sessionId }: Staff) {
  const sessions = await listSessions(deps.db, userId, deps.now().toISOString())
  return sessions.map((session) => ({ ...session, current: session.id === sessionId }))
}

export const endOwnSession = (deps: Deps, actor: Staff, id: string) =>
  deps.db.transaction().execute(async (trx) => {
    if (!(await deleteSessionOf(trx, actor.userId, id))) throw new AppError('session.not_found')
    await record(deps, trx, [{ action: 'session.ended', by: actor, company: actor.companyId, note: 'from another browser' }])
  })

export const endAllSessions = (deps: Deps, actor: Staff) =>
  deps.db.transaction().execute(async (trx) => {
    await raiseGeneration(trx, actor.userId)
    await record(deps, trx, [{ action: 'session.ended_everywhere', by: actor, company: actor.companyId }])
  })

export const sweepSessions = (deps: Deps) => deleteEndedSessions(deps.db, deps.now().toISOString())

export async function startSession(deps: Deps, caller: Caller, user: UserRecord, remember: boolean): Promise<SignedIn> {
  const now = deps.now()
  const created_at = now.toISOString()
  const token = newToken('nps')
  const lasting = { remembered_at: remember ? created_at : null, ends_at: after(now, deps.config.sessionMinutes) }
  const session = {
    id: newId(),
    user_id: user.id,
    generation: user.generation,
    ...lasting,
    created_at,
    ...seenAt(deps, now, lasting),
    restore_number: 0,
    restored_at: created_at,
    client: caller.address,
    agent: caller.agent.slice(0, 200),
  }
  await deps.db.transaction().execute(async (trx) => {
    await insertSession(trx, session)
    await insertToken(trx, { hash: hashToken(token), session_id: session.id, created_at })
    await deleteOldestSessions(trx, user.id, sessionsKept)
    const entry = { action: 'session.started' as const, by: staffOf(user, session.id, caller), company: user.company_id }
    await record(deps, trx, [{ ...entry, name: user.email }])
  })
  return signedIn(deps, user, token, session)
}

const staffOf = ({ id, company_id, role, name }: UserRecord, sessionId: string, { address }: Caller): Staff => ({
  kind: 'staff',
  userId: id,
  companyId: company_id,
  role,
  name,
  sessionId,
  client: address,
})

function signedIn(
  deps: Deps,
  user: UserRecord,
  token: string,
  session: { id: string; ends_at: string; remembered_at: string | null; restore_number: number },
): SignedIn {
  return {
    session: { token, type: 'Bearer', expiresAt: session.ends_at, info: toUser(user) },
    cookie: {
      secret: createRestoreSecret(deps.keys, session.id, session.restore_number),
      maxAge: session.remembered_at ? deps.config.sessionRememberedIdleMinutes * 60 : undefined,
    },
  }
}

/** The idle end never lies beyond the absolute one, so a session has ended exactly when its idle end has passed. */
function seenAt({ config }: Deps, now: Date, { remembered_at, ends_at }: { remembered_at: string | null; ends_at: string }) {
  const idleEnd = after(now, remembered_at ? config.sessionRememberedIdleMinutes : config.sessionIdleMinutes)
  return { last_seen_at: now.toISOString(), idle_ends_at: idleEnd < ends_at ? idleEnd : ends_at }
}

const after = (now: Date, minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString()
