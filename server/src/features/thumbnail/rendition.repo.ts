import { sql, type Updateable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

/** Returns the PDF of an Office document, or the state of making it. */
export const findRendition = (db: Db, blobId: string) =>
  db.selectFrom('rendition').selectAll().where('blob_id', '=', blobId).executeTakeFirst()

/** Requests a PDF, unless it was requested before. */
export const requestRendition = (db: Db, blobId: string, requested_at: string) =>
  db
    .insertInto('rendition')
    .values({ blob_id: blobId, state: 'wanted', requested_at, pdf_id: null, pdf_size: null })
    .onConflict((c) => c.column('blob_id').doNothing())
    .execute()

/** Returns the document that someone has been waiting for the longest. */
export const findDocumentToConvert = (db: Db) =>
  db
    .selectFrom('rendition')
    .innerJoin('file', 'file.id', 'rendition.blob_id')
    .select(['file.id', 'file.size', 'file.content_type'])
    .where('rendition.state', '=', sql.lit('wanted')) // a literal, as in findFileToDraw
    .orderBy('rendition.requested_at')
    .limit(1)
    .executeTakeFirst()

type State = Schema['rendition']['state']

/** Changes the state of a rendition. Returns false if it is gone or in another state than `from`. */
export async function setRendition(
  db: Db,
  blobId: string,
  from: State,
  change: Pick<Updateable<Schema['rendition']>, 'state' | 'requested_at' | 'pdf_id' | 'pdf_size'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rendition')
    .set(change)
    .where('blob_id', '=', blobId)
    .where('state', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Lists renditions of documents that were removed for good. */
export const listUnusedRenditions = (db: Db, limit: number) =>
  db
    .selectFrom('rendition')
    .select(['blob_id', 'pdf_id'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('file').select('id').whereRef('file.id', '=', 'rendition.blob_id'))),
    )
    .limit(limit)
    .execute()

export const deleteRendition = (db: Db, blobId: string) => db.deleteFrom('rendition').where('blob_id', '=', blobId).execute()
