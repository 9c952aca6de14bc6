import type { FileKind } from '@neptune/contract'
import { sql } from 'kysely'
import { type Db, isSqlite } from '../../db/database.ts'
import { limitToCompanies, limitToListed } from '../../db/queries/company-scope.ts'
import { contains, type PageRequest, type Rows, readPage, readPageOfShortList } from '../../db/queries/paging.ts'
import { allCompanies, type Reach } from '../../lib/actor.ts'
import { type Requester, runSlice } from '../../lib/concurrency/scan.ts'
import { nameKey } from '../../lib/name-key.ts'
import { withNames } from './file.repo.ts'

interface FileRequest extends PageRequest {
  search?: string | undefined
  kind?: FileKind | undefined
  /** The ids of a company and a directory; empty for all. */
  company: string
  directory: string
  isTrash: boolean
}

const fileColumns = {
  columns: { created_at: 'file.created_at', name: 'file.name_key', size: 'file.size', deleted_at: 'file.deleted_at' },
  id: 'file.id',
}

/** Lists the files within the caller's reach that match a request. */
export async function listFiles(db: Db, request: FileRequest, reach: Reach) {
  const { kind, isTrash, requester } = request
  const search = request.search === undefined ? undefined : nameKey(request.search)
  const directory = await findRequestedDirectory(db, request, reach)
  if (directory === 'none') return { rows: [], next: null }
  const isByDate = /^-?created_at$/.test(request.sort ?? '')
  // Whether an index returns the files of this kind or directory in the requested order. The indexes on the kind are sorted by
  // date only, and outside the trash only. In the trash, the index on the directory is sorted by the time of deletion only.
  const isKindIndexed = kind !== undefined && !directory && !isTrash && isByDate
  const isDirectoryIndexed = directory !== undefined && (!isTrash || request.sort?.endsWith('deleted_at') === true)
  // `findRequestedDirectory` has already checked the company of a directory.
  const companies = directory
    ? { column: 'file.company_id', scope: allCompanies, requested: isDirectoryIndexed ? '' : directory.company_id }
    : { column: 'file.company_id', scope: reach, requested: request.company }
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
    return isDirectoryIndexed ? scope.where('file.directory_id', '=', directory.id) : scope
  }
  const candidates = search === undefined ? undefined : await findCandidates(db, search, requester)
  if (candidates)
    return readPageOfShortList(show(limitToListed(narrow(selectFiles(db, candidates)), companies)), fileColumns, request)
  const isFiltered =
    search !== undefined || (kind !== undefined && !isKindIndexed) || (directory !== undefined && !isDirectoryIndexed)
  return readPage(db, { ...fileColumns, table: 'file', narrow, show, isFiltered, companies }, request)
}

/**
 * Returns the directory that the request or the reach names. Returns `none` if it doesn't exist, is in the trash, or is outside the
 * requested company or the caller's reach, and undefined if neither names one.
 */
async function findRequestedDirectory(db: Db, { directory, company }: FileRequest, reach: Reach) {
  const ids = [directory, reach.directory].filter(Boolean)
  if (ids.length === 0) return undefined
  let query = limitToCompanies(db.selectFrom('directory'), 'directory.company_id', reach)
    .select(['id', 'company_id'])
    .where('deleted_at', 'is', null)
  for (const id of ids) query = query.where('id', '=', id ?? '')
  if (company !== '') query = query.where('company_id', '=', company)
  return (await query.executeTakeFirst()) ?? 'none'
}

/** If more files than this match, scanning the list finds a page of them just as fast. */
const maxCandidates = 2000
/** If at most this many files contain a trigram, reading their names is faster than querying further trigrams. */
const maxRareMatches = 1000
/** A trigram that more files than this contain is not worth querying. */
const maxUsefulMatches = 20_000

/**
 * Returns the `seq` values of candidates: every file whose name contains the search text, and possibly others. Returns undefined
 * when the index on names does not help: for one or two characters, and when many files match.
 */
async function findCandidates(db: Db, search: string, requester: Requester): Promise<number[] | undefined> {
  const characters = [...search]
  if (characters.length < 3) return undefined
  return isSqlite(db) ? findInIndex(db, characters, requester) : runSlice(requester, () => findByPattern(db, search))
}

async function findByPattern(db: Db, search: string): Promise<number[] | undefined> {
  const found = db.selectFrom('file').select('seq').where(contains('file.name_key', search))
  const rows = await found.limit(maxCandidates + 1).execute()
  return rows.length > maxCandidates ? undefined : rows.map(({ seq }) => Number(seq))
}

/**
 * Finds candidates with SQLite's index, which maps each trigram to the files that contain it. A query takes longer the more files
 * match. So each trigram is first queried with a limit, and only sufficiently rare ones are combined.
 */
async function findInIndex(db: Db, characters: string[], requester: Requester): Promise<number[] | undefined> {
  const run = (query: ReturnType<typeof queryIndex>) => runSlice(requester, async () => (await query.execute(db)).rows)
  const trigrams = characters.slice(2, 24).map((_, i) => characters.slice(i, i + 3).join(''))
  // Trigrams of letters are common; those with digits, spaces or punctuation are more selective.
  const sorted = trigrams.toSorted((a, b) => Number(/^\p{L}+$/u.test(a)) - Number(/^\p{L}+$/u.test(b)))
  for (const trigram of sorted) {
    const matches = await run(queryIndex([trigram], maxRareMatches + 1))
    if (matches.length <= maxRareMatches) return matches.map(({ rowid }) => rowid)
  }
  const useful: string[] = []
  for (const trigram of sorted) {
    // No row at this offset: at most `maxUsefulMatches` files contain the trigram.
    if (useful.length < 3 && (await run(queryIndex([trigram], 1, maxUsefulMatches))).length === 0) useful.push(trigram)
  }
  const matches = useful.length > 0 ? await run(queryIndex(useful, maxCandidates + 1)) : undefined
  return matches && matches.length <= maxCandidates ? matches.map(({ rowid }) => rowid) : undefined
}

function queryIndex(trigrams: string[], limit: number, offset = 0) {
  const match = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
  return sql<{ rowid: number }>`select rowid from file_search where file_search match ${match} limit ${limit} offset ${offset}`
}

/** Selects the files with these `seq` values. The limit does not change the result, but keeps SQLite from choosing another plan. */
const selectFiles = (db: Db, seqs: number[]) => {
  const isListed = isSqlite(db)
    ? sql<boolean>`seq in (select value from json_each(${JSON.stringify(seqs)}))`
    : sql<boolean>`seq = any(${seqs})`
  const rows = db.selectFrom('file').selectAll().where(isListed).limit(seqs.length)
  return db.selectFrom(rows.as('file')) as unknown as Rows<'file'>
}
