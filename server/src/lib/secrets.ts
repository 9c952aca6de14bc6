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

/** Keys derived from the secret key, one per purpose, so that one that leaks does not compromise the others. */
export interface Keys {
  /** Signs the restore secrets in the `_auth` cookie. */
  restore: Buffer
  /** Signs the tokens of password reset links. */
  reset: Buffer
  /** Signs the tokens of invitations. */
  invitation: Buffer
  /** Signs the tokens in emails about the removal of second factors. */
  factorReset: Buffer
  /** Keys the hashes of recovery codes. */
  recovery: Buffer
  /** Signs the challenges that passkeys sign. */
  passkey: Buffer
  /** Signs tickets for downloads, previews and thumbnails. */
  ticket: Buffer
  /** Keys the hash of access codes. */
  code: Buffer
  /** Encrypts what must be readable again: access codes, to send them, and webhook secrets, to sign with them. */
  seal: Buffer
  /** Chains audit entries, so that nobody who has only the database can change them unnoticed. */
  audit: Buffer
  /** Signs receipts: the seed of an Ed25519 key whose public key is published. */
  receipt: Buffer
  /** Signs backups, so that nobody who has only a backup can change it unnoticed. */
  backup: Buffer
  /** Encrypts the cursors of lists. */
  cursor: Buffer
  /** Turns positions in the audit log into ids that reveal nothing about them. */
  activity: Buffer
  /** Keys the hashes under which logos are served, so that nobody can compute the URL of a logo that they have. */
  brand: Buffer
  /** Its fingerprint is stored in the database, to detect a wrong secret key at startup. */
  check: Buffer
}

export function deriveKeys(master: string): Keys {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, '', `neptune:${purpose}`, 32))
  return {
    restore: derive('restore'),
    reset: derive('reset'),
    invitation: derive('invitation'),
    factorReset: derive('factor-reset'),
    recovery: derive('recovery'),
    passkey: derive('passkey'),
    ticket: derive('ticket'),
    code: derive('code'),
    seal: derive('seal'),
    audit: derive('audit'),
    receipt: derive('receipt'),
    backup: derive('backup'),
    cursor: derive('cursor'),
    activity: derive('activity'),
    brand: derive('brand'),
    check: derive('check'),
  }
}

/** Generates a bearer token of 256 random bits. Its prefix lets secret scanners find a token that leaked. */
export const newToken = (prefix: 'nps' | 'npl' | 'npt' | 'npb' | 'npc') => `${prefix}_${randomBytes(32).toString('base64url')}`

/** Hashes a token for the database. Tokens have 256 random bits, so a fast hash without a salt is enough. */
export const hashToken = (token: string) => hash('sha256', token, 'base64url')

/** Generates an id of 128 random bits. */
export function newId(): string {
  if (randomAt === random.length) {
    randomFillSync(random)
    randomAt = 0
  }
  randomAt += 16
  return random.toString('base64url', randomAt - 16, randomAt)
}

/**
 * Generates an id for the blob store. Consecutive ids share a prefix, so that their blobs are in the same folder, which is created and
 * flushed once, and close to each other in every index. The other 110 bits are random, which is still enough.
 */
export function newBlobId(): string {
  if (blobIds++ % idsPerPrefix === 0) blobPrefix = newId().slice(0, 3)
  return `${blobPrefix}${newId().slice(3)}`
}

const idsPerPrefix = 256
let blobPrefix = ''
let blobIds = 0

/** A pool for `newId`: every request needs several ids, and one call for many random bytes costs no more than one for a few. */
const random = Buffer.alloc(4096)
let randomAt = random.length

export const sign = (key: Buffer, message: string) => createHmac('sha256', getKeyObject(key)).update(message).digest('base64url')

/** Returns a cached key object: creating one takes as long as signing, and there are only a few. */
const getKeyObject = (key: Buffer) => {
  const keyObject = keyObjects.get(key) ?? createSecretKey(key)
  keyObjects.set(key, keyObject)
  return keyObject
}
const keyObjects = new WeakMap<Buffer, KeyObject>()

export const isSigned = (key: Buffer, message: string, signature: string) => isSameSecret(signature, sign(key, message))

/** Compares in constant time. */
export function isSameSecret(given: string, secret: string): boolean {
  const [actual, expected] = [Buffer.from(given), Buffer.from(secret)]
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** Encrypts with AES-256-GCM. `context` is authenticated too, so that the result cannot be used in place of another one. */
export function seal(key: Buffer, context: string, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** Decrypts what `seal` returned. Throws if the key or the context differs. */
export function unseal(key: Buffer, context: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const options = { authTagLength: 16 }
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), options).setAAD(Buffer.from(context))
  cipher.setAuthTag(bytes.subarray(-16))
  return cipher.update(bytes.subarray(12, -16), undefined, 'utf8') + cipher.final('utf8')
}
