import { type Argon2Parameters, argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { AppError } from './app-error.ts'
import { createGate } from './gate.ts'

const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2)

/**
 * Hashing shares its threads with file reads, and the cores with everything else. Two at a time, never on the last core, and resting
 * for two thirds of the time, a burst of sign-ins leaves downloads most of their speed; past 34 in all it is better to say so than to
 * let people wait for minutes. (Measured on two cores: without the rest a download keeps 0.2 of its speed, with it 0.8.)
 */
const slots = Math.max(1, Math.min(2, availableParallelism() - 1))
export const passwordGate = createGate(
  { slots, waiting: 34 - slots, waitingEach: 14 - slots, rest: 2 },
  () => new AppError('server.busy', { retryAfterSeconds: 2 }),
)

/** To be called in the gate. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { ...cost, message: password, nonce })
  return `${header(cost)}$${toBase64(nonce)}$${toBase64(tag)}`
}

/** To be called in the gate. */
export async function matchesPassword(password: string, stored: string): Promise<boolean> {
  const { nonce, tag, ...parameters } = readHash(stored)
  const actual = await derive('argon2id', { ...parameters, tagLength: tag.length, message: password, nonce })
  return timingSafeEqual(actual, tag)
}

/** True when the hash was made with other costs than today's, so that it is made anew at the next sign-in. */
export const needsRehash = (stored: string) => !stored.startsWith(`${header(cost)}$`)

/** Compared against when nobody has that e-mail, so that guessing e-mails takes as long as guessing passwords. */
export const decoyHash = `${header(cost)}$${toBase64(randomBytes(16))}$${toBase64(randomBytes(cost.tagLength))}`

/** Easy to read from a terminal and to type: no letter that looks like a digit. 5 bits a character. */
export function generatePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstvwxyz0123456789'
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}

function header({ memory, passes, parallelism }: typeof cost) {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}`
}

function readHash(stored: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (!match) throw new Error('A stored password hash cannot be read')
  const [, memory, passes, parallelism, nonce = '', tag = ''] = match
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function toBase64(bytes: Buffer) {
  return bytes.toString('base64').replace(/=+$/, '')
}
