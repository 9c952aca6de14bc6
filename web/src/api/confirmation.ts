import { useSyncExternalStore } from 'react'

/** The calls that wait until the person has confirmed their identity. They share one dialog. */
let waiting: { result: Promise<boolean>; settle: (isConfirmed: boolean) => void } | undefined

const listeners = new Set<() => void>()

/** Asks the person to confirm their identity. Resolves to false if they cancel, or if this page can’t ask. */
export function requestConfirmation(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false)
  if (!waiting) {
    const { promise: result, resolve: settle } = Promise.withResolvers<boolean>()
    waiting = { result, settle }
    notifyListeners()
  }
  return waiting.result
}

/** Settles the waiting calls: they are repeated, or fail. */
export function settleConfirmation(isConfirmed: boolean): void {
  waiting?.settle(isConfirmed)
  waiting = undefined
  notifyListeners()
}

/** Returns whether calls wait for a confirmation. The component that uses it shows the dialog. */
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
