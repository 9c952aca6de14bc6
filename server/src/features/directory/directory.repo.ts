import { type Insertable, sql } from 'kysely'
import { type Db, unlessDuplicate } from '../../db/database.ts'
import { limitToCompanies, limitToListed } from '../../db/queries/company-scope.ts'
import { isOneOf } from '../../db/queries/merged-companies.ts'
import { type PageRequest, type Rows, readPage, readPageOfShortList } from '../../db/queries/paging.ts'
import { prepareQuery } from '../../db/queries/prepared-query.ts'
import { isWithin, selectLiveSubtree } from '../../db/queries/tree.ts'
import { containsWordsOrCompany } from '../../db/queries/word-search.ts'
import type { Schema } from '../../db/schema.ts'
import { allCompanies, type Reach } from '../../lib/actor.ts'
import { toNameColumns } from '../../lib/names/name-order.ts'

export type DirectoryRecord = NonNullable<Awaited<ReturnType<typeof findDirectory>>>

const selectDirectoryById = prepareQuery((db, { id, ...reach }: Reach & { id: string }) =>
  selectDirectories(db, reach).where('directory.id', '=', id),
)

/** Returns undefined if the directory is not within the caller's reach. */
export const findDirectory = async (db: Db, id: string, reach: Reach) => (await selectDirectoryById(db, { ...reach, id })).rows[0]

interface DirectoryRequest extends PageRequest {
  search?: string | undefined
  /** The id of a company; empty for all. */
  company: string
  isTrash: boolean
  /** The directory whose folders are listed. Without one, top-level directories are listed. */
  parent?: { id: string; company_id: string } | undefined
  /** Whether to list folders of every depth. */
  isDeep: boolean
}

const directoryColumns = {
  columns: { name: 'directory.name_order', created_at: 'directory.created_at', deleted_at: 'directory.deleted_at' },
  id: 'directory.id',
}

/** Lists directories or folders. The caller must be allowed to see `parent`. A recipient must name one. */
export async function listDirectories(db: Db, request: DirectoryRequest, reach: Reach) {
  const { parent, isTrash, isDeep, search } = request
  const show = (rows: Rows<'directory'>) =>
    withPicture(rows)
      .where('directory.deleted_at', isTrash ? 'is not' : 'is', null)
      .$if(isTrash, (q) => q.where('directory.trashed_with', 'is', null))
      .$if(search !== undefined, (q) =>
        q.where(containsWordsOrCompany(['directory.name_key'], 'directory.company_id', search ?? '')),
      )
  const companies = parent
    ? { column: 'directory.company_id', scope: allCompanies, requested: parent.company_id }
    : { column: 'directory.company_id', scope: reach, requested: request.company }
  if (parent && isDeep && !isTrash) {
    const ids = await findSubtree(db, parent.id)
    if (ids) {
      const below = limitToListed(db.selectFrom('directory').where(isOneOf(db, 'directory.id', ids)), companies)
      return readPageOfShortList(show(below), directoryColumns, request)
    }
  }
  const narrow = (rows: Rows<'directory'>) => {
    if (parent && !isDeep) return rows.where('directory.parent_id', '=', parent.id)
    if (isSortedByDeletion(request.sort))
      return rows.where('directory.deleted_at', 'is not', null).where('directory.trashed_with', 'is', null)
    return isTrash || isDeep ? rows : rows.where('directory.parent_id', 'is', null)
  }
  const isBelow = parent && isDeep ? isWithin('directory.parent_id', parent.id) : undefined
  return readPage(
    db,
    {
      ...directoryColumns,
      table: 'directory',
      narrow,
      show: (rows) => (isBelow ? show(rows).where(isBelow) : show(rows)),
      isFiltered: search !== undefined || isTrash || isBelow !== undefined,
      // The index on the parent finds its folders, which are all in the same company.
      companies: parent && !isDeep ? { ...companies, requested: '' } : companies,
    },
    request,
  )
}

/** If there are more folders than this below a directory, they are found by filtering the list of its company. */
const maxShortList = 5000

/** Returns the ids of the folders below a directory, or undefined if there are more than `maxShortList`. */
async function findSubtree(db: Db, id: string): Promise<string[] | undefined> {
  const { rows } = await sql<{ id: string }>`select id from ${selectLiveSubtree(id)} as below limit ${maxShortList + 2}`.execute(
    db,
  )
  return rows.length > maxShortList + 1 ? undefined : rows.map((row) => row.id).filter((found) => found !== id)
}

/** Returns whether the list is sorted by the time of deletion. Only trashed directories are in that index. */
const isSortedByDeletion = (sort = '') => sort.endsWith('deleted_at')

/** Returns false if the name is taken by another directory, ignoring case. */
export const insertDirectory = (db: Db, row: Omit<Insertable<Schema['directory']>, 'name_key' | 'name_order'>) =>
  unlessDuplicate(
    db
      .insertInto('directory')
      .values({ ...row, ...toNameColumns(row.name) })
      .execute(),
  )

export const renameDirectory = (db: Db, id: string, name: string) =>
  unlessDuplicate(
    db
      .updateTable('directory')
      .set({ name, ...toNameColumns(name) })
      .where('id', '=', id)
      .execute(),
  )

/** Returns those of the folders that are below a directory, and not in the trash. */
export const findFoldersWithin = (db: Db, ids: string[], directory: string) =>
  db
    .selectFrom('directory')
    .select(['id', 'name', 'name_key', 'created_at'])
    .where('id', 'in', ids)
    .where('id', '<>', directory)
    .where('deleted_at', 'is', null)
    .where(isWithin('directory.id', directory))
    .execute()

/** Returns whether a file in the directory, or in a folder below, is known to be damaged. */
export async function hasDamagedFiles(db: Db, id: string): Promise<boolean> {
  const damaged = db
    .selectFrom('file')
    .innerJoin('directory', 'directory.id', 'file.directory_id')
    .select('file.id')
    .where('file.damaged_at', 'is not', null)
    .where('file.deleted_at', 'is', null)
    .where('directory.deleted_at', 'is', null)
    .where(isWithin('file.directory_id', id))
  return (await damaged.executeTakeFirst()) !== undefined
}

const selectDirectories = (db: Db, reach: Reach) => withPicture(limitToReach(db.selectFrom('directory'), reach))

/**
 * A link to a directory reaches the folders below it; a link to a file reaches no other directory than the file's own; one to several files
 * reaches none.
 */
const limitToReach = (rows: Rows<'directory'>, { directory, file, link, ...scope }: Reach) =>
  limitToCompanies(rows, 'directory.company_id', scope)
    .$if(directory !== undefined, (q) =>
      file === undefined ? q.where(isWithin('directory.id', directory ?? '')) : q.where('directory.id', '=', directory ?? ''),
    )
    .$if(link !== undefined, (q) => q.where(sql<boolean>`1 = 0`))

/** Adds the company's name and archive time, and the newest file that has a thumbnail, for the tile of each directory. */
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
