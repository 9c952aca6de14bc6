import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { toNameOrder } from '../lib/names/name-order.ts'
import { type Db, isSqlite } from './database.ts'

/** A table with a column `name_order`. */
interface NamedTable {
  table: string
  /** The primary key. */
  id: string
  /** The column whose null and other values have separate indexes on `name_order`. */
  split?: string
}

const namedTables: NamedTable[] = [
  { table: 'company', id: 'id', split: 'archived_at' },
  { table: 'user', id: 'id', split: 'removed_at' },
  { table: 'directory', id: 'id' },
  { table: 'file', id: 'seq', split: 'deleted_at' },
  { table: 'link', id: 'key' },
]

interface NamedRow {
  id: string | number
  name: string
  name_order: string
}

/** Small enough that one statement takes a few milliseconds. */
const batchSize = 500

/** Counts wrong sort keys of names. With `isRepair`, corrects them. */
export async function checkSortKeys(db: Db, isRepair: boolean): Promise<number> {
  let wrong = 0
  for (const named of namedTables) {
    for await (const rows of listNames(db, named)) {
      const wrongRows = rows.filter(({ name, name_order }) => name_order !== toNameOrder(name))
      if (isRepair) await setSortKeys(db, named, wrongRows)
      wrong += wrongRows.length
      await nextTurn() // SQLite runs on the event loop: let it serve other requests, too
    }
  }
  return wrong
}

/** Sets the sort keys of names that nodes with a previous version wrote during an upgrade. */
export async function setMissingSortKeys(db: Db): Promise<void> {
  for (const named of namedTables) {
    const part = named.split === undefined ? undefined : sql.ref(named.split)
    for (const condition of part ? [sql`${part} is null`, sql`${part} is not null`] : [sql`1 = 1`]) {
      const missing = sql`name_order = '' and ${condition}`
      for (let count = batchSize; count === batchSize; ) {
        const rows = await selectNames(db, named, missing)
        await setSortKeys(db, named, rows)
        count = rows.length
      }
    }
  }
}

/** Reads all names of a table in batches. */
async function* listNames(db: Db, named: NamedTable): AsyncGenerator<NamedRow[]> {
  const id = sql.ref(named.id)
  for (let isAfter = sql`1 = 1`; ; ) {
    const rows = await selectNames(db, named, isAfter, sql`order by ${id}`)
    if (rows.length > 0) yield rows
    if (rows.length < batchSize) return
    isAfter = sql`${id} > ${rows.at(-1)?.id}`
  }
}

async function selectNames(db: Db, { table, id }: NamedTable, condition = sql`1 = 1`, order = sql``) {
  const { rows } = await sql<NamedRow>`select ${sql.ref(id)} as id, name, name_order from ${sql.table(table)}
    where ${condition} ${order} limit ${sql.lit(batchSize)}`.execute(db)
  return rows
}

/** Stores the sort keys of these names. Skips rows that were renamed since. */
async function setSortKeys(db: Db, { table, id }: NamedTable, rows: NamedRow[]): Promise<void> {
  if (rows.length === 0) return
  const [target, key] = [sql.table(table), sql.ref(`${table}.${id}`)]
  const orders = rows.map((row) => [row.id, row.name, toNameOrder(row.name)])
  const set = isSqlite(db)
    ? sql`update ${target} set name_order = value ->> 2 from json_each(${JSON.stringify(orders)})
        where ${key} = value ->> 0 and name = value ->> 1`
    : sql`update ${target} set name_order = named.name_order from unnest(${orders.map(([id]) => String(id))}::text[],
        ${orders.map(([, name]) => name)}::text[], ${orders.map(([, , order]) => order)}::text[]) as named (id, name, name_order)
        where ${key} = named.id${sql.raw(id === 'seq' ? '::bigint' : '')} and ${sql.ref(`${table}.name`)} = named.name`
  await set.execute(db)
}
