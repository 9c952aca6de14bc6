import { isSigned, type Keys, sign } from '../../lib/secrets.ts'

/**
 * Returns a restore secret: the value of the `_auth` cookie, which a new tab exchanges for a token. It consists of the session id, a
 * number that increases with each rotation, and a signature over both. It is signed rather than random, so that the same secret can be
 * sent again if a response was lost, and an old secret can be recognized.
 */
export const createRestoreSecret = ({ restore }: Keys, sessionId: string, number: number) =>
  `npr_${sessionId}.${number}.${sign(restore, `${sessionId}.${number}`)}`

/** Verifies a restore secret. Returns undefined if its signature is invalid. */
export function readRestoreSecret({ restore }: Keys, secret: string): { sessionId: string; number: number } | undefined {
  const [, sessionId = '', number = '', signature = ''] = /^npr_([\w-]{22})\.(\d{1,9})\.([\w-]{43})$/.exec(secret) ?? []
  return isSigned(restore, `${sessionId}.${number}`, signature) ? { sessionId, number: Number(number) } : undefined
}
