const keyOf = (userId: string) => `neptune.steps-hidden.${userId}`

/** Whether somebody has put the first steps away in this browser. */
export function areStepsHidden(userId: string): boolean {
  try {
    return localStorage.getItem(keyOf(userId)) !== null
  } catch {
    return false
  }
}

export function hideSteps(userId: string): void {
  try {
    localStorage.setItem(keyOf(userId), '1')
  } catch {
    // Storage is forbidden: they come back with the next page.
  }
}
