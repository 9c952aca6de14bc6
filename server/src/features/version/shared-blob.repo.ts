import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/**
 * Adds a reference to each of these blobs, as often as it is in the list. The rows that already refer to the blobs must be locked, so that
 * none of them is removed.
 */
export async function addReferences(trx: Db, blobs: string[]): Promise<void> {
  const counts = Map.groupBy(blobs, (id) => id)
  // In a fixed order, so that two transactions cannot deadlock.
  const rows = [...counts].map(([blob_id, { length }]) => ({ blob_id, refs: length + 1 })).toSorted(compareBlobs)
  if (rows.length === 0) return
  await trx
    .insertInto('shared_blob')
    .values(rows)
    // A blob without a row has one reference, which a new row must include. An existing row already counts it.
    .onConflict((c) => c.column('blob_id').doUpdateSet({ refs: sql`shared_blob.refs + excluded.refs - 1` }))
    .execute()
}

/**
 * Removes a reference to each of these blobs. Call it in the transaction that deletes the rows that referred to them. Returns the blobs
 * that are no longer referenced: remove them after the transaction.
 */
export async function releaseBlobs(trx: Db, blobs: (string | null)[]): Promise<string[]> {
  const removable: string[] = []
  for (const id of blobs.filter((id) => id !== null).toSorted()) {
    const [row] = await trx
      .updateTable('shared_blob')
      .set((eb) => ({ refs: eb('refs', '-', 1) }))
      .where('blob_id', '=', id)
      .returning('refs')
      .execute()
    // The row is locked now. A transaction that waits for it will then find no row, which means that it releases the last reference.
    if (row && row.refs <= 1) await trx.deleteFrom('shared_blob').where('blob_id', '=', id).execute()
    if (!row || row.refs <= 0) removable.push(id)
  }
  return removable
}

const compareBlobs = (a: { blob_id: string }, b: { blob_id: string }) => (a.blob_id < b.blob_id ? -1 : 1)
