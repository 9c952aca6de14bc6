const storageKey = (userId: string) => `neptune.steps-hidden.${userId}`

/** Whether the user has hidden the first steps in this browser. */
export function areStepsHidden(userId: string): boolean {
  try {
    return localStorage.getItem(storageKey(userId)) !== null
  } catch {
    return false
  }
}

export function hideSteps(userId: string): void {
  try {
    localStorage.setItem(storageKey(userId), '1')
  } catch {
    // Storage is blocked: the steps reappear on the next page load.
  }
}
