import { sql, type Updateable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

/** Returns the row for the PDF of an Office document. The PDF may not exist yet. */
export const findRendition = (db: Db, blobId: string) =>
  db.selectFrom('rendition').selectAll().where('blob_id', '=', blobId).executeTakeFirst()

/** Requests a PDF, unless it was requested before. */
export const requestRendition = (db: Db, blobId: string, requested_at: string) =>
  db
    .insertInto('rendition')
    .values({ blob_id: blobId, state: 'wanted', requested_at, pdf_id: null, pdf_size: null })
    .onConflict((c) => c.column('blob_id').doNothing())
    .execute()

/**
 * Returns the document whose PDF was requested first. Any file, copy or earlier version with these bytes will do, because its row describes
 * the same bytes.
 */
export const findDocumentToConvert = (db: Db) =>
  db
    .selectFrom(
      wanted(db)
        .innerJoin('file', 'file.id', 'rendition.blob_id')
        .whereRef('file.blob_id', '=', 'file.id')
        .select(documentColumns('file'))
        // The index has only files whose `blob_id` differs from their id.
        .unionAll(
          wanted(db)
            .innerJoin('file', 'file.blob_id', 'rendition.blob_id')
            .whereRef('file.blob_id', '<>', 'file.id')
            .select(documentColumns('file')),
        )
        .unionAll(
          wanted(db)
            .innerJoin('file_version', 'file_version.blob_id', 'rendition.blob_id')
            .select(documentColumns('file_version')),
        )
        .as('document'),
    )
    .select(['blob_id', 'size', 'content_type'])
    .orderBy('requested_at')
    .limit(1)
    .executeTakeFirst()

const wanted = (db: Db) => db.selectFrom('rendition').where('rendition.state', '=', sql.lit('wanted')) // a literal, as in findFileToDraw

const documentColumns = <Table extends 'file' | 'file_version'>(table: Table) =>
  [`rendition.requested_at`, `${table}.blob_id`, `${table}.size`, `${table}.content_type`] as const

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

/**
 * Lists a page of renditions, sorted by `blob_id`. `is_used` says whether a file, a copy or an earlier version still has the bytes of the
 * document. A page takes a few milliseconds.
 */
export const listRenditions = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('rendition')
    .select(['blob_id', 'pdf_id', isDocumentInUse.as('is_used')])
    .where('blob_id', '>', after)
    .orderBy('blob_id')
    .limit(limit)
    .execute()

/**
 * The three checks must stay in one statement, as in `findUsedBlobs`: bytes can move from one table to the other between two statements.
 */
const isDocumentInUse = sql<boolean>`(exists (select 1 from file where file.id = rendition.blob_id and file.blob_id = file.id)
  or exists (select 1 from file where file.blob_id = rendition.blob_id and file.blob_id <> file.id)
  or exists (select 1 from file_version where file_version.blob_id = rendition.blob_id))`

export const deleteRendition = (db: Db, blobId: string) => db.deleteFrom('rendition').where('blob_id', '=', blobId).execute()
