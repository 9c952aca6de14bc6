/** State passed from one card page to the next. Kept in the history state, because an email address does not belong in a URL. */
export interface CardState {
  email?: string
  passwordChanged?: boolean
}

/** Reads the history state, ignoring unexpected values such as those of another version. */
export function readCardState(state: unknown): CardState {
  const { email, passwordChanged } = (state ?? {}) as Record<string, unknown>
  return { ...(typeof email === 'string' && { email }), passwordChanged: passwordChanged === true }
}
