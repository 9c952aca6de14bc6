import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { scan, type WithRequester } from '../../lib/concurrency/scan.ts'
import { createCursorError } from '../../lib/cursor-error.ts'
import { nameKey } from '../../lib/name-key.ts'
import { type Db, isSqlite } from '../database.ts'
import type { Schema } from '../schema.ts'
import { countSelected, isSelected, type ListedCompanies, limitToListed } from './company-scope.ts'

export interface PageRequest extends WithRequester {
  limit: number
  cursor?: string | undefined
  /** A key of `columns`, with a leading minus for descending order. Defaults to the first one. */
  sort?: string | undefined
}

export type Rows<Table extends keyof Schema> = SelectQueryBuilder<Schema, Table, object>

interface List<Table extends keyof Schema, Row> {
  table: Table
  /** The columns a list can be sorted by, and the id that orders rows with equal values. */
  columns: Record<string, string>
  id: string
  /** Narrows the table to rows that, for every sort column, a single index returns already sorted. */
  narrow: (rows: Rows<Table>) => Rows<Table>
  /** Joins the columns to show, and filters out rows that do not match. */
  // biome-ignore lint/suspicious/noExplicitAny: which tables are joined makes no difference here.
  show: (rows: Rows<Table>) => SelectQueryBuilder<any, any, Row>
  /** Whether `show` may filter out many rows. */
  isFiltered: boolean
  /** The companies whose rows are listed. */
  companies?: ListedCompanies
}

/** The sort value and the id of a row, from which the next page or slice starts. */
interface Key {
  page_value: string | number
  page_id: string
}

/** The minimum size of the first slice if many of its rows may not match. */
const minFilteredSliceRows = 250

/**
 * The rows of up to this many selected companies are read company by company and merged. With more, scanning the rows of all companies
 * finds a page just as fast.
 */
const maxMergedCompanies = 200

/**
 * Returns one page of a list, in order, starting after the last row of the previous page (keyset pagination). It seeks to the
 * value and id of that row instead of skipping rows: every page costs the same, and rows that are added or deleted do not shift it.
 *
 * The table is read in slices in the order of an index, and the filters are applied to each slice. So the cost of a slice is
 * bounded, whatever matches and whatever plan the database chooses. A page can have fewer rows than requested, even none, and
 * still have a `next` from which the search continues.
 */
export async function readPage<Table extends keyof Schema & string, Row>(
  db: Db,
  { table, columns, id, narrow, show, isFiltered, companies }: List<Table, Row>,
  { limit, cursor, sort = '', requester }: PageRequest,
): Promise<{ rows: Row[]; next: string | null }> {
  const order = buildOrder(columns, id, sort)
  const start = cursor ? decodeCursor(cursor, sort) : undefined
  const select = () => db.selectFrom(table) as unknown as Rows<Table>
  const reading = await chooseReading(db, companies)
  const firstSliceRows = isFiltered || reading === 'scanned' ? Math.max(minFilteredSliceRows, limit + 1) : limit + 1
  const { rows, end } = await scan<Row & Key, Key>(
    requester,
    { rowCount: limit + 1, firstSliceRows },
    async (after = start, size, rowCount) => {
      const slice = selectSlice(after, size)
      const source = db.selectFrom(slice.selectAll().limit(size).as(table)) as unknown as Rows<Table>
      const shown = companies && reading === 'scanned' ? show(source).where(isSelected(companies)) : show(source)
      const found = await order.applyTo(shown).select(order.key).limit(rowCount).execute()
      if (found.length === rowCount) return { rows: found as (Row & Key)[], end: found.at(-1) as Key }
      const [last] = await slice
        .select(order.key)
        .limit(1)
        .offset(size - 1)
        .execute()
      return { rows: found as (Row & Key)[], end: last as Key | undefined }
    },
  )
  const last = rows.length > limit ? rows[limit - 1] : end
  return { rows: rows.slice(0, limit), next: last ? encodeCursor(sort, last.page_value, last.page_id) : null }

  /** Selects the rows after a key, in order. The first `size` of them are complete. */
  function selectSlice(after: Key | undefined, size: number) {
    if (!companies || reading === 'scanned') return order.applyTo(narrow(select()), after)
    if (reading === 'at once') return order.applyTo(limitToListed(narrow(select()), companies), after)
    const ofOneCompany = order
      .applyTo(narrow(select()), after)
      .where(sql<boolean>`${sql.ref(companies.column)} = selected.company_id`)
      .select(sql`${sql.ref(id)}`.as('id'))
      .limit(size)
    return order.applyTo(select().where(sql<boolean>`${sql.ref(id)} in (${selectForEach(db, companies, ofOneCompany)})`))
  }
}

