import type { SecondFactor, Session, SignInMethod } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Actor, Staff } from '../../lib/actor.ts'
import { hashToken, newId, newToken } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import { moveProviderSession, type ProviderProof } from '../provider/provider-session.repo.ts'
import { readSettings } from '../settings/settings.service.ts'
import { setSignedInAt, type UserRecord } from '../user/user.repo.ts'
import { toUser } from '../user/user.service.ts'
import { rememberBrowser } from './browser.service.ts'
import { isConfirmed, mustEnroll } from './policy.service.ts'
import { storeProviderProof } from './provider-proof.service.ts'
import {
  deleteEndedSessions,
  deleteOldestSessions,
  deleteSession,
  findSessionByToken,
  insertSession,
  insertSessionToken,
  setConfirmedAt,
  touchSession,
} from './session.repo.ts'
import { createRestoreSecret } from './session-cookie.ts'
import { addMinutes, getSessionLimits } from './session-limits.service.ts'

export interface ClientDetails {
  address: string
  agent: string
  /** The secret in the cookie `_browser`, by which this browser is recognized. */
  browser?: string | undefined
}

/** How someone proved who they are. */
export interface Proof {
  method: SignInMethod
  secondFactor: SecondFactor | null
  /** Whether the session is kept when the browser is closed. */
  remember: boolean
  /** The id of the session that this one continues. Its browser is not new to the user. */
  continues?: string
  /** Whether the user trusts this browser, so that it needs no second factor from now on. */
  trust?: boolean | undefined
  /** When they proved it, if a provider reports an earlier time. Defaults to now. Null if the time is unknown. */
  confirmedAt?: string | null | undefined
  /** The account at a provider that they signed in with. */
  provider?: ProviderProof | undefined
}

/** The result of a sign-in: the response and the cookies. `maxAge`, in seconds, is set only if the session is remembered. */
export interface SignedIn {
  session: Session
  cookie: { secret: string; maxAge: number | undefined }
  /** A new secret for the cookie `_browser`. */
  browser?: string | undefined
}

const maxSessionsPerUser = 20
/** How often `last_seen_at` is updated; more often if the idle timeout is short. */
const touchIntervalMs = 60_000

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
  return {
    kind: 'staff',
    userId,
    companyId,
    role,
    access,
    sessionId,
    name,
    client,
    isConfirmed: isConfirmed(deps, session),
    mustEnroll: await mustEnroll(deps, session),
  }
}

export const signOut = (deps: Deps, actor: Staff) =>
  deps.db.transaction().execute(async (trx) => {
    await deleteSession(trx, actor.sessionId)
    await record(deps, trx, [{ action: 'session.ended', by: actor, company: actor.companyId }])
  })

export const sweepSessions = (deps: Deps) => deleteEndedSessions(deps.db, deps.now().toISOString())

/** Stores that the caller has just confirmed their identity, so that they may make sensitive calls. `note` is the method. */
export const confirmSession = (deps: Deps, actor: Staff, note: 'password' | 'totp' | 'passkey') =>
  deps.db.transaction().execute(async (trx) => {
    await setConfirmedAt(trx, actor.sessionId, deps.now().toISOString())
    await record(deps, trx, [{ action: 'session.confirmed', by: actor, company: actor.companyId, note }])
  })

/** Starts a session for a user who has proven who they are. Call it only if they may sign in and have given any second factor they need. */
export async function startSession(deps: Deps, caller: ClientDetails, user: UserRecord, proof: Proof): Promise<SignedIn> {
  const now = deps.now()
  const created_at = now.toISOString()
  const token = newToken('nps')
  const { security } = await readSettings(deps)
  const lifetime = { remembered_at: proof.remember ? created_at : null, ends_at: addMinutes(now, security.session_minutes) }
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
    method: proof.method,
    second_factor: proof.secondFactor,
    confirmed_at: proof.confirmedAt === undefined ? created_at : proof.confirmedAt,
  }
  const browser = await deps.db.transaction().execute(async (trx) => {
    const { secret, isNew } = await rememberBrowser(deps, trx, caller, user, {
      isContinued: proof.continues !== undefined,
      trustDays: proof.trust ? security.trust_days : 0,
    })
    await insertSession(trx, { ...session, new_browser_at: isNew ? created_at : null })
    await insertSessionToken(trx, { hash: hashToken(token), session_id: session.id, created_at })
    if (proof.continues !== undefined) await moveProviderSession(trx, proof.continues, session.id)
    await deleteOldestSessions(trx, user.id, maxSessionsPerUser)
    await setSignedInAt(trx, user.id, created_at)
    const about = { by: toStaff(user, session.id, caller), company: user.company_id, name: user.email }
    const entries = proof.provider ? await storeProviderProof(deps, trx, user, session.id, proof.provider) : []
    await record(deps, trx, [
      ...entries.map((entry) => ({ ...about, ...entry })),
      { action: 'session.started', ...about, note: describeProof(proof) },
    ])
    return secret
  })
  return { ...(await toSignedIn(deps, user, token, session)), browser }
}

/** Returns how someone signed in, for the audit log. Null for a password alone, as in older entries. */
function describeProof({ method, secondFactor }: Proof): string | null {
  if (secondFactor !== null) return `${method} + ${secondFactor}`
  return method === 'password' || method === 'invitation' ? null : method
}

/** Returns a user as the actor of an action. `sessionId` is empty if there is no session yet. */
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

export async function toSignedIn(
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
export async function getLastSeenColumns(
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
