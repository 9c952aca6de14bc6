import { createHash } from 'node:crypto'
import * as z from 'zod'
import { type Keys, sign } from '../lib/secrets.ts'

/**
 * A backup is one tar file: `manifest.json`, then the rows of one moment as `rows/<table>/<n>.jsonl`, then the bytes as `blobs/<id>`, at
 * last `end.json`. One without its end was broken off. It is signed, so that only who has the secret key can make or change one. The same for SQLite and PostgreSQL, so it restores into either.
 */
export const Manifest = z.object({
  format: z.literal(1),
  neptune: z.string(),
  created_at: z.string(),
  /** How far the database had come. */
  migration: z.string(),
  /** By which the secret key is known; the key itself is not in the backup. */
  key_check: z.string(),
})
export type Manifest = z.infer<typeof Manifest>

export const End = z.object({
  rows: z.number(),
  blobs: z.number(),
  bytes: z.number(),
  /** See RowsHash. */
  rows_sha256: z.string(),
  /** What was missing or wrong already when it was backed up. */
  damaged: z.array(z.string()),
  /** See macOf. */
  mac: z.string(),
})
export type End = z.infer<typeof End>

/** Over all rows and the tables they are of, so that none can be moved to another. */
export class RowsHash {
  readonly #hash = createHash('sha256')

  begin({ name, size }: { name: string; size: number }) {
    this.#hash.update(`${name} ${size}\n`)
  }

  update(bytes: Uint8Array) {
    this.#hash.update(bytes)
  }

  digest = () => this.#hash.digest('hex')
}

/** Over all that manifest and end say; by `rows_sha256` also over the rows, and by the SHA-256 in these over the bytes of files. */
export function macOf(keys: Keys, manifest: Manifest, { rows, blobs, bytes, rows_sha256, damaged }: Omit<End, 'mac'>): string {
  const { format, neptune, created_at, migration, key_check } = manifest
  return sign(
    keys.backup,
    JSON.stringify([format, neptune, created_at, migration, key_check, rows, blobs, bytes, rows_sha256, damaged]),
  )
}
