import { useSyncExternalStore } from 'react'
import type { Caller } from './caller.ts'

/**
 * A recipient's access to a link. `outside`: they have not entered the access code yet. `inside`: they have. `closed`: they had
 * access, but the link no longer accepts their token. `expired`: the same, because the link has expired. `paused`: they had access, but
 * the link isn’t available right now. `isNew`: the code was just entered; false after a reload.
 */
type VisitState = { kind: 'outside' | VisitEnd } | { kind: 'inside'; token: string; isNew: boolean }

/** How a recipient’s access ended. */
export type VisitEnd = 'closed' | 'expired' | 'paused'

/** A recipient's visit to a link. As a caller it always uses the current token, even after the code is entered again. */
export interface Visit extends Caller {
  /** Shared by all tabs that show the link; unique for each preview. */
  id: string
  getState: () => VisitState
  subscribe: (listener: () => void) => () => void
  enter: (token: string) => void
  /** Remembers when the link expires, to tell an expired link from one that was closed. */
  setExpiry: (expiry: string) => void
}

/** How far the clocks of the server and the browser may differ. */
const clockToleranceMs = 60_000

const visits = new Map<string, Visit>()

/** Returns this tab's visit to a link. Session storage keeps the token: a reload keeps access, closing the tab ends it. */
export function getVisit(accessKey: string): Visit {
  const visit = visits.get(accessKey) ?? createVisit(`neptune.access.${accessKey}`)
  visits.set(accessKey, visit)
  return visit
}

/** Creates a visit. Without a storage key it ends with the page. */
export function createVisit(storageKey?: string): Visit {
  const listeners = new Set<() => void>()
  const storedToken = storageKey === undefined ? null : readToken(storageKey)
  let state: VisitState = storedToken === null ? { kind: 'outside' } : { kind: 'inside', token: storedToken, isNew: false }
  const setState = (next: VisitState) => {
    state = next
    if (storageKey !== undefined) storeToken(storageKey, next.kind === 'inside' ? next.token : undefined)
    for (const listener of listeners) listener()
  }
  let expiresAtMs = Number.POSITIVE_INFINITY
  const getEnd = (code: string): VisitEnd => {
    if (code === 'link.paused') return 'paused'
    return expiresAtMs <= Date.now() + clockToleranceMs ? 'expired' : 'closed'
  }
  const getToken = () => (state.kind === 'inside' ? state.token : undefined)
  return {
    id: storageKey ?? `preview ${Math.random()}`,
    getToken,
    // Ignores a late 401 for an old token.
    onUnauthorized: (rejected, { code }) => rejected === getToken() && setState({ kind: getEnd(code) }),
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    enter: (token) => setState({ kind: 'inside', token, isNew: true }),
    setExpiry: (expiry) => {
      expiresAtMs = Date.parse(expiry)
    },
  }
}

export const useVisit = ({ subscribe, getState }: Visit): VisitState => useSyncExternalStore(subscribe, getState)

function readToken(storageKey: string): string | null {
  try {
    return sessionStorage.getItem(storageKey)
  } catch {
    return null // storage is blocked: the visit stays in memory
  }
}

function storeToken(storageKey: string, token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, token)
  } catch {
    // Storage is blocked, see above.
  }
}
