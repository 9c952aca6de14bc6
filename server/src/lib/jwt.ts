import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'

/** A signed token (RFC 7519), whose signature has not been checked yet. */
export interface Jwt {
  header: { alg?: unknown; kid?: unknown; typ?: unknown }
  claims: Record<string, unknown>
  /** What is signed, and the signature. */
  signed: Buffer
  signature: Buffer
}

const maxLength = 20_000

/** Decodes a token. Returns undefined if it is malformed. */
export function decodeJwt(token: string): Jwt | undefined {
  if (token.length > maxLength || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined
  const [header = '', claims = '', signature = ''] = token.split('.')
  const jwt = { header: decodePart(header), claims: decodePart(claims) }
  if (!jwt.header || !jwt.claims) return undefined
  return {
    header: jwt.header,
    claims: jwt.claims,
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, 'base64url'),
  }
}

function decodePart(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const pss = { padding: 6, saltLength: -1 } // RSA_PKCS1_PSS_PADDING, and a salt as long as the digest
const raw = { dsaEncoding: 'ieee-p1363' as const }

/** The algorithms that are accepted (RFC 7518). Symmetric ones and `none` are not among them. */
const algorithms: Record<string, { kty: string; crv?: string; digest: string | null; options?: object }> = {
  RS256: { kty: 'RSA', digest: 'sha256' },
  RS384: { kty: 'RSA', digest: 'sha384' },
  RS512: { kty: 'RSA', digest: 'sha512' },
  PS256: { kty: 'RSA', digest: 'sha256', options: pss },
  PS384: { kty: 'RSA', digest: 'sha384', options: pss },
  PS512: { kty: 'RSA', digest: 'sha512', options: pss },
  ES256: { kty: 'EC', crv: 'P-256', digest: 'sha256', options: raw },
  ES384: { kty: 'EC', crv: 'P-384', digest: 'sha384', options: raw },
  ES512: { kty: 'EC', crv: 'P-521', digest: 'sha512', options: raw },
  EdDSA: { kty: 'OKP', crv: 'Ed25519', digest: null },
}

type Key = JsonWebKey & { kid?: string; alg?: string; use?: string }

/** Returns the keys that may have signed a token. */
export const findKeys = ({ header: { alg, kid } }: Jwt, keys: Key[]): Key[] => {
  const algorithm = typeof alg === 'string' && Object.hasOwn(algorithms, alg) ? algorithms[alg] : undefined
  return keys.filter(
    (key) =>
      algorithm !== undefined &&
      key.kty === algorithm.kty &&
      (algorithm.crv === undefined || key.crv === algorithm.crv) &&
      (kid === undefined || key.kid === kid) &&
      (key.alg === undefined || key.alg === alg) &&
      (key.use === undefined || key.use === 'sig'),
  )
}

/** Returns whether one of these keys has signed the token. */
export function isSignedBy(jwt: Jwt, keys: Key[]): boolean {
  return findKeys(jwt, keys).some((key) => {
    const { digest = null, options } = algorithms[String(jwt.header.alg)] ?? {}
    try {
      return verify(digest, jwt.signed, { key: createPublicKey({ key, format: 'jwk' }), ...options }, jwt.signature)
    } catch {
      return false
    }
  })
}