/** Chooses how to read rows of many companies, so that neither few companies among many nor many companies make a page slow. */
async function chooseReading(db: Db, companies: ListedCompanies | undefined): Promise<'at once' | 'merged' | 'scanned'> {
  const { member } = companies?.scope ?? {}
  if (member === undefined || companies?.requested) return 'at once'
  return (await countSelected(db, member, maxMergedCompanies + 1)) > maxMergedCompanies ? 'scanned' : 'merged'
}

/** Runs a query for each company that is selected for a user, which it refers to as `selected`. Returns the ids of all rows. */
function selectForEach(db: Db, { scope: { member } }: ListedCompanies, ofOneCompany: Expression<unknown>) {
  // SQLite has no lateral joins, but evaluates a list of values for each row.
  return isSqlite(db)
    ? sql`select value from user_company as selected, json_each((select json_group_array(id) from (${ofOneCompany}))) where selected.user_id = ${member}`
    : sql`select found.id from user_company as selected cross join lateral (${ofOneCompany}) as found where selected.user_id = ${member}`
}

/** Returns one page of a list of at most a few thousand rows, which are found by their ids and sorted for every page. */
export async function readPageOfShortList<Row>(
  // biome-ignore lint/suspicious/noExplicitAny: which tables are joined makes no difference here.
  rows: SelectQueryBuilder<any, any, Row>,
  { columns, id }: Pick<List<keyof Schema, Row>, 'columns' | 'id'>,
  { limit, cursor, sort = '' }: PageRequest,
): Promise<{ rows: Row[]; next: string | null }> {
  const order = buildOrder(columns, id, sort)
  const page = order.applyTo(rows, cursor ? decodeCursor(cursor, sort) : undefined)
  const found = (await page
    .select(order.key)
    .limit(limit + 1)
    .execute()) as (Row & Key)[]
  const last = found.length > limit ? found[limit - 1] : undefined
  return { rows: found.slice(0, limit), next: last ? encodeCursor(sort, last.page_value, last.page_id) : null }
}

function buildOrder(columns: Record<string, string>, id: string, sort: string) {
  const isDescending = sort.startsWith('-')
  const ref = columns[sort.replace('-', '')] ?? Object.values(columns)[0] ?? id
  const column = sql.ref(ref)
  const direction = isDescending ? 'desc' : 'asc'
  return {
    key: [sql<string | number>`${column}`.as('page_value'), sql<string>`${sql.ref(id)}`.as('page_id')],
    /** Returns the rows in order, starting after a key. */
    // biome-ignore lint/suspicious/noExplicitAny: which tables are joined makes no difference here.
    applyTo<Query extends SelectQueryBuilder<any, any, any>>(rows: Query, after?: Key): Query {
      const sorted = rows.orderBy(column, direction).orderBy(sql.ref(id), direction) as Query
      if (!after) return sorted
      const isAfter = sql<boolean>`(${column}, ${sql.ref(id)}) ${sql.raw(isDescending ? '<' : '>')} (${after.page_value}, ${after.page_id})`
      return sorted.where(isAfter) as Query
    },
  }
}

/** Matches rows whose column, a name key or an email, contains the search text. Escapes wildcards in it. */
export function contains(column: string | RawBuilder<string>, search: string) {
  const pattern = `%${nameKey(search).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<boolean>`${typeof column === 'string' ? sql.ref(column) : column} like ${pattern} escape '\\'`
}

const encodeCursor = (...parts: (string | number)[]) => JSON.stringify(parts)

/** Decodes a cursor. Rejects one from another sort order, where it would point to an arbitrary row. */
function decodeCursor(cursor: string, sort: string): Key {
  const [order, page_value, page_id] = JSON.parse(cursor) as [string, string | number, string]
  if (order !== sort) throw createCursorError()
  return { page_value, page_id }
}
