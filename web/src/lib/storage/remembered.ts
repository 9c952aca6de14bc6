const storageKey = 'neptune.remembered'

/** Notes whether the last sign-in in this browser was remembered. Signing out clears it with all storage. */
export function noteRemembered(isRemembered: boolean): void {
  try {
    if (isRemembered) localStorage.setItem(storageKey, '1')
    else localStorage.removeItem(storageKey)
  } catch {
    // Storage is blocked. A session that replaces this one then ends with the browser.
  }
}

/** Returns whether a session that replaces the current one should be remembered as well. */
export function wasRemembered(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}
