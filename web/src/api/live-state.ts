type LiveState = 'off' | 'own' | 'shared'

/** Another tab may have another session, so this one still polls now and then, to notice if its own has ended. */
const sharedIntervalMs = 5 * 60_000

let state: LiveState = 'off'

/** Sets whether the server notifies this page of changes: over its own connection, or over that of another tab. */
export function setLive(next: LiveState): void {
  state = next
}

/** Returns a `refetchInterval` that stops polling, or slows it down, while the server notifies the page of changes. */
export const pollUnlessLive = (intervalMs: number) => () => {
  if (state === 'own') return false
  return state === 'shared' ? Math.max(intervalMs, sharedIntervalMs) : intervalMs
}
