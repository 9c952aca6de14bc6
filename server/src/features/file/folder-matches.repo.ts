import { type RawBuilder, sql } from 'kysely'
import { type Db, isSqlite } from '../../db/database.ts'
import { isOneOf } from '../../db/queries/merged-companies.ts'
import { buildOrder, decodeCursor, type Key, type PageOrder, type Rows } from '../../db/queries/page-order.ts'
import type { PageRequest } from '../../db/queries/paging.ts'
import { type Requester, runSlice } from '../../lib/concurrency/scan.ts'
import { fileColumns } from './file.repo.ts'

/** A folder, with the number of files directly in it. */
export interface Folder {
  id: string
  ownFiles: number
}

/** Returns a directory and the folders below it that are not in the trash, or undefined if they are more than `max`. */
export async function listFoldersBelow(db: Db, directory: string, max: number): Promise<Folder[] | undefined> {
  const { rows } = await sql<{
    id: string
    parent_id: string
    files: number | string
  }>`with recursive down (id, parent_id, files) as (
      select id, parent_id, files from directory where id = ${directory}
      union all select child.id, child.parent_id, child.files from directory as child join down on child.parent_id = down.id
        where child.deleted_at is null)
    select id, parent_id, files from down limit ${max + 1}`.execute(db)
  if (rows.length > max) return undefined
  const folders = new Map(rows.map(({ id, files }) => [id, { id, ownFiles: Number(files) }]))
  // The stored number of files includes those in subfolders, so subtract them.
  for (const { parent_id, files } of rows) {
    const parent = folders.get(parent_id)
    if (parent) parent.ownFiles -= Number(files)
  }
  return [...folders.values()]
}

/**
 * How many files the folders of one query may contain. The first query reads few folders, because it may find enough. Once a page is full,
 * queries read only a part of the files: those that come before the last file of the page. So they can read more folders.
 */
const filesPerQuery = { first: 500, max: 4000, maxOfPart: 40_000 }
const maxFoldersPerQuery = 1000

interface FolderSearch {
  order: PageOrder
  /** The last file of the previous page. */
  after: Key | undefined
  limit: number
  isMatch: RawBuilder<boolean>
  requester: Requester
}

/**
 * Returns the ids of the files in these folders that match a search: those of one page, and of one more file. Returns undefined if it
 * would have to read too many files, because few of them match.
 */
export function findMatchesOfPage(
  db: Db,
  folders: Folder[],
  { limit, cursor, sort = '', requester }: PageRequest,
  isMatch: RawBuilder<boolean>,
): Promise<string[] | undefined> {
  const order = buildOrder(fileColumns.columns, fileColumns.id, sort)
  const after = cursor ? decodeCursor(cursor, order.cursorSort) : undefined
  return findFirstMatches(db, folders, { order, after, limit: limit + 1, isMatch, requester })
}

/**
 * Reads folders in the order of their first files. Once enough matches are found, reads only those files of the other folders that come
 * before the last match.
 */
async function findFirstMatches(db: Db, folders: Folder[], search: FolderSearch): Promise<string[] | undefined> {
  const { order, limit, requester } = search
  const sorted = await sortByFirstFile(db, folders, search)
  let found: Key[] = []
  let filesRead = 0
  for (let start = 0; start < sorted.length; ) {
    const before = found[limit - 1]
    const maxFiles = start === 0 ? filesPerQuery.first : before ? filesPerQuery.maxOfPart : filesPerQuery.max
    const group = takeGroup(sorted, start, maxFiles)
    const [first] = group
    const more =
      first && first.ownFiles > filesPerQuery.max
        ? await findInLargeFolder(db, first.id, search, before)
        : await findInFolders(db, group, search, before)
    if (!before) filesRead += group.reduce((sum, { ownFiles }) => sum + ownFiles, 0)
    start += group.length
    if (!more || requester.isGone() || (filesRead > requester.maxRows && start < sorted.length)) return undefined
    // Sorts in the database, because JavaScript compares texts differently.
    if (more.length > 0) found = await sortFiles(db, [...found, ...more], order, limit)
  }
  return found.map(({ page_id }) => String(page_id))
}

/** Sorts folders by their first file, and leaves out empty ones. The order affects only the speed, not the result. */
async function sortByFirstFile(db: Db, folders: Folder[], { order, after, requester }: FolderSearch): Promise<Folder[]> {
  const firsts: { folder: Folder; value: string | number }[] = []
  const first = order
    .applyTo(limitToFolder(selectFiles(db), folderId), after)
    .select(order.value)
    .limit(1)
  for (let i = 0; i < folders.length; i += maxFoldersPerQuery) {
    const part = folders.slice(i, i + maxFoldersPerQuery)
    const query = sql<FirstFile>`select (${first}) as page_value from ${listIds(db, part)} as folder order by folder.position`
    const { rows } = await runSlice(requester, () => query.execute(db))
    for (const [at, folder] of part.entries()) {
      const value = rows[at]?.page_value ?? null
      if (value !== null) firsts.push({ folder, value })
    }
  }
  const sign = order.direction === 'asc' ? 1 : -1
  return firsts.toSorted((a, b) => (a.value < b.value ? -sign : a.value > b.value ? sign : 0)).map(({ folder }) => folder)
}

