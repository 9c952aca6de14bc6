import { isSigned, type Keys, sign } from '../../lib/secrets.ts'

/**
 * What the `_auth` cookie holds: which session, the how-manieth secret of it, and our signature over both. Signed rather than
 * random, so that the same secret can be given again when an answer got lost on the way, and any spent one is known for what it is.
 */
export const createRestoreSecret = ({ restore }: Keys, sessionId: string, number: number) =>
  `npr_${sessionId}.${number}.${sign(restore, `${sessionId}.${number}`)}`

export function readRestoreSecret({ restore }: Keys, secret: string): { sessionId: string; number: number } | undefined {
  const [, sessionId = '', number = '', signature = ''] = /^npr_([\w-]{22})\.(\d{1,9})\.([\w-]{43})$/.exec(secret) ?? []
  return isSigned(restore, `${sessionId}.${number}`, signature) ? { sessionId, number: Number(number) } : undefined
}
