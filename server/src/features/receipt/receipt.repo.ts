import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

export type ReceiptRow = Selectable<Schema['receipt']>

/**
 * Lists the uploads of a visit: the given files or, without ids, all. Returns the names they were uploaded under. If staff have replaced a
 * file since, an earlier version has the bytes that were received.
 */
export const listVisitUploads = (db: Db, visit: string, ids: string[] | undefined, limit: number) =>
  db
    .selectFrom('link_event')
    .innerJoin('file', 'file.id', 'link_event.file_id')
    // The bytes of the upload that created a file have the same id as the file.
    .leftJoin('file_version as received', (join) =>
      join.onRef('received.file_id', '=', 'file.id').onRef('received.blob_id', '=', 'file.id'),
    )
    .where((eb) => eb.or([eb('file.blob_id', '=', eb.ref('file.id')), eb('received.blob_id', 'is not', null)]))
    .where('link_event.session_id', '=', visit)
    .where('link_event.kind', '=', 'uploaded')
    .$if(ids !== undefined, (q) => q.where('file.id', 'in', ids ?? []))
    .select(['file.id', 'link_event.at'])
    .select(({ fn }) => [
      fn.coalesce('received.size', 'file.size').as('size'),
      fn.coalesce('received.sha256', 'file.sha256').as('sha256'),
      fn.coalesce('link_event.name', 'file.name').as('name'),
    ])
    .orderBy('link_event.at')
    .orderBy('file.id')
    .limit(limit)
    .execute()

/** Inserts a receipt. Returns false if the visit already has one for the same files. */
export async function insertReceipt(db: Db, row: Insertable<Schema['receipt']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('receipt')
    .values(row)
    .onConflict((c) => c.columns(['session_id', 'files_hash']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const findReceipt = (db: Db, id: string): Promise<ReceiptRow | undefined> =>
  db.selectFrom('receipt').selectAll().where('id', '=', id).executeTakeFirst()

export const findReceiptByFiles = (db: Db, visit: string, files_hash: string): Promise<ReceiptRow | undefined> =>
  db.selectFrom('receipt').selectAll().where('session_id', '=', visit).where('files_hash', '=', files_hash).executeTakeFirst()

export const listReceipts = (db: Db, key: string, limit: number) =>
  db
    .selectFrom('receipt')
    .select(['id', 'issued_at', 'total_files', 'total_bytes', 'client'])
    .where('link_key', '=', key)
    .orderBy('issued_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
