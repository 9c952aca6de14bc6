import type { FileKind } from '@neptune/contract'
import { sql } from 'kysely'
import { type Db, isSqlite } from '../../db/database.ts'
import { contains, type PageRequest, type Rows, readPage, readPageOfFew } from '../../db/paging.ts'
import type { Reach } from '../../lib/actor.ts'
import { nameKey } from '../../lib/file-name.ts'
import { type Requester, sliceOf } from '../../lib/scan.ts'
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

/** Lists the files that match a request, of those in reach. */
export async function listFiles(db: Db, request: FileRequest, reach: Reach) {
  const { kind, isTrash, requester } = request
  const search = request.search === undefined ? undefined : nameKey(request.search)
  const directory = await findScope(db, request, reach)
  if (directory === 'none') return { rows: [], next: null }
  const isByDate = /^-?created_at$/.test(request.sort ?? '')
  // Each of these is the first column of an index; with the kind there is one for each company by date.
  const isKindIndexed = kind !== undefined && !directory && !isTrash && isByDate
  const isDirectoryIndexed = directory !== undefined && (!isTrash || request.sort?.endsWith('deleted_at') === true)
  const companies = directory ? [directory.company_id] : [reach.company, request.company].filter(Boolean)
  const show = (rows: Rows<'file'>) =>
    withNames(rows)
      .where('directory.deleted_at', 'is', null)
      .$if(directory !== undefined && !isDirectoryIndexed, (q) => q.where('file.directory_id', '=', directory?.id ?? ''))
      .$if(kind !== undefined && !isKindIndexed, (q) => q.where('file.kind', '=', kind ?? 'other'))
      .$if(search !== undefined, (q) => q.where(contains('file.name_key', search ?? '')))
  const within = (rows: Rows<'file'>) => {
    let scope = rows.where('file.deleted_at', isTrash ? 'is not' : 'is', null)
    if (reach.file !== undefined) scope = scope.where('file.id', '=', reach.file)
    if (isKindIndexed) scope = scope.where('file.kind', '=', kind)
    if (isDirectoryIndexed) return scope.where('file.directory_id', '=', directory.id)
    for (const company of companies) scope = scope.where('file.company_id', '=', company ?? '')
    return scope
  }
  const few = search === undefined ? undefined : await findFew(db, search, requester)
  if (few) return readPageOfFew(show(within(among(db, few))), list, request)
  const isFiltered =
    search !== undefined || (kind !== undefined && !isKindIndexed) || (directory !== undefined && !isDirectoryIndexed)
  return readPage(db, { ...list, table: 'file', within, show, isFiltered }, request)
}

/** The one directory that is asked for, if it is in reach and not in the trash; undefined where all are. */
async function findScope(db: Db, { directory, company }: FileRequest, reach: Reach) {
  const ids = [directory, reach.directory].filter(Boolean)
  if (ids.length === 0) return undefined
  let scope = db.selectFrom('directory').select(['id', 'company_id']).where('deleted_at', 'is', null)
  for (const id of ids) scope = scope.where('id', '=', id ?? '')
  for (const id of [company, reach.company].filter(Boolean)) scope = scope.where('company_id', '=', id ?? '')
  return (await scope.executeTakeFirst()) ?? 'none'
}

/** If more files match, going through the list finds a page of them as fast. */
const fewAtMost = 2000
/** Where so few files have three letters in common, reading their names is quicker than asking for more letters. */
const rareAtMost = 1000
/** Three letters that more files have in common than this are not worth asking for. */
const usefulAtMost = 20_000

/**
 * Returns the files among which are all that have the search in their names, if they are few. Returns undefined when the index of names is
 * of no use: for one or two letters, and when many match.
 */
async function findFew(db: Db, search: string, requester: Requester): Promise<number[] | undefined> {
  const letters = [...search]
  if (letters.length < 3) return undefined
  return isSqlite(db) ? findInIndex(db, letters, requester) : sliceOf(requester, () => findByPattern(db, search))
}

async function findByPattern(db: Db, search: string): Promise<number[] | undefined> {
  const found = db.selectFrom('file').select('seq').where(contains('file.name_key', search))
  const rows = await found.limit(fewAtMost + 1).execute()
  return rows.length > fewAtMost ? undefined : rows.map(({ seq }) => Number(seq))
}

/**
 * SQLite's index knows for each three letters the files that have them. It takes as long as those are many, so it is never asked for the
 * whole phrase: only for letters that few files have.
 */
async function findInIndex(db: Db, letters: string[], requester: Requester): Promise<number[] | undefined> {
  const ask = (query: ReturnType<typeof inIndex>) => sliceOf(requester, async () => (await query.execute(db)).rows)
  const threes = letters.slice(2, 24).map((_, i) => letters.slice(i, i + 3).join(''))
  // Words are common; what stands between them, and numbers, tell files apart.
  const sorted = threes.toSorted((a, b) => Number(/^\p{L}+$/u.test(a)) - Number(/^\p{L}+$/u.test(b)))
  for (const three of sorted) {
    const rare = await ask(inIndex([three], rareAtMost + 1))
    if (rare.length <= rareAtMost) return rare.map(({ rowid }) => rowid)
  }
  const useful: string[] = []
  for (const three of sorted) {
    if (useful.length < 3 && (await ask(inIndex([three], 1, usefulAtMost))).length === 0) useful.push(three)
  }
  const few = useful.length > 0 ? await ask(inIndex(useful, fewAtMost + 1)) : undefined
  return few && few.length <= fewAtMost ? few.map(({ rowid }) => rowid) : undefined
}

function inIndex(threes: string[], limit: number, offset = 0) {
  const match = threes.map((three) => `"${three.replaceAll('"', '""')}"`).join(' AND ')
  return sql<{ rowid: number }>`select rowid from file_search where file_search match ${match} limit ${limit} offset ${offset}`
}

/** These files. The limit changes nothing but keeps SQLite from taking another way to them. */
const among = (db: Db, few: number[]) => {
  const isAmong = isSqlite(db)
    ? sql<boolean>`seq in (select value from json_each(${JSON.stringify(few)}))`
    : sql<boolean>`seq = any(${few})`
  const rows = db.selectFrom('file').selectAll().where(isAmong).limit(few.length)
  return db.selectFrom(rows.as('file')) as unknown as Rows<'file'>
}
