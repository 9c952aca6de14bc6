import { createHash, type Hash } from 'node:crypto'
import { Transform } from 'node:stream'

/** The checksum that a stream of bytes must have. */
export interface Checksum {
  hash: Hash
  /** In base64. */
  expected: string
}

/** Parses tus's `Upload-Checksum`, such as `sha256 <base64>`. Returns undefined for an unsupported algorithm or an invalid value. */
export function parseChecksum(header: string): Checksum | undefined {
  const [, algorithm = '', expected = ''] = /^(sha1|sha256) ([A-Za-z0-9+/]{27,43}=)$/.exec(header.trim()) ?? []
  return algorithm ? { hash: createHash(algorithm), expected } : undefined
}

/** Returns a stream that passes bytes through and adds them to the hash. */
export const createHashStream = ({ hash }: Checksum) =>
  new Transform({
    highWaterMark: 1 << 20,
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })

export const matchesChecksum = ({ hash, expected }: Checksum) => hash.digest('base64') === expected
