import { isSameSecret, sign } from './secrets.ts'

const idLength = 22

/**
 * Returns the token of a link in an email: the id of its row and a signature, so that nobody can forge a token from the database
 * alone. It is valid while the email address stays the same.
 */
export const createEmailToken = (key: Buffer, id: string, email: string) =>
  `${id}${sign(key, `${id} ${email}`).slice(0, idLength)}`

/** Returns the id in a token. The token may be forged: check it with `isEmailToken`. */
export const getTokenId = (token: string) => token.slice(0, idLength)

export const isEmailToken = (key: Buffer, token: string, email: string) =>
  isSameSecret(token, createEmailToken(key, getTokenId(token), email))
