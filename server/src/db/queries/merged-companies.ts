import { sql } from 'kysely'
import { type Db, isSqlite } from '../database.ts'
import type { Schema } from '../schema.ts'
import { countSelected, type ListedCompanies } from './company-scope.ts'
import type { Key, PageOrder, Rows } from './page-order.ts'

/** With up to this many selected companies, their rows are merged at once. With more, a scan of all rows is tried first. */
const maxMergedCompanies = 1000
/** How many rows of all companies are scanned for a page. Enough for one if every twentieth row belongs to a selected company. */
export const scannedRows = 1500

/**
 * How to read rows of the companies that a caller may see. `at once`: from one index. `merged`: company by company. `scanned`: from the
 * index of all companies, without the rows of others.
 */
export async function chooseReading(db: Db, companies: ListedCompanies | undefined): Promise<'at once' | 'merged' | 'scanned'> {
  const { member } = companies?.scope ?? {}
  if (member === undefined || companies?.requested) return 'at once'
  return (await countSelected(db, member, maxMergedCompanies + 1)) > maxMergedCompanies ? 'scanned' : 'merged'
}

interface MergedList<Table extends keyof Schema> {
  table: Table
  order: PageOrder
  narrow: (rows: Rows<Table>) => Rows<Table>
  companies: ListedCompanies
}

/**
 * Returns the keys of the first `size` rows after a key, of all companies that are selected for a user. Only the companies whose first rows
 * come first can have one of these rows. So it reads one row of each company, and more only of those.
 */
export async function readMergedKeys<Table extends keyof Schema & string>(
  db: Db,
  { table, order, narrow, companies: { column, scope } }: MergedList<Table>,
  after: Key | undefined,
  size: number,
): Promise<Key[]> {
  const select = () => db.selectFrom(table) as unknown as Rows<Table>
  const ofOneCompany = (limit: number) =>
    order
      .applyTo(narrow(select()), after)
      .where(sql<boolean>`${sql.ref(column)} = selected.company_id`)
      .select(sql`${sql.ref(order.id)}`.as('id'))
      .limit(limit)
  const direction = sql.raw(order.direction)
  const ids = isSqlite(db) ? selectInSqlite() : selectInPostgres()
  const rows = order
    .applyTo(select().where(sql<boolean>`${sql.ref(order.id)} in (${ids})`))
    .select(order.key)
    .limit(size)
  return (await rows.execute()) as Key[]

  // SQLite has no lateral joins, but evaluates a subquery and a list of values for each row.
  function selectInSqlite() {
    const [value, id] = [order.column, order.id].map((name) => sql.ref(`nearest.${name.split('.').at(-1)}`))
    return sql`select value from (select selected.company_id from user_company as selected cross join ${sql.table(table)} as nearest
      on ${id} = (${ofOneCompany(1)}) where selected.user_id = ${scope.member}
      order by ${value} ${direction}, ${id} ${direction} limit ${size}) as selected,
      json_each((select json_group_array(id) from (${ofOneCompany(size)})))`
  }

  function selectInPostgres() {
    const first = ofOneCompany(1).select(sql`${sql.ref(order.column)}`.as('value'))
    return sql`select found.id from (select selected.company_id from user_company as selected cross join lateral (${first}) as nearest
      where selected.user_id = ${scope.member} order by nearest.value ${direction}, nearest.id ${direction} limit ${size}) as selected
      cross join lateral (${ofOneCompany(size)}) as found`
  }
}

/** Builds the condition that a column has one of these values, as a single parameter. */
export const isOneOf = (db: Db, column: string, values: (string | number)[]) =>
  isSqlite(db)
    ? sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<boolean>`${sql.ref(column)} = any(${values})`
