import { Session } from '@neptune/contract'
import { personalKeys } from '../lib/storage/storage-keys.ts'

/** Why a session ended. `unconfirmed`: signed out here, but the server could not be reached. */
export type EndReason = 'expired' | 'signed-out' | 'unconfirmed'

export type SessionState =
  | { kind: 'unknown' }
  | { kind: 'signed-out'; reason?: EndReason }
  /** `mustEnroll`: the server rejects everything until the user has set up a second factor. */
  | { kind: 'signed-in'; token: string; expiresAt: string; info: Session['info']; mustEnroll?: boolean }

/** Session storage holds the session under two keys. Only this file accesses them. */
const storageKeys = { token: 'neptune.token', info: 'neptune.info' }

const pendingSignOutKey = 'neptune.sign-out-owed'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined
let state = readStoredSession()
watchExpiry()

export const getSession = (): SessionState => state

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function setSession(session: Session): void {
  storeSession(session)
  const { token, expiresAt, info } = session
  setState({ kind: 'signed-in', token, expiresAt, info })
}

/** Stores the session for the next page load, without showing it. */
export function storeSession({ token, type, expiresAt, info }: Session): void {
  storeValue(storageKeys.token, { token, type, expiresAt })
  storeValue(storageKeys.info, info)
}

/** Updates the user's details. Ignores a late response for a previous session. */
export function updateInfo(info: Session['info'], token: string): void {
  if (state.kind !== 'signed-in' || state.token !== token) return
  storeValue(storageKeys.info, info)
  setState({ ...state, info })
}

/** Shows the page to set up a second factor. Ignores a late response for a previous session. */
export function requireEnrollment(token: string): void {
  if (state.kind === 'signed-in' && state.token === token && !state.mustEnroll) setState({ ...state, mustEnroll: true })
}

/** Shows the staff area again, after the user has set up a second factor or no longer needs one. */
export function finishEnrollment(): void {
  if (state.kind === 'signed-in') setState({ ...state, mustEnroll: false })
}

/** Ends the session. With a token, only if it is the current one, so that a late 401 does not end a newer session. */
export function endSession(reason?: EndReason, token?: string): void {
  if (token !== undefined && (state.kind !== 'signed-in' || state.token !== token)) return
  for (const key of [...Object.values(storageKeys), ...Object.values(personalKeys)]) storeValue(key, undefined)
  setState(reason ? { kind: 'signed-out', reason } : { kind: 'signed-out' })
}

/** Remembers a sign-out that the server has not received yet, for all tabs and across browser restarts. */
export function setSignOutPending(isPending: boolean): void {
  try {
    if (isPending) localStorage.setItem(pendingSignOutKey, '1')
    else localStorage.removeItem(pendingSignOutKey)
  } catch {
    // Storage is blocked. The sign-in page warns that the server was not reached.
  }
}

export function isSignOutPending(): boolean {
  try {
    return localStorage.getItem(pendingSignOutKey) !== null
  } catch {
    return false
  }
}

function setState(next: SessionState): void {
  state = next
  watchExpiry()
  for (const listener of listeners) listener()
}

/**
 * Ends the session when it expires. Timers are limited to 2^31 ms (25 days) and sessions last for years, so the timer restarts.
 */
function watchExpiry(): void {
  clearTimeout(timer)
  if (state.kind !== 'signed-in') return
  const remainingMs = Date.parse(state.expiresAt) - Date.now()
  if (remainingMs > 0) timer = setTimeout(watchExpiry, Math.min(remainingMs, 2 ** 31 - 1))
  else endSession('expired')
}

function readStoredSession(): SessionState {
  try {
    const token = JSON.parse(sessionStorage.getItem(storageKeys.token) ?? '')
    const info = JSON.parse(sessionStorage.getItem(storageKeys.info) ?? '')
    return { kind: 'signed-in', ...Session.parse({ ...token, info }) }
  } catch {
    return { kind: 'unknown' } // nothing stored, stored by another version, or storage is blocked: ask the server
  }
}

function storeValue(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Storage is full or blocked: the session stays in memory, and a reload restores it by cookie.
  }
}
