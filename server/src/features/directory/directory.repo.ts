import { type Insertable, sql } from 'kysely'
import { type Db, unlessDuplicate } from '../../db/database.ts'
import { limitToCompanies } from '../../db/queries/company-scope.ts'
import { contains, type PageRequest, type Rows, readPage } from '../../db/queries/paging.ts'
import { prepared } from '../../db/queries/prepared-query.ts'
import type { Schema } from '../../db/schema.ts'
import type { CompanyScope, Reach } from '../../lib/actor.ts'
import { nameKey } from '../../lib/name-key.ts'

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
      columns: { name: 'directory.name_key', created_at: 'directory.created_at', deleted_at: 'directory.deleted_at' },
      id: 'directory.id',
      narrow: (rows) =>
        limitToReach(rows, { directory: reach.directory }).$if(isSortedByDeletion(request.sort), (q) =>
          q.where('directory.deleted_at', 'is not', null),
        ),
      show: (rows) =>
        withPicture(rows)
          .where('directory.deleted_at', request.isTrash ? 'is not' : 'is', null)
          .$if(request.search !== undefined, (q) => q.where(contains('directory.name_key', request.search ?? ''))),
      isFiltered: request.search !== undefined || request.isTrash,
      companies: { column: 'directory.company_id', scope: reach, requested: request.company },
    },
    request,
  )

/** Returns whether the list is sorted by the time of deletion. Only trashed directories are in that index. */
const isSortedByDeletion = (sort = '') => sort.endsWith('deleted_at')

/** Returns false if the name is taken, ignoring case. */
export const insertDirectory = (db: Db, row: Omit<Insertable<Schema['directory']>, 'name_key'>) =>
  unlessDuplicate(
    db
      .insertInto('directory')
      .values({ ...row, name_key: nameKey(row.name) })
      .execute(),
  )

export const renameDirectory = (db: Db, id: string, name: string) =>
  unlessDuplicate(
    db
      .updateTable('directory')
      .set({ name, name_key: nameKey(name) })
      .where('id', '=', id)
      .execute(),
  )

export const setDirectoryDeleted = (db: Db, id: string, deleted_at: string | null) =>
  unlessDuplicate(db.updateTable('directory').set({ deleted_at }).where('id', '=', id).execute())

/** Returns whether a file in the directory is known to be damaged. */
export async function hasDamagedFiles(db: Db, id: string): Promise<boolean> {
  const files = db.selectFrom('file').select('id').where('directory_id', '=', id).where('deleted_at', 'is', null)
  return (await files.where('damaged_at', 'is not', null).executeTakeFirst()) !== undefined
}

const updateTotals = prepared((db, { id, files, bytes }: { id: string; files: number; bytes: number }) =>
  db
    .updateTable('directory')
    .set((eb) => ({ files: eb('files', '+', files), bytes: eb('bytes', '+', bytes) }))
    .where('id', '=', id),
)

/** Adds to the totals of a directory. Those of its company include the trash and change separately. */
export const addToDirectoryTotals = (db: Db, id: string, { files, bytes }: { files: number; bytes: number }) =>
  updateTotals(db, { id, files, bytes })

export async function countDirectories(db: Db, scope: CompanyScope): Promise<{ directories: number; files: number }> {
  const { directories, files } = await limitToCompanies(db.selectFrom('directory'), 'directory.company_id', scope)
    .select((eb) => [eb.fn.countAll<number>().as('directories'), eb.fn.sum<number | null>('files').as('files')])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { directories: Number(directories), files: Number(files ?? 0) }
}

/** Returns the number of files of each company, without the trash. */
export async function countFilesOf(db: Db, companies: string[]): Promise<Map<string, number>> {
  if (companies.length === 0) return new Map()
  const rows = await db
    .selectFrom('directory')
    .select((eb) => ['company_id', eb.fn.sum<number>('files').as('files')])
    .where('company_id', 'in', companies)
    .where('deleted_at', 'is', null)
    .groupBy('company_id')
    .execute()
  return new Map(rows.map((row) => [row.company_id, Number(row.files)]))
}

const selectDirectories = (db: Db, reach: Reach) => withPicture(limitToReach(db.selectFrom('directory'), reach))

const limitToReach = (rows: Rows<'directory'>, { directory, ...scope }: Reach) =>
  limitToCompanies(rows, 'directory.company_id', scope).$if(directory !== undefined, (q) =>
    q.where('directory.id', '=', directory ?? ''),
  )

/** Adds the newest picture of each directory, for its tile. */
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
