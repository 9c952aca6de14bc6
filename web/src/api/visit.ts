import { useSyncExternalStore } from 'react'
import type { Caller } from './caller.ts'

/** Where a recipient stands with one link. `closed`: they were inside, and the link does not know them any more. */
type VisitState = { kind: 'outside' } | { kind: 'closed' } | { kind: 'inside'; token: string; isNew: boolean }

/** A recipient at one link. As a caller it is whoever is inside now, also when that is another visit than before. */
export interface Visit extends Caller {
  read: () => VisitState
  subscribe: (listener: () => void) => () => void
  enter: (token: string) => void
}

const visits = new Map<string, Visit>()

/** The visit of this tab to a link. Session storage keeps it, so a reload stays inside and closing the tab ends it. */
export function visitOf(accessKey: string): Visit {
  const visit = visits.get(accessKey) ?? createVisit(`neptune.access.${accessKey}`)
  visits.set(accessKey, visit)
  return visit
}

/** Without a name to keep it under, it is gone with the page. */
export function createVisit(name?: string): Visit {
  const listeners = new Set<() => void>()
  const kept = name === undefined ? null : readKept(name)
  let state: VisitState = kept === null ? { kind: 'outside' } : { kind: 'inside', token: kept, isNew: false }
  const change = (next: VisitState) => {
    state = next
    if (name !== undefined) keep(name, next.kind === 'inside' ? next.token : undefined)
    for (const listener of listeners) listener()
  }
  const token = () => (state.kind === 'inside' ? state.token : undefined)
  return {
    token,
    // A late refusal of an old token says nothing of its successor.
    onRefused: (refused) => refused === token() && change({ kind: 'closed' }),
    read: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    enter: (token) => change({ kind: 'inside', token, isNew: true }),
  }
}

export const useVisit = ({ subscribe, read }: Visit): VisitState => useSyncExternalStore(subscribe, read)

function readKept(name: string): string | null {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null // storage is forbidden: the visit lives in this page's memory
  }
}

function keep(name: string, token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, token)
  } catch {
    // As above.
  }
}
