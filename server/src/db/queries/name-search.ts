import { sql } from 'kysely'
import { type Requester, runSlice } from '../../lib/concurrency/scan.ts'
import { type Db, isSqlite } from '../database.ts'
import { isOneOf } from './merged-companies.ts'
import { containsWords, listSpellings, splitWords } from './word-search.ts'

/** If more rows than this match, scanning the list finds a page of them just as fast. */
const maxCandidates = 2000
/** If at most this many rows contain a trigram, reading their names is faster than querying further trigrams. */
const maxRareMatches = 1000
/** A trigram that more rows than this contain is not worth querying. */
const maxUsefulMatches = 20_000

/** A table whose column `name_key` has a trigram index: on PostgreSQL an index of the table, on SQLite a separate table. */
interface NamedTable {
  table: 'file' | 'company' | 'user'
  /** The column that identifies a row. */
  id: string
  /** SQLite's index, and its column with the same values as `id`. */
  index: string
  indexId: string
}

/**
 * Returns the ids of candidates: every row whose name contains all words of the search, and possibly others. Returns undefined
 * when the index on names does not help: for words of one or two characters, and when many rows match.
 */
export async function findByName(
  db: Db,
  named: NamedTable,
  search: string,
  requester: Requester,
): Promise<(string | number)[] | undefined> {
  const words = splitWords(search).filter((word) => [...word].length >= 3)
  if (words.length === 0) return undefined
  return isSqlite(db) ? findInIndex(db, named, words, requester) : runSlice(requester, () => findByPattern(db, named, search))
}

async function findByPattern(db: Db, { table, id }: NamedTable, search: string): Promise<(string | number)[] | undefined> {
  const { rows } = await sql<{ id: string | number }>`select ${sql.ref(id)} as id from ${sql.table(table)}
    where ${containsWords(['name_key'], search)} limit ${maxCandidates + 1}`.execute(db)
  return rows.length > maxCandidates ? undefined : rows.map((row) => row.id)
}

/** Finds candidates with SQLite's index. */
async function findInIndex(db: Db, named: NamedTable, words: string[], requester: Requester) {
  const rowids = await findRowidsOfWords(db, named, words, requester)
  const { index, indexId } = named
  if (!rowids || indexId === 'rowid') return rowids
  const ids = sql<{ id: string }>`select ${sql.ref(indexId)} as id from ${sql.table(index)} where ${isOneOf(db, 'rowid', rowids)}`
  return (await ids.execute(db)).rows.map(({ id }) => id)
}

/** Finds rows by the words that have only one spelling. If every word has several, finds rows by any spelling of the longest word. */
async function findRowidsOfWords(db: Db, named: NamedTable, words: string[], requester: Requester) {
  const unambiguous = words.filter((word) => listSpellings(word).length === 1)
  if (unambiguous.length > 0) return findRowids(db, named, unambiguous, requester)
  const [longest = ''] = words.toSorted((a, b) => b.length - a.length)
  const found = new Set<number>()
  for (const spelling of listSpellings(longest)) {
    const rowids = [...spelling].length < 3 ? undefined : await findRowids(db, named, [spelling], requester)
    if (!rowids) return undefined
    for (const rowid of rowids) found.add(rowid)
  }
  return [...found]
}

/**
 * Finds the rows of SQLite's index, which maps each trigram to the rows that contain it. A query takes longer the more rows match. So each
 * trigram is first queried with a limit, and only sufficiently rare ones are combined.
 */
async function findRowids(db: Db, named: NamedTable, words: string[], requester: Requester): Promise<number[] | undefined> {
  const run = (query: ReturnType<typeof queryIndex>) => runSlice(requester, async () => (await query.execute(db)).rows)
  const trigrams = words.flatMap(listTrigrams).slice(0, 22)
  // Trigrams of letters are common; those with digits, spaces or punctuation are more selective.
  const sorted = trigrams.toSorted((a, b) => Number(/^\p{L}+$/u.test(a)) - Number(/^\p{L}+$/u.test(b)))
  for (const trigram of sorted) {
    // No row at this offset: at most `maxRareMatches` rows contain the trigram. Skipping them is faster than reading them.
    const isRare = (await run(queryIndex(named, [trigram], 1, maxRareMatches))).length === 0
    if (isRare) return (await run(queryIndex(named, [trigram], maxRareMatches))).map((match) => match.id)
  }
  const useful: string[] = []
  for (const trigram of sorted) {
    // No row at this offset: at most `maxUsefulMatches` rows contain the trigram.
    if (useful.length < 3 && (await run(queryIndex(named, [trigram], 1, maxUsefulMatches))).length === 0) useful.push(trigram)
  }
  const matches = useful.length > 0 ? await run(queryIndex(named, useful, maxCandidates + 1)) : undefined
  return matches && matches.length <= maxCandidates ? matches.map((match) => match.id) : undefined
}

function listTrigrams(word: string): string[] {
  const characters = [...word]
  return characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''))
}

function queryIndex({ index }: NamedTable, trigrams: string[], limit: number, offset = 0) {
  const match = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
  return sql<{
    id: number
  }>`select rowid as id from ${sql.table(index)} where ${sql.ref(index)} match ${match} limit ${limit} offset ${offset}`
}
