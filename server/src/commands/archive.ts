import * as z from 'zod'

/**
 * A backup is one tar file: `manifest.json`, then the rows of one moment as `rows/<table>/<n>.jsonl`, then the bytes as `blobs/<id>`, at
 * last `end.json`. One without its end was broken off. The same for SQLite and PostgreSQL, so it restores into either.
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
  /** Over the bytes of all rows. */
  rows_sha256: z.string(),
  /** What was missing or wrong already when it was backed up. */
  damaged: z.array(z.string()),
})
export type End = z.infer<typeof End>
