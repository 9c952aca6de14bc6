/** The history state of the sign-in page: the page that required a session. */
export interface ReturnState {
  from: string
}

/** Returns where to go after sign-in. Accepts only paths on this site, to prevent open redirects. */
export function getReturnPath(state: unknown): string {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined
  return typeof from === 'string' && /^\/(?![/\\])\P{Cc}*$/u.test(from) ? from : '/'
}
