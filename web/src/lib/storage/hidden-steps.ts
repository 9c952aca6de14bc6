import { useSyncExternalStore } from 'react'

const getStorageKey = (userId: string) => `neptune.steps-hidden.${userId}`

const listeners = new Set<() => void>()

/** Users who have hidden the list since the page was loaded, even where storage is blocked. */
const hiddenHere = new Set<string>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns whether the user has hidden the getting-started list in this browser, and a function that hides it. */
export function useHiddenSteps(userId: string): [isHidden: boolean, hide: () => void] {
  const isHidden = useSyncExternalStore(subscribe, () => areStepsHidden(userId))
  return [isHidden, () => hideSteps(userId)]
}

function areStepsHidden(userId: string): boolean {
  if (hiddenHere.has(userId)) return true
  try {
    return localStorage.getItem(getStorageKey(userId)) !== null
  } catch {
    return false
  }
}

function hideSteps(userId: string): void {
  hiddenHere.add(userId)
  try {
    localStorage.setItem(getStorageKey(userId), '1')
  } catch {
    // Storage is blocked: the list reappears on the next page load.
  }
  for (const listener of listeners) listener()
}
