import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Every reference to a blob: of files, of versions, and of their thumbnails. */
const references = sql`(select blob_id from file union all select blob_id from file_version
  union all select thumbnail_id from file where thumbnail_id is not null
  union all select thumbnail_id from file_version where thumbnail_id is not null) as reference`

/** A blob whose stored reference count is wrong. A blob without a row in `shared_blob` should have at most one reference. */
export interface WrongReferences {
  blob_id: string
  stored: number
  counted: number
}

/** Finds wrong reference counts. Uses a single statement, so that it sees all rows at the same moment. */
export async function findWrongReferences(db: Db): Promise<WrongReferences[]> {
  const { rows } = await sql<{ blob_id: string; stored: number | null; counted: number | null }>`
    select ids.blob_id as blob_id, shared_blob.refs as stored, counted.refs as counted
    from (select blob_id from shared_blob union select blob_id from ${references} group by blob_id having count(*) > 1) as ids
    left join shared_blob on shared_blob.blob_id = ids.blob_id
    left join (select blob_id, count(*) as refs from ${references} group by blob_id) as counted on counted.blob_id = ids.blob_id
    where coalesce(shared_blob.refs, 1) <> coalesce(counted.refs, 0)`.execute(db)
  return rows.map(({ blob_id, stored, counted }) => ({ blob_id, stored: Number(stored ?? 1), counted: Number(counted ?? 0) }))
}

/**
 * Corrects the reference count of a blob. Call it inside a transaction. The first statement locks the row, so that no reference is added.
 */
export async function correctReferences(trx: Db, blobId: string): Promise<void> {
  const isBlob = (column: string) => sql<boolean>`${sql.ref(column)} = ${blobId}`
  await sql`insert into shared_blob (blob_id, refs) values (${blobId}, 1)
    on conflict (blob_id) do update set refs = shared_blob.refs`.execute(trx)
  const { rows } = await sql<{ refs: number }>`select
    (select count(*) from file where ${isBlob('id')} and blob_id = id)
    + (select count(*) from file where ${isBlob('blob_id')} and blob_id <> id)
    + (select count(*) from file where ${isBlob('thumbnail_id')})
    + (select count(*) from file_version where ${isBlob('blob_id')})
    + (select count(*) from file_version where ${isBlob('thumbnail_id')}) as refs`.execute(trx)
  const refs = Number(rows[0]?.refs ?? 0)
  if (refs > 1) await trx.updateTable('shared_blob').set({ refs }).where('blob_id', '=', blobId).execute()
  else await trx.deleteFrom('shared_blob').where('blob_id', '=', blobId).execute()
}

/** Finds earlier versions whose number isn't lower than that of the current version, or whose stored bytes are those of the current version. */
export async function findWrongVersions(db: Db) {
  const rows = db.selectFrom('file_version').innerJoin('file', 'file.id', 'file_version.file_id').select(['file.id', 'file.name'])
  return rows
    .select(['file.version', 'file_version.number', 'file.blob_id', 'file_version.blob_id as earlier_blob_id'])
    .where((eb) =>
      eb.or([eb('file_version.number', '>=', eb.ref('file.version')), eb('file_version.blob_id', '=', eb.ref('file.blob_id'))]),
    )
    .execute()
}
