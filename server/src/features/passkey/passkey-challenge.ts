import { hashToken, isSigned, newId, sign } from '../../lib/secrets.ts'

const lifetimeMs = 10 * 60_000

/**
 * Creates the challenge that a passkey signs. The server doesn't store it, so that nobody can fill the database with challenges: it signs
 * the time and a random value instead. `purpose` is signed, too, so that a challenge works only for the request that it was created for.
 */
export function createChallenge(key: Buffer, purpose: string, now: Date): string {
  const value = `${newId()}.${now.getTime().toString(36)}`
  return Buffer.from(`${value}.${sign(key, `${purpose} ${value}`)}`).toString('base64url')
}

export interface UsedChallenge {
  hash: string
  /** When the record of its use can be deleted. Later than its end, because the clocks of two nodes can differ. */
  forgetAt: string
}

/** Checks the challenge in a response. Returns `unknown` if the server didn't create it for this purpose. */
export function checkChallenge(key: Buffer, purpose: string, challenge: string, now: Date): UsedChallenge | 'ended' | 'unknown' {
  const token = Buffer.from(challenge, 'base64url').toString()
  const [id = '', time = '', signature = ''] = token.split('.')
  if (!isSigned(key, `${purpose} ${id}.${time}`, signature)) return 'unknown'
  const createdAt = Number.parseInt(time, 36)
  // A challenge from the future was created while a clock was wrong, and would be valid for too long.
  if (Math.abs(now.getTime() - createdAt) > lifetimeMs) return 'ended'
  return { hash: hashToken(`${id}.${time}.${signature}`), forgetAt: new Date(createdAt + 2 * lifetimeMs).toISOString() }
}
