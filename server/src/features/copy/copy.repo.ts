import { type Insertable, sql } from 'kysely'
import { type Db, isSqlite } from '../../db/database.ts'
import { isOneOf } from '../../db/queries/merged-companies.ts'
import type { Schema } from '../../db/schema.ts'
import { toNameColumns } from '../../lib/names/name-order.ts'

/** Lists the folders directly in these directories, without the trash. */
export const listSubfolders = (db: Db, parents: string[]) =>
  db
    .selectFrom('directory')
    .select(['id', 'name', 'parent_id'])
    .where(isOneOf(db, 'parent_id', parents))
    .where('deleted_at', 'is', null)
    .execute()

/** Lists a page of the files directly in these directories, without the trash. */
export const listFilesIn = (db: Db, directories: string[], after: string, limit: number) =>
  db
    .selectFrom('file')
    .select(['id', 'directory_id'])
    .where(isOneOf(db, 'directory_id', directories))
    .where('deleted_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Locks files, so that neither their bytes nor their thumbnails are released before the transaction ends. */
export async function lockFileRows(trx: Db, ids: string[]): Promise<void> {
  if (isSqlite(trx) || ids.length === 0) return
  await sql`select id from file where id in (${sql.join(ids)}) order by id for no key update`.execute(trx)
}

export const insertFiles = (trx: Db, rows: Omit<Insertable<Schema['file']>, 'name_key' | 'name_order'>[]) =>
  trx
    .insertInto('file')
    .values(rows.map((row) => ({ ...row, ...toNameColumns(row.name) })))
    .execute()

/** Marks a copy as still in progress. Returns false if it was discarded. */
export async function touchStage(trx: Db, id: string, deleted_at: string): Promise<boolean> {
  const stage = trx.updateTable('directory').set({ deleted_at }).where('id', '=', id)
  return (await stage.executeTakeFirst()).numUpdatedRows === 1n
}

/** Lists the hidden folders of copies without progress since `before`. Only these folders have their own id as `trashed_with`. */
export async function listAbandonedStages(db: Db, before: string): Promise<string[]> {
  const stages = db.selectFrom('directory').select('id').where('trashed_with', 'is not', null).whereRef('trashed_with', '=', 'id')
  return (await stages.where('deleted_at', '<', before).execute()).map(({ id }) => id)
}

/** Moves a requested folder of a finished copy to the target, and makes it visible, so that the next folder can't get the same name. */
export function placeCopiedFolder(trx: Db, id: string, parent: { id: string; root_id: string; depth: number }, name: string) {
  const columns = { parent_id: parent.id, root_id: parent.root_id, depth: parent.depth + 1, deleted_at: null, trashed_with: null }
  return trx
    .updateTable('directory')
    .set({ ...columns, name, ...toNameColumns(name) })
    .where('id', '=', id)
    .execute()
}

export const placeCopiedFile = (trx: Db, id: string, directory_id: string, name: string) =>
  trx
    .updateTable('file')
    .set({ directory_id, name, ...toNameColumns(name) })
    .where('id', '=', id)
    .execute()

/**
 * Makes the other folders of a finished copy visible, and deletes its hidden folder, which is empty by then. `deeper` is added to their
 * depth.
 */
export async function revealFolders(
  trx: Db,
  stage: string,
  { root_id, deeper }: { root_id: string; deeper: number },
): Promise<void> {
  await trx
    .updateTable('directory')
    .set((eb) => ({ deleted_at: null, trashed_with: null, root_id, depth: eb('depth', '+', deeper) }))
    .where('trashed_with', '=', stage)
    .where('id', '<>', stage)
    .execute()
  await trx.deleteFrom('directory').where('id', '=', stage).execute()
}

/** Deletes some files of a copy that is being discarded. Returns them. */
export async function deleteStagedFiles(trx: Db, stage: string, limit: number) {
  const folders = trx.selectFrom('directory').select('id').where('trashed_with', '=', stage)
  const files = trx.selectFrom('file').select('id').where('directory_id', 'in', folders).limit(limit)
  return trx
    .deleteFrom('file')
    .where('id', 'in', files)
    .returning(['company_id', 'directory_id', 'size', 'blob_id', 'thumbnail_id'])
    .execute()
}

/** Deletes the folders of a copy that is being discarded. Their files must be deleted first. */
export const deleteStagedFolders = (trx: Db, stage: string) =>
  trx.deleteFrom('directory').where('trashed_with', '=', stage).execute()
