import { createHash } from 'node:crypto'
import * as z from 'zod'
import { type Keys, sign } from '../../lib/secrets.ts'

/**
 * A backup is one tar file: `manifest.json`, a snapshot of the rows as `rows/<table>/<n>.jsonl`, the blobs as `blobs/<id>`, and
 * `end.json`, without which the backup is incomplete. The backup is signed, so that only the owner of the secret key can create or
 * change one. The format is the same for SQLite and PostgreSQL, so a backup of one restores into the other.
 */
export const Manifest = z.object({
  format: z.literal(1),
  neptune: z.string(),
  created_at: z.string(),
  /** The last migration of the database. */
  migration: z.string(),
  /** Identifies the secret key, which is not in the backup. */
  key_check: z.string(),
})
export type Manifest = z.infer<typeof Manifest>

export const End = z.object({
  rows: z.number(),
  blobs: z.number(),
  bytes: z.number(),
  /** See `RowsHash`. */
  rows_sha256: z.string(),
  /** The ids of blobs that were missing or damaged when they were backed up. */
  damaged: z.array(z.string()),
  /** See `signBackup`. */
  mac: z.string(),
})
export type End = z.infer<typeof End>

/** Hashes all rows with their table names, so that no row can be moved to another table. */
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

/** Signs the manifest and the end. Through `rows_sha256` this covers the rows, and through their SHA-256 the bytes of the files. */
export function signBackup(
  keys: Keys,
  manifest: Manifest,
  { rows, blobs, bytes, rows_sha256, damaged }: Omit<End, 'mac'>,
): string {
  const { format, neptune, created_at, migration, key_check } = manifest
  return sign(
    keys.backup,
    JSON.stringify([format, neptune, created_at, migration, key_check, rows, blobs, bytes, rows_sha256, damaged]),
  )
}