interface FirstFile {
  page_value: string | number | null
}

/** Returns the folders for one query. A folder with more files than one query reads is returned alone. */
function takeGroup(folders: Folder[], start: number, maxFiles: number): Folder[] {
  let [end, files] = [start, 0]
  for (const { ownFiles } of folders.slice(start, start + maxFoldersPerQuery)) {
    files += ownFiles
    if (end > start && (files > maxFiles || ownFiles > filesPerQuery.max)) break
    end++
    if (ownFiles > filesPerQuery.max) break
  }
  return folders.slice(start, end)
}

/**
 * Returns the keys of the first matches in folders that have few files in total. Reads one folder after the other, instead of all files in
 * order.
 */
async function findInFolders(db: Db, folders: Folder[], { order, after, limit, isMatch, requester }: FolderSearch, before?: Key) {
  const listed = listIds(db, folders)
  const ofFolder = (files: Rows<'file'>) => order.applyTo(limitToFolder(files, folderId), after, before)
  const keys = isSqlite(db) ? selectInSqlite() : selectInPostgres()
  const query = sql<Key>`select page_value, page_id from (${keys}) as "keys" order by ${order.ofKeys} limit ${limit}`
  return (await runSlice(requester, () => query.execute(db))).rows

  // SQLite has no lateral joins, but runs a cross join from left to right.
  function selectInSqlite() {
    const files = db.selectFrom(listed.as('folder')).crossJoin('file') as unknown as Rows<'file'>
    return ofFolder(files).where(isMatch).select(order.key).limit(limit)
  }

  // The offset keeps PostgreSQL from searching the index of names for each folder.
  function selectInPostgres() {
    const files = ofFolder(selectFiles(db)).selectAll().offset(0)
    const matches = order
      .applyTo(db.selectFrom(files.as('file')).where(isMatch))
      .select(order.key)
      .limit(limit)
    return sql`select * from ${listed} as folder cross join lateral (${matches}) as found`
  }
}

/**
 * Returns the keys of the first matches in a folder with many files. Reads it slice by slice. Returns undefined if it has to read too many.
 */
async function findInLargeFolder(db: Db, id: string, search: FolderSearch, before?: Key): Promise<Key[] | undefined> {
  const { order, limit, isMatch, requester } = search
  const found: Key[] = []
  let { after } = search
  for (let filesRead = 0; filesRead < requester.maxRows && !requester.isGone(); filesRead += filesPerQuery.max) {
    const slice = order.applyTo(limitToFolder(selectFiles(db), id), after, before).limit(filesPerQuery.max)
    const matches = db.selectFrom(slice.selectAll().as('file')) as unknown as Rows<'file'>
    const keys = order
      .applyTo(matches)
      .where(isMatch)
      .select(order.key)
      .limit(limit - found.length)
    found.push(...((await runSlice(requester, () => keys.execute())) as Key[]))
    const last = slice.select(order.key).offset(filesPerQuery.max - 1)
    after = found.length === limit ? undefined : ((await last.executeTakeFirst()) as Key | undefined)
    if (!after) return found
  }
  return undefined
}

async function sortFiles(db: Db, keys: Key[], order: PageOrder, limit: number): Promise<Key[]> {
  const ids = keys.map(({ page_id }) => page_id)
  const files = selectFiles(db).where(isOneOf(db, 'file.id', ids))
  return (await order.applyTo(files).select(order.key).limit(limit).execute()) as Key[]
}

const selectFiles = (db: Db) => db.selectFrom('file') as unknown as Rows<'file'>

const limitToFolder = (files: Rows<'file'>, folder: string | RawBuilder<string>) =>
  files.where('file.deleted_at', 'is', null).where('file.directory_id', '=', folder)

/** The column with the id, for queries that join `listIds` as `folder`. */
const folderId = sql<string>`folder.id`

/** Selects the ids of folders and their positions. */
function listIds(db: Db, folders: Folder[]) {
  const ids = folders.map(({ id }) => id)
  return isSqlite(db)
    ? sql<{ id: string; position: number }>`(select value as id, key as position from json_each(${JSON.stringify(ids)}))`
    : sql<{ id: string; position: number }>`(select * from unnest(${ids}::text[]) with ordinality as listed (id, position))`
}
