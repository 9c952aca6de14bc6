import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { PublicKeys } from '@neptune/contract'

/** The DER prefix of an Ed25519 private key in PKCS #8. The 32 bytes of the seed follow. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

const derivePrivateKey = (seed: Buffer) =>
  createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' })

/** Returns the public key as a JWK set: it can verify a receipt, but not sign one. */
export function derivePublicKeys(seed: Buffer): PublicKeys {
  const { x = '' } = createPublicKey(derivePrivateKey(seed)).export({ format: 'jwk' })
  const kid = createHash('sha256').update(Buffer.from(x, 'base64url')).digest('hex').slice(0, 16)
  return { keys: [{ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid, x }] }
}

/** Signs a receipt. `key` is the id of the public key that verifies it. */
export function signReceipt(seed: Buffer, text: string): { key: string; signature: string } {
  const signature = sign(null, Buffer.from(text), derivePrivateKey(seed)).toString('base64url')
  return { key: derivePublicKeys(seed).keys[0]?.kid ?? '', signature }
}
