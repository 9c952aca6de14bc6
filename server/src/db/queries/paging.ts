import type { RawBuilder, SelectQueryBuilder } from 'kysely'
import { scan, type WithRequester } from '../../lib/concurrency/scan.ts'
import type { Db } from '../database.ts'
import type { Schema } from '../schema.ts'
import { type ListedCompanies, limitToCompanies, limitToListed } from './company-scope.ts'
import { chooseReadMethod, isOneOf, isOneOfKeys, readMergedKeys, scannedRowCount, selectScannedKeys } from './merged-companies.ts'
import { buildOrder, decodeCursor, encodeCursor, type Key, type Rows } from './page-order.ts'

export interface PageRequest extends WithRequester {
  limit: number
  cursor?: string | undefined
  /** A key of `columns`, with a leading minus for descending order. Defaults to the first one. */
  sort?: string | undefined
}

export type { Rows }

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
  /**
   * For users with thousands of selected companies: whether to scan the keys of all rows of a filtered list, and to read only the rows of
   * selected companies. Slower if it needs many slices.
   */
  scansKeys?: boolean
  /** The companies whose rows are listed. */
  companies?: ListedCompanies
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
  { table, columns, id, narrow, show, isFiltered, scansKeys, companies }: List<Table, Row>,
  { limit, cursor, sort = '', requester }: PageRequest,
): Promise<{ rows: Row[]; next: string | null }> {
  const order = buildOrder(columns, id, sort)
  const start = cursor ? decodeCursor(cursor, order.cursorSort) : undefined
  const select = () => db.selectFrom(table) as unknown as Rows<Table>
  let reading = scansKeys ? 'scanned' : await chooseReadMethod(db, companies, isFiltered)
  let isFirstMerge = false
  const minRows = reading === 'scanned' ? scannedRowCount : isFiltered ? minFilteredSliceRows : 0
  const { rows, end } = await scan<Row & Key, Key>(
    requester,
    { rowCount: limit + 1, firstSliceRows: Math.max(minRows, limit + 1) },
    async (after = start, size, rowCount) => {
      // Usually, the first rows that are merged after a scan fill the page.
      const slice = await selectSlice(after, isFirstMerge ? rowCount : size, rowCount)
      const shown =
        companies && !slice.isLimited ? limitToCompanies(show(slice.rows), companies.column, companies.scope) : show(slice.rows)
      isFirstMerge = reading === 'scanned' && !isFiltered
      if (isFirstMerge) reading = 'merged' // for the next slice, if this one doesn't fill the page
      const found = (await order.applyTo(shown).select(order.key).limit(rowCount).execute()) as (Row & Key)[]
      return { rows: found, end: found.length === rowCount ? found.at(-1) : await slice.findEnd() }
    },
  )
  const last = rows.length > limit ? rows[limit - 1] : end
  return { rows: rows.slice(0, limit), next: last ? encodeCursor(order.cursorSort, last.page_value, last.page_id) : null }

  /**
   * Selects the next slice: the next `size` rows after a key. With `selectScannedKeys`, selects only the rows of selected companies among
   * them, and at most `rowCount` if the list has no filter. `findEnd` returns the key after which the next slice starts; undefined after
   * the last row. `isLimited` is true if the query itself limits the rows to the caller's companies, so that `readPage` need not.
   */
  async function selectSlice(after: Key | undefined, size: number, rowCount: number) {
    const from = (slice: Rows<Table>) => db.selectFrom(slice.selectAll().limit(size).as(table)) as unknown as Rows<Table>
    // Narrows the rows after they were found by their ids, because SQLite would otherwise search for them in another index.
    const fromIds = (isFound: RawBuilder<boolean>) => narrow(from(select().where(isFound)))
    if (companies && reading === 'merged') {
      const keys = await readMergedKeys(db, { table, order, narrow, companies }, after, size)
      const ids = keys.map(({ page_id }) => page_id)
      return { rows: fromIds(isOneOf(db, id, ids)), isLimited: false, findEnd: async () => keys[size - 1] }
    }
    const listed = companies && reading === 'at once' ? limitToListed(narrow(select()), companies) : narrow(select())
    const sorted = order.applyTo(listed, after)
    const findEnd = async () =>
      (await sorted
        .select(order.key)
        .offset(size - 1)
        .limit(1)
        .executeTakeFirst()) as Key | undefined
    if (!companies || reading !== 'scanned' || (isFiltered && !scansKeys))
      return { rows: from(sorted), isLimited: reading === 'at once', findEnd }
    const keys = selectScannedKeys(db, sorted, order, companies, size, isFiltered ? size : rowCount)
    if (isFiltered) return { rows: fromIds(isOneOfKeys(db, id, keys)), isLimited: true, findEnd }
    const findLastKey = async () => (await keys.execute(db)).rows[rowCount - 1]
    return { rows: fromIds(isOneOfKeys(db, id, keys)), isLimited: true, findEnd: async () => (await findLastKey()) ?? findEnd() }
  }
}

/** Returns one page of a list of at most a few thousand rows, which are found by their ids and sorted for every page. */
export async function readPageOfShortList<Row>(
  // biome-ignore lint/suspicious/noExplicitAny: which tables are joined makes no difference here.
  rows: SelectQueryBuilder<any, any, Row>,
  { columns, id }: Pick<List<keyof Schema, Row>, 'columns' | 'id'>,
  { limit, cursor, sort = '' }: PageRequest,
): Promise<{ rows: Row[]; next: string | null }> {
  const order = buildOrder(columns, id, sort)
  const page = order.applyTo(rows, cursor ? decodeCursor(cursor, order.cursorSort) : undefined)
  const found = (await page
    .select(order.key)
    .limit(limit + 1)
    .execute()) as (Row & Key)[]
  const last = found.length > limit ? found[limit - 1] : undefined
  return { rows: found.slice(0, limit), next: last ? encodeCursor(order.cursorSort, last.page_value, last.page_id) : null }
}
