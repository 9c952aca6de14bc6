/** What the guard hands to the sign-in screen: the page it stopped someone at. */
export interface ReturnState {
  from: string
}

/** Where to go after sign-in. Anything but a path of this site leads to the start: it may have been put there by a stranger. */
export function returnPath(state: unknown): string {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined
  return typeof from === 'string' && /^\/(?![/\\])\P{Cc}*$/u.test(from) ? from : '/'
}
