import { type RawBuilder, sql } from 'kysely'
import { type Db, isSqlite } from '../database.ts'
import type { Schema } from '../schema.ts'
import { hasMoreSelected, type ListedCompanies } from './company-scope.ts'
import type { Key, PageOrder, Rows } from './page-order.ts'

/** With up to this many selected companies, their rows are merged. With more, the rows of all companies are scanned first. */
const maxMergedCompanies = 1000
/** The same for lists with filters. They may need many slices, and each merged slice reads a row of every company. */
const maxFilteredCompanies = 200
/** How many rows of all companies are scanned for a page. Enough for a page if one row in twenty belongs to a selected company. */
export const scannedRowCount = 1500

/**
 * How to read the rows of the companies that a caller may see. `at once`: from one index, which has only these rows. `merged`:
 * company by company. `scanned`: from the index of all companies, filtering out the rows of others.
 */
export type ReadMethod = 'at once' | 'merged' | 'scanned'

/** Chooses how to read the rows of a list. */
export async function chooseReadMethod(db: Db, companies: ListedCompanies | undefined, isFiltered: boolean): Promise<ReadMethod> {
  const { member } = companies?.scope ?? {}
  if (member === undefined || companies?.requested) return 'at once'
  const max = isFiltered ? maxFilteredCompanies : maxMergedCompanies
  return (await hasMoreSelected(db, member, max)) ? 'scanned' : 'merged'
}

/** Returns whether so many companies are selected for a user that lists are scanned. */
export const hasManyCompanies = (db: Db, member: string) => hasMoreSelected(db, member, maxMergedCompanies)

interface MergedList<Table extends keyof Schema> {
  table: Table
  order: PageOrder
  narrow: (rows: Rows<Table>) => Rows<Table>
  companies: ListedCompanies
}

/**
 * Returns the keys of the first `size` rows after a key, over all companies that are selected for a user. First reads the next row of each
 * company. Only the `size` companies whose next rows come first can have one of the rows, so it reads further rows only of these.
 */
export async function readMergedKeys<Table extends keyof Schema & string>(
  db: Db,
  { table, order, narrow, companies: { column, scope } }: MergedList<Table>,
  after: Key | undefined,
  size: number,
): Promise<Key[]> {
  const ofOneCompany = (limit: number) =>
    order
      .applyTo(narrow(db.selectFrom(table) as unknown as Rows<Table>), after)
      .where(sql<boolean>`${sql.ref(column)} = selected.company_id`)
      .select(order.key)
      .limit(limit)
  const inOrder = sql`order by ${order.ofKeys} limit ${size}`
  const { rows } = await (isSqlite(db) ? selectInSqlite() : selectInPostgres()).execute(db)
  return rows

  function selectInPostgres() {
    return sql<Key>`select found.* from (select selected.company_id from user_company as selected
        cross join lateral (${ofOneCompany(1)}) as nearest where selected.user_id = ${scope.member} ${inOrder}) as selected
      cross join lateral (${ofOneCompany(size)}) as found ${inOrder}`
  }

  // SQLite has no lateral joins, but can evaluate `json_each` for each row. For thousands of companies, one text for value
  // and id takes half as long.
  function selectInSqlite() {
    const nearestKey = sql`(select case typeof(page_value) when 'text' then page_value else format('%020d', page_value) end || char(0) || page_id
      from (${ofOneCompany(1)}) as "nearest")`
    const nearest = sql`(select company_id, ${nearestKey} as nearest_key from user_company as selected where user_id = ${scope.member}
      order by nearest_key ${sql.raw(order.direction)} nulls last limit ${size}) as "selected"`
    return sql<Key>`select value ->> 0 as page_value, value ->> 1 as page_id from ${nearest},
      json_each((select json_group_array(json_array(page_value, page_id)) from (${ofOneCompany(size)}) as "rows")) ${inOrder}`
  }
}

/**
 * Scans the next `size` rows of all companies, and selects the keys of up to `rowCount` rows whose company is selected for a user. `sorted`
 * selects the rows in order. Reads only keys, because most rows belong to other companies, and stops at the last one needed.
 */
export function selectScannedKeys<Table extends keyof Schema>(
  db: Db,
  sorted: Rows<Table>,
  order: PageOrder,
  { column, scope: { member = '' } }: ListedCompanies,
  size: number,
  rowCount: number,
): RawBuilder<Key> {
  const keys = sorted.select([...order.key, sql`${sql.ref(column)}`.as('page_company')])
  // Sorts by the same column names as the outer query. Otherwise SQLite would sort the entries of the audit log again.
  const scanned = keys.clearOrderBy().orderBy(order.ofKeys).limit(size)
  // PostgreSQL looks up a thousand companies faster in a hash table of the selected ones. `is true` keeps it from joining instead.
  const isSelectedCompany = isSqlite(db)
    ? sql`exists (select 1 from user_company as in_scope where in_scope.user_id = ${member} and in_scope.company_id = page_company)`
    : sql`(scanned.page_company in (select company_id from user_company where user_id = ${member})) is true`
  return sql<Key>`select page_value, page_id from (${scanned}) as "scanned" where ${isSelectedCompany}
    order by ${order.ofKeys} limit ${rowCount}`
}

/**
 * Builds the condition that a column has the id of one of these keys. PostgreSQL looks up an array in an index, but might join a subquery.
 */
export function isOneOfKeys(db: Db, column: string, keys: RawBuilder<Key>) {
  const ids = sql`(select page_id from (${keys}) as "keys")`
  return sql<boolean>`${sql.ref(column)} ${isSqlite(db) ? sql`in ${ids}` : sql`= any(array${ids})`}`
}

/** Builds the condition that a column has one of these values, as a single parameter. */
export const isOneOf = (db: Db, column: string, values: (string | number)[]) =>
  isSqlite(db)
    ? sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<boolean>`${sql.ref(column)} = any(${values})`
