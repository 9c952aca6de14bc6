import type { FileKind } from '@neptune/contract'
import { sql } from 'kysely'
import { type Db, isSqlite } from '../../db/database.ts'
import { contains, type PageRequest, type Rows, readPage, readPageOfFew } from '../../db/queries/paging.ts'
import type { Reach } from '../../lib/actor.ts'
import { type Requester, runSlice } from '../../lib/concurrency/scan.ts'
import { nameKey } from '../../lib/name-key.ts'
import { withNames } from './file.repo.ts'

interface FileRequest extends PageRequest {
  search?: string | undefined
  kind?: FileKind | undefined
  /** Empty for all. */
  company: string
  directory: string
  isTrash: boolean
}

const list = {
  columns: { created_at: 'file.created_at', name: 'file.name_key', size: 'file.size', deleted_at: 'file.deleted_at' },
  id: 'file.id',
}

/** Lists the files within the caller's reach that match a request. */
export async function listFiles(db: Db, request: FileRequest, reach: Reach) {
  const { kind, isTrash, requester } = request
  const search = request.search === undefined ? undefined : nameKey(request.search)
  const directory = await findScope(db, request, reach)
  if (directory === 'none') return { rows: [], next: null }
  const isByDate = /^-?created_at$/.test(request.sort ?? '')
  // Each of these is the first column of an index. For the kind there is one per company and date.
  const isKindIndexed = kind !== undefined && !directory && !isTrash && isByDate
  const isDirectoryIndexed = directory !== undefined && (!isTrash || request.sort?.endsWith('deleted_at') === true)
  const companies = directory ? [directory.company_id] : [reach.company, request.company].filter(Boolean)
  const show = (rows: Rows<'file'>) =>
    withNames(rows)
      .where('directory.deleted_at', 'is', null)
      .$if(directory !== undefined && !isDirectoryIndexed, (q) => q.where('file.directory_id', '=', directory?.id ?? ''))
      .$if(kind !== undefined && !isKindIndexed, (q) => q.where('file.kind', '=', kind ?? 'other'))
      .$if(search !== undefined, (q) => q.where(contains('file.name_key', search ?? '')))
  const narrow = (rows: Rows<'file'>) => {
    let scope = rows.where('file.deleted_at', isTrash ? 'is not' : 'is', null)
    if (reach.file !== undefined) scope = scope.where('file.id', '=', reach.file)
    if (isKindIndexed) scope = scope.where('file.kind', '=', kind)
    if (isDirectoryIndexed) return scope.where('file.directory_id', '=', directory.id)
    for (const company of companies) scope = scope.where('file.company_id', '=', company ?? '')
    return scope
  }
  const few = search === undefined ? undefined : await findFew(db, search, requester)
  if (few) return readPageOfFew(show(narrow(selectAmong(db, few))), list, request)
  const isFiltered =
    search !== undefined || (kind !== undefined && !isKindIndexed) || (directory !== undefined && !isDirectoryIndexed)
  return readPage(db, { ...list, table: 'file', narrow, show, isFiltered }, request)
}

/**
 * Returns the directory that the request or the reach names, if it exists outside the trash; undefined if neither names one.
 */
async function findScope(db: Db, { directory, company }: FileRequest, reach: Reach) {
  const ids = [directory, reach.directory].filter(Boolean)
  if (ids.length === 0) return undefined
  let scope = db.selectFrom('directory').select(['id', 'company_id']).where('deleted_at', 'is', null)
  for (const id of ids) scope = scope.where('id', '=', id ?? '')
  for (const id of [company, reach.company].filter(Boolean)) scope = scope.where('company_id', '=', id ?? '')
  return (await scope.executeTakeFirst()) ?? 'none'
}

/** If more files than this match, scanning the list finds a page of them just as fast. */
const maxFew = 2000
/** If at most this many files contain a trigram, reading their names is faster than querying further trigrams. */
const maxRare = 1000
/** A trigram that more files than this contain is not worth querying. */
const maxUseful = 20_000

/**
 * Returns candidates that include every file whose name contains the search, if they are few. Returns undefined when the index
 * of names does not help: for one or two letters, and when many files match.
 */
async function findFew(db: Db, search: string, requester: Requester): Promise<number[] | undefined> {
  const letters = [...search]
  if (letters.length < 3) return undefined
  return isSqlite(db) ? findInIndex(db, letters, requester) : runSlice(requester, () => findByPattern(db, search))
}

async function findByPattern(db: Db, search: string): Promise<number[] | undefined> {
  const found = db.selectFrom('file').select('seq').where(contains('file.name_key', search))
  const rows = await found.limit(maxFew + 1).execute()
  return rows.length > maxFew ? undefined : rows.map(({ seq }) => Number(seq))
}

/**
 * SQLite's index maps each trigram to the files that contain it. A query takes longer the more files match, so the whole
 * phrase is never queried: only trigrams that few files contain.
 */
async function findInIndex(db: Db, letters: string[], requester: Requester): Promise<number[] | undefined> {
  const run = (query: ReturnType<typeof queryIndex>) => runSlice(requester, async () => (await query.execute(db)).rows)
  const trigrams = letters.slice(2, 24).map((_, i) => letters.slice(i, i + 3).join(''))
  // Trigrams of letters are common; those with digits, spaces or punctuation are more selective.
  const sorted = trigrams.toSorted((a, b) => Number(/^\p{L}+$/u.test(a)) - Number(/^\p{L}+$/u.test(b)))
  for (const trigram of sorted) {
    const rare = await run(queryIndex([trigram], maxRare + 1))
    if (rare.length <= maxRare) return rare.map(({ rowid }) => rowid)
  }
  const useful: string[] = []
  for (const trigram of sorted) {
    if (useful.length < 3 && (await run(queryIndex([trigram], 1, maxUseful))).length === 0) useful.push(trigram)
  }
  const few = useful.length > 0 ? await run(queryIndex(useful, maxFew + 1)) : undefined
  return few && few.length <= maxFew ? few.map(({ rowid }) => rowid) : undefined
}

function queryIndex(trigrams: string[], limit: number, offset = 0) {
  const match = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
  return sql<{ rowid: number }>`select rowid from file_search where file_search match ${match} limit ${limit} offset ${offset}`
}

/** Selects these files. The limit does not change the result, but keeps SQLite from choosing another plan. */
const selectAmong = (db: Db, few: number[]) => {
  const isAmong = isSqlite(db)
    ? sql<boolean>`seq in (select value from json_each(${JSON.stringify(few)}))`
    : sql<boolean>`seq = any(${few})`
  const rows = db.selectFrom('file').selectAll().where(isAmong).limit(few.length)
  return db.selectFrom(rows.as('file')) as unknown as Rows<'file'>
}
