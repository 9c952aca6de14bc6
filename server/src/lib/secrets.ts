import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomFillSync,
  timingSafeEqual,
} from 'node:crypto'

/** Keys derived from the master secret, one per purpose, so that a leak of one tells nothing of another. */
export interface Keys {
  /** Signs the restore secrets held by the `_auth` cookie. */
  restore: Buffer
  /** Signs the tokens in mails that let somebody choose a new password. */
  reset: Buffer
  /** Signs the addresses from which a browser may download. */
  ticket: Buffer
  /** Makes of an access code what it is compared by. */
  code: Buffer
  /** Seals access codes, so that they can be sent again, and the secrets of webhooks, to sign with them. */
  seal: Buffer
  /** Chains what happened, so that nobody who has the database alone can change it unseen. */
  audit: Buffer
  /** Signs receipts: the seed of an Ed25519 key, whose public half anybody may have. */
  receipt: Buffer
  /** Signs backups, so that nobody who has one alone can change it unseen. */
  backup: Buffer
  /** Its fingerprint is kept in the database, so that a wrong secret is noticed at start. */
  check: Buffer
}

export function deriveKeys(master: string): Keys {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, '', `neptune:${purpose}`, 32))
  return {
    restore: derive('restore'),
    reset: derive('reset'),
    ticket: derive('ticket'),
    code: derive('code'),
    seal: derive('seal'),
    audit: derive('audit'),
    receipt: derive('receipt'),
    backup: derive('backup'),
    check: derive('check'),
  }
}

/** A bearer token. The prefix lets secret scanners find one that leaked; 256 random bits follow. */
export const newToken = (prefix: 'nps' | 'npl' | 'npt') => `${prefix}_${randomBytes(32).toString('base64url')}`

/** Tokens carry 256 random bits, so a plain hash is enough to keep them out of the database. */
export const hashToken = (token: string) => hash('sha256', token, 'base64url')

export function newId(): string {
  if (randomAt === random.length) {
    randomFillSync(random)
    randomAt = 0
  }
  randomAt += 16
  return random.toString('base64url', randomAt - 16, randomAt)
}

/**
 * Of something that lies in the blob store. Those made one after the other begin alike, so that they lie in one folder, which is made
 * and flushed once, and beside each other in every index. 110 random bits are left, which nobody guesses either.
 */
export function newBlobId(): string {
  if (beganAlike++ % alike === 0) beginning = newId().slice(0, 3)
  return `${beginning}${newId().slice(3)}`
}

const alike = 256
let beginning = ''
let beganAlike = 0

/** Several ids belong to every request, and to ask for random bytes costs the same for a few as for many. */
const random = Buffer.alloc(4096)
let randomAt = random.length

export const sign = (key: Buffer, message: string) => createHmac('sha256', readyKey(key)).update(message).digest('base64url')

/** A key that OpenSSL has taken over already: there are a few, and to make one takes as long as to sign. */
const readyKey = (key: Buffer) => {
  const known = readyKeys.get(key) ?? createSecretKey(key)
  readyKeys.set(key, known)
  return known
}
const readyKeys = new WeakMap<Buffer, KeyObject>()

export const isSigned = (key: Buffer, message: string, signature: string) => isSameSecret(signature, sign(key, message))

/** Takes as long for a near miss as for a wild guess. */
export function isSameSecret(given: string, secret: string): boolean {
  const [actual, expected] = [Buffer.from(given), Buffer.from(secret)]
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** AES-256-GCM. What it is about is sealed along, so that it cannot be put in another's place. */
export function seal(key: Buffer, about: string, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** Throws when it was sealed with another key, or about something else. */
export function unseal(key: Buffer, about: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(about))
  cipher.setAuthTag(bytes.subarray(-16))
  return cipher.update(bytes.subarray(12, -16), undefined, 'utf8') + cipher.final('utf8')
}
