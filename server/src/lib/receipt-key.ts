import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { PublicKeys } from '@neptune/contract'

/** How an Ed25519 key begins in PKCS #8; its 32 secret bytes follow. */
const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

const privateKeyOf = (seed: Buffer) => createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' })

/** What anybody may have: enough to check a receipt, and too little to make one. */
export function publicKeysOf(seed: Buffer): PublicKeys {
  const { x = '' } = createPublicKey(privateKeyOf(seed)).export({ format: 'jwk' })
  const kid = createHash('sha256').update(Buffer.from(x, 'base64url')).digest('hex').slice(0, 16)
  return { keys: [{ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid, x }] }
}

/** Signs a receipt, and says by which key. */
export function signReceipt(seed: Buffer, text: string): { key: string; signature: string } {
  const signature = sign(null, Buffer.from(text), privateKeyOf(seed)).toString('base64url')
  return { key: publicKeysOf(seed).keys[0]?.kid ?? '', signature }
}
