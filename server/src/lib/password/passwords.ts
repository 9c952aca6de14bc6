import { type Argon2Parameters, argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { AppError } from '../app-error.ts'
import { createTaskQueue } from '../concurrency/task-queue.ts'

const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2)

/** The number of passwords that are hashed at a time. Leaves one core to everything else. */
const slots = Math.max(1, Math.min(2, availableParallelism() - 1))

/**
 * Runs a task that hashes a password. Limits concurrent hashing, which shares its threads with file reads: at most two tasks run at
 * a time. While others wait, there is a pause after each task, twice as long as the task and at most 250 ms, so that a burst of sign-ins
 * does not slow downloads much. (Measured on two cores: a download keeps 80 % of its speed; without the pauses, 20 %.) Throws
 * `server.busy` if 34 tasks are running or waiting, or if 12 tasks of one client are waiting (13 with a single slot), because an error is
 * better than a long wait.
 */
export const runPasswordTask = createTaskQueue(
  { slots, maxWaiting: 34 - slots, maxWaitingPerClient: 14 - slots, restFactor: 2 },
  () => new AppError('server.busy', { retryAfterSeconds: 2 }),
)

/** Hashes a password. Call it inside `runPasswordTask`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { ...cost, message: password, nonce })
  return `${formatHeader(cost)}$${toBase64(nonce)}$${toBase64(tag)}`
}

/** Compares a password with a stored hash. Call it inside `runPasswordTask`. */
export async function matchesPassword(password: string, stored: string): Promise<boolean> {
  const { nonce, tag, ...parameters } = parseHash(stored)
  const actual = await derive('argon2id', { ...parameters, tagLength: tag.length, message: password, nonce })
  return timingSafeEqual(actual, tag)
}

/** Returns whether the hash was made with different cost parameters. It is then replaced at the next sign-in. */
export const needsRehash = (stored: string) => !stored.startsWith(`${formatHeader(cost)}$`)

/**
 * Returns a hash that no password matches, for the decoy and for invited users. Comparing with it takes as long as with any other.
 * `hasPassword` returns true for it.
 */
export const createUnmatchableHash = () =>
  `${formatHeader(cost)}$${toBase64(randomBytes(16))}$${toBase64(randomBytes(cost.tagLength))}`

/** Returns the hash of a user without a password, who signs in with a provider. No password matches it. */
export const createHashWithoutPassword = () =>
  `${formatHeader(cost)}$${toBase64(randomBytes(16))}$${toBase64(Buffer.alloc(cost.tagLength))}`

/** Returns false only for the hashes of `createHashWithoutPassword`. */
export const hasPassword = (stored: string) => parseHash(stored).tag.some((byte) => byte !== 0)

/** The hash to compare with when no account has the email, so that the response time does not reveal which emails have an account. */
export const decoyHash = createUnmatchableHash()

/** Generates a password that is easy to type: no letters that look like digits. Each character has 5 bits. */
export function generatePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstvwxyz0123456789'
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}

function formatHeader({ memory, passes, parallelism }: typeof cost) {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}`
}

function parseHash(stored: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (!match) throw new Error('A stored password hash is invalid')
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
