import { type Insertable, sql } from 'kysely'
import { type Db, unlessDuplicate } from '../../db/database.ts'
import { limitToCompanies } from '../../db/queries/company-scope.ts'
import { type PageRequest, type Rows, readPage } from '../../db/queries/paging.ts'
import { prepared } from '../../db/queries/prepared-query.ts'
import { containsWordsOrCompany } from '../../db/queries/word-search.ts'
import type { Schema } from '../../db/schema.ts'
import type { Reach } from '../../lib/actor.ts'
import { nameKeys } from '../../lib/name-order.ts'

export type DirectoryRecord = NonNullable<Awaited<ReturnType<typeof findDirectory>>>

const selectDirectoryById = prepared((db, { id, ...reach }: Reach & { id: string }) =>
  selectDirectories(db, reach).where('directory.id', '=', id),
)

/** Returns undefined if the directory is not within the caller's reach. */
export const findDirectory = async (db: Db, id: string, reach: Reach) => (await selectDirectoryById(db, { ...reach, id })).rows[0]

export const listDirectories = (
  db: Db,
  request: PageRequest & { search?: string | undefined; company: string; isTrash: boolean },
  reach: Reach,
) =>
  readPage(
    db,
    {
      table: 'directory',
      columns: { name: 'directory.name_order', created_at: 'directory.created_at', deleted_at: 'directory.deleted_at' },
      id: 'directory.id',
      narrow: (rows) =>
        limitToReach(rows, { directory: reach.directory }).$if(isSortedByDeletion(request.sort), (q) =>
          q.where('directory.deleted_at', 'is not', null),
        ),
      show: (rows) =>
        withPicture(rows)
          .where('directory.deleted_at', request.isTrash ? 'is not' : 'is', null)
          .$if(request.search !== undefined, (q) =>
            q.where(containsWordsOrCompany(['directory.name_key'], 'directory.company_id', request.search ?? '')),
          ),
      isFiltered: request.search !== undefined || request.isTrash,
      companies: { column: 'directory.company_id', scope: reach, requested: request.company },
    },
    request,
  )

/** Returns whether the list is sorted by the time of deletion. Only trashed directories are in that index. */
const isSortedByDeletion = (sort = '') => sort.endsWith('deleted_at')

/** Returns false if the name is taken, ignoring case. */
export const insertDirectory = (db: Db, row: Omit<Insertable<Schema['directory']>, 'name_key' | 'name_order'>) =>
  unlessDuplicate(
    db
      .insertInto('directory')
      .values({ ...row, ...nameKeys(row.name) })
      .execute(),
  )

export const renameDirectory = (db: Db, id: string, name: string) =>
  unlessDuplicate(
    db
      .updateTable('directory')
      .set({ name, ...nameKeys(name) })
      .where('id', '=', id)
      .execute(),
  )

/** Moves a directory to the trash. Returns how many files it shows; undefined if it is in the trash already. */
export async function trashDirectory(db: Db, id: string, deleted_at: string): Promise<number | undefined> {
  const trashed = db.updateTable('directory').set({ deleted_at }).where('id', '=', id).where('deleted_at', 'is', null)
  const row = await trashed.returning('files').executeTakeFirst()
  return row && Number(row.files)
}

/** Restores a directory. Returns how many files it shows, `not trashed` if it isn't in the trash, and `name taken`. */
export async function untrashDirectory(db: Db, id: string): Promise<number | 'not trashed' | 'name taken'> {
  const restored = db.updateTable('directory').set({ deleted_at: null }).where('id', '=', id).where('deleted_at', 'is not', null)
  let files: number | undefined
  const isFree = await unlessDuplicate(
    restored
      .returning('files')
      .executeTakeFirst()
      .then((row) => (files = row && Number(row.files))),
  )
  return isFree ? (files ?? 'not trashed') : 'name taken'
}

/** Returns whether a file in the directory is known to be damaged. */
export async function hasDamagedFiles(db: Db, id: string): Promise<boolean> {
  const files = db.selectFrom('file').select('id').where('directory_id', '=', id).where('deleted_at', 'is', null)
  return (await files.where('damaged_at', 'is not', null).executeTakeFirst()) !== undefined
}

const updateTotals = prepared((db, { id, files, bytes }: { id: string; files: number; bytes: number }) =>
  db
    .updateTable('directory')
    .set((eb) => ({ files: eb('files', '+', files), bytes: eb('bytes', '+', bytes) }))
    .where('id', '=', id)
    .returning('deleted_at'),
)

/**
 * Adds to the totals of a directory. The bytes of its company include the trash and change separately. Returns by how many files the
 * totals of its company change: see `addToTotals`. They don't include directories in the trash.
 */
export async function addToDirectoryTotals(db: Db, id: string, change: { files: number; bytes: number }): Promise<number> {
  const { rows } = await updateTotals(db, { id, files: change.files, bytes: change.bytes })
  return rows[0]?.deleted_at === null ? change.files : 0
}

const selectDirectories = (db: Db, reach: Reach) => withPicture(limitToReach(db.selectFrom('directory'), reach))

const limitToReach = (rows: Rows<'directory'>, { directory, ...scope }: Reach) =>
  limitToCompanies(rows, 'directory.company_id', scope).$if(directory !== undefined, (q) =>
    q.where('directory.id', '=', directory ?? ''),
  )

/** Adds the newest file that has a thumbnail, for the tile of each directory. */
const withPicture = (rows: Rows<'directory'>) =>
  rows
    .innerJoin('company', 'company.id', 'directory.company_id')
    .selectAll('directory')
    .select((eb) => [
      'company.name as company_name',
      'company.archived_at as company_archived_at',
      eb
        .selectFrom('file')
        .select('file.id')
        .whereRef('file.directory_id', '=', 'directory.id')
        .where('file.thumbnail', '=', sql.lit('made')) // a literal, because SQLite does not use a partial index with a parameter
        .where('file.deleted_at', 'is', null)
        .orderBy('file.created_at', 'desc')
        .limit(1)
        .as('picture_id'),
    ])
