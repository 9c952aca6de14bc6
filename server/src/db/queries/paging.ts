import { type SelectQueryBuilder, sql } from 'kysely'
import { AppError } from '../../lib/app-error.ts'
import { scan, type WithRequester } from '../../lib/concurrency/scan.ts'
import { nameKey } from '../../lib/name-key.ts'
import type { Db } from '../database.ts'
import type { Schema } from '../schema.ts'

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
  /**
   * Narrows the table to rows that, for every sort column, a single index returns already sorted. Must contain every condition that
   * the caller's rights depend on, because a cursor can point to any of these rows.
   */
  narrow: (rows: Rows<Table>) => Rows<Table>
  /** Joins the columns to show, and filters out rows that do not match. */
  // biome-ignore lint/suspicious/noExplicitAny: which tables are joined makes no difference here.
  show: (rows: Rows<Table>) => SelectQueryBuilder<any, any, Row>
  /** Whether `show` may filter out many rows. */
  isFiltered: boolean
}

/** The sort value and the id of a row, from which the next page or slice starts. */
interface Key {
  page_value: string | number
  page_id: string
}

/** The minimum size of the first slice if many of its rows may not match. */
const minFilteredSliceRows = 250

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
  { table, columns, id, narrow, show, isFiltered }: List<Table, Row>,
  { limit, cursor, sort = '', requester }: PageRequest,
): Promise<{ rows: Row[]; next: string | null }> {
  const order = buildOrder(columns, id, sort)
  const start = cursor ? decodeCursor(cursor, sort, order.isNumber) : undefined
  const firstSliceRows = isFiltered ? Math.max(minFilteredSliceRows, limit + 1) : limit + 1
  const { rows, end } = await scan<Row & Key, Key>(
    requester,
    { rowCount: limit + 1, firstSliceRows },
    async (after = start, size, rowCount) => {
      const slice = order.applyTo(narrow(db.selectFrom(table) as unknown as Rows<Table>), after)
      const source = db.selectFrom(slice.selectAll().limit(size).as(table)) as unknown as Rows<Table>
      const found = await order.applyTo(show(source)).select(order.key).limit(rowCount).execute()
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
}

/** Returns one page of a list of at most a few thousand rows, which are found by their ids and sorted for every page. */
export async function readPageOfShortList<Row>(
  // biome-ignore lint/suspicious/noExplicitAny: which tables are joined makes no difference here.
  rows: SelectQueryBuilder<any, any, Row>,
  { columns, id }: Pick<List<keyof Schema, Row>, 'columns' | 'id'>,
  { limit, cursor, sort = '' }: PageRequest,
): Promise<{ rows: Row[]; next: string | null }> {
  const order = buildOrder(columns, id, sort)
  const page = order.applyTo(rows, cursor ? decodeCursor(cursor, sort, order.isNumber) : undefined)
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
    isNumber: ref.endsWith('.size'),
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
export function contains(column: string, search: string) {
  const pattern = `%${nameKey(search).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`
}

const encodeCursor = (...parts: (string | number)[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')

/** Decodes a cursor. Rejects an invalid one, and one from another sort order, where it would point to an arbitrary row. */
function decodeCursor(cursor: string, sort: string, isNumber: boolean): Key {
  try {
    const [order, value, id]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isValidValue = isNumber ? Number.isSafeInteger(value) : typeof value === 'string' && !/\p{Cc}/u.test(value)
    if (order === sort && isValidValue && typeof id === 'string' && !/\p{Cc}/u.test(id)) {
      return { page_value: value as string | number, page_id: id }
    }
  } catch {
    // Not one of our cursors: rejected below.
  }
  throw new AppError('request.invalid', {
    fields: [
      {
        field: 'cursor',
        message: 'This cursor is invalid or belongs to another list or sort order. Request the first page again.',
      },
    ],
  })
}
