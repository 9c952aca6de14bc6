import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isOneOf } from '../../db/queries/merged-companies.ts'
import type { Schema } from '../../db/schema.ts'
import { toNameColumns } from '../../lib/names/name-order.ts'

export type NewFolder = Omit<Insertable<Schema['directory']>, 'name_key' | 'name_order'>

const rowsPerInsert = 500

/** Inserts folders, parents before their children. */
export async function insertFolders(db: Db, folders: NewFolder[]): Promise<void> {
  const rows = folders.map((folder) => ({ ...folder, ...toNameColumns(folder.name) })).toSorted((a, b) => a.depth - b.depth)
  for (let i = 0; i < rows.length; i += rowsPerInsert)
    await db
      .insertInto('directory')
      .values(rows.slice(i, i + rowsPerInsert))
      .execute()
}

/** A file or folder that has one of the names looked for. */
export interface TakenName {
  parent: string
  id: string
  name: string
  name_key: string
  is_folder: boolean
}

/** Returns the files and folders in these directories that have one of these name keys. */
export async function findTakenNames(db: Db, parents: string[], keys: string[]): Promise<TakenName[]> {
  const folders = await db
    .selectFrom('directory')
    .select(['parent_id as parent', 'id', 'name', 'name_key'])
    .where(isOneOf(db, 'parent_id', parents))
    .where(isOneOf(db, 'name_key', keys))
    .where('deleted_at', 'is', null)
    .execute()
  const files = await db
    .selectFrom('file')
    .select(['directory_id as parent', 'id', 'name', 'name_key'])
    .where(isOneOf(db, 'directory_id', parents))
    .where(isOneOf(db, 'name_key', keys))
    .where('deleted_at', 'is', null)
    .execute()
  return [
    ...folders.map((row) => ({ ...row, parent: row.parent ?? '', is_folder: true })),
    ...files.map((row) => ({ ...row, is_folder: false })),
  ]
}

/** Lists folders in these directories for a ZIP, like `listFilesForZip`. */
export const listFoldersForZip = (db: Db, parents: string[], after: string | undefined, limit: number) =>
  db
    .selectFrom('directory')
    .select(['id', 'parent_id as parent', 'name', 'name_key', 'created_at'])
    .where('parent_id', 'in', parents)
    .where('deleted_at', 'is', null)
    .$if(after !== undefined, (q) => q.where('name_key', '>', after ?? ''))
    .$if(parents.length === 1, (q) => q.orderBy('name_key'))
    .limit(limit)
    .execute()
