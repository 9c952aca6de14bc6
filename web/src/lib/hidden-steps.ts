const getStorageKey = (userId: string) => `neptune.steps-hidden.${userId}`

/** Returns whether the user has hidden the getting-started list in this browser. */
export function areStepsHidden(userId: string): boolean {
  try {
    return localStorage.getItem(getStorageKey(userId)) !== null
  } catch {
    return false
  }
}

export function hideSteps(userId: string): void {
  try {
    localStorage.setItem(getStorageKey(userId), '1')
  } catch {
    // Storage is blocked: the list reappears on the next page load.
  }
}
