import { useSyncExternalStore } from 'react'

/** The calls that wait until the person has proven who they are. They share one dialog. */
let waiting: { result: Promise<boolean>; settle: (isConfirmed: boolean) => void } | undefined

const listeners = new Set<() => void>()

/** Asks the person to prove who they are. Resolves to false if they cancel, or if this page can’t ask. */
export function requestConfirmation(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false)
  if (!waiting) {
    const { promise: result, resolve: settle } = Promise.withResolvers<boolean>()
    waiting = { result, settle }
    notifyListeners()
  }
  return waiting.result
}

/** Ends the wait: the calls are repeated, or fail. */
export function settleConfirmation(isConfirmed: boolean): void {
  waiting?.settle(isConfirmed)
  waiting = undefined
  notifyListeners()
}

/** Returns whether calls wait. The component that uses it shows the dialog. */
export const useIsConfirmationRequested = () => useSyncExternalStore(subscribe, () => waiting !== undefined)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) settleConfirmation(false)
  }
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}
