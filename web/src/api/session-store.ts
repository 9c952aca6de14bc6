import { Session } from '@neptune/contract'
import { personal } from '../lib/personal.ts'

/** Why a session is over. `unconfirmed`: signed out here, but the server could not be told. */
export type EndReason = 'expired' | 'signed-out' | 'unconfirmed'

export type SessionState =
  | { kind: 'unknown' }
  | { kind: 'signed-out'; reason?: EndReason }
  | { kind: 'signed-in'; token: string; expiresAt: string; info: Session['info'] }

/** Session storage holds the session under two keys; this file alone touches them. */
const keys = { token: 'neptune.token', info: 'neptune.info' }

const owed = 'neptune.sign-out-owed'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined
let state = read()
watchExpiry()

export const getSession = (): SessionState => state

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function holdSession({ token, type, expiresAt, info }: Session): void {
  store(keys.token, { token, type, expiresAt })
  store(keys.info, info)
  change({ kind: 'signed-in', token, expiresAt, info })
}

/** The person may have changed since they signed in. A late answer about a former session says nothing of this one. */
export function renewInfo(info: Session['info'], token: string): void {
  if (state.kind !== 'signed-in' || state.token !== token) return
  store(keys.info, info)
  change({ ...state, info })
}

/** Ends the session held here. With a token: only if it is still that one, so that a late refusal cannot end its successor. */
export function endSession(reason?: EndReason, token?: string): void {
  if (token !== undefined && (state.kind !== 'signed-in' || state.token !== token)) return
  for (const key of [...Object.values(keys), ...Object.values(personal)]) store(key, undefined)
  change(reason ? { kind: 'signed-out', reason } : { kind: 'signed-out' })
}

/** A sign-out the server has not heard of yet; kept for every tab, past a closed browser. */
export function oweSignOut(isOwed: boolean): void {
  try {
    if (isOwed) localStorage.setItem(owed, '1')
    else localStorage.removeItem(owed)
  } catch {
    // Storage is forbidden: the screen has said that the server could not be told.
  }
}

export function isSignOutOwed(): boolean {
  try {
    return localStorage.getItem(owed) !== null
  } catch {
    return false
  }
}

function change(next: SessionState): void {
  state = next
  watchExpiry()
  for (const listener of listeners) listener()
}

/** Timers hold at most 2^31 ms (25 days) and a session lives for years, so the timer looks again when it runs out. */
function watchExpiry(): void {
  clearTimeout(timer)
  if (state.kind !== 'signed-in') return
  const left = Date.parse(state.expiresAt) - Date.now()
  if (left > 0) timer = setTimeout(watchExpiry, Math.min(left, 2 ** 31 - 1))
  else endSession('expired')
}

function read(): SessionState {
  try {
    const token = JSON.parse(sessionStorage.getItem(keys.token) ?? '')
    const info = JSON.parse(sessionStorage.getItem(keys.info) ?? '')
    return { kind: 'signed-in', ...Session.parse({ ...token, info }) }
  } catch {
    return { kind: 'unknown' } // nothing kept, kept by another version, or storage is forbidden: ask the server
  }
}

function store(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Storage is full or forbidden: the session lives in this page's memory, and a reload restores it.
  }
}
