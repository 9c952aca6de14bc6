/** What one card hands to the next. It travels in the router's state: an e-mail has no business in an address. */
export interface CardState {
  email?: string
  passwordChanged?: boolean
}

/** What is not as expected, such as the state of another version, is not there. */
export function cardState(state: unknown): CardState {
  const { email, passwordChanged } = (state ?? {}) as Record<string, unknown>
  return { ...(typeof email === 'string' && { email }), passwordChanged: passwordChanged === true }
}
