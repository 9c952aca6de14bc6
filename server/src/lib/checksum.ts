import { createHash, type Hash } from 'node:crypto'
import { Transform } from 'node:stream'

/** What bytes on their way must come to. */
export interface Checksum {
  hash: Hash
  /** In base64. */
  expected: string
}

/** Reads `sha256 <base64>`; undefined for any other algorithm and for what is no checksum. */
export function parseChecksum(header: string): Checksum | undefined {
  const [, algorithm = '', expected = ''] = /^(sha1|sha256) ([A-Za-z0-9+/]{27,43}=)$/.exec(header.trim()) ?? []
  return algorithm ? { hash: createHash(algorithm), expected } : undefined
}

/** Passes bytes on and counts them in. */
export const createHashStream = ({ hash }: Checksum) =>
  new Transform({
    highWaterMark: 1 << 20,
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })

export const matchesChecksum = ({ hash, expected }: Checksum) => hash.digest('base64') === expected
