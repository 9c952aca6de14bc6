import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { listNames, type NamedTable, setOrders } from '../../name-orders.ts'

/**
 * Adds the key by which lists sort names (see lib/name-order.ts), and replaces `name_key` with it in the indexes for lists. Uses the
 * function that also computes the keys of new rows: should it change, a later migration has to compute all keys again anyway.
 */
export async function up(db: Kysely<unknown>) {
  // PostgreSQL compares text in the language of the database, unless the column says otherwise.
  const type = isPostgres(db) ? sql`text collate "C"` : sql`text`
  for (const { table } of namedTables)
    await db.schema
      .alterTable(table)
      // Nodes with the version before insert rows without a key. An hourly job adds it.
      .addColumn('name_order', type, (c) => c.notNull().defaultTo(''))
      .execute()
  for (const index of listIndexes) await db.schema.dropIndex(`${index.name}_name_key`).execute()
  for (const named of namedTables)
    await withoutIndexes(db, named.table, async () => {
      for await (const rows of listNames(db, named, batchSize)) await setOrders(db, named, rows)
    })
  for (const index of listIndexes) await createIndex(db, index, 'name_order')
  // The index of the list also found a folder by its parent and name. Now the index that keeps names unique does.
  await db.schema.dropIndex('directory_name').execute()
  await sql`create unique index directory_name on directory (company_id, name_key)
    where deleted_at is null and parent_id is null`.execute(db)
  await sql`create unique index folder_name on directory (parent_id, name_key)
    where deleted_at is null and parent_id is not null`.execute(db)
}

/** Large enough for few statements, and small enough for little memory. */
const batchSize = 5000

const namedTables: NamedTable[] = [
  { table: 'company', id: 'id' },
  { table: 'user', id: 'id' },
  { table: 'directory', id: 'id' },
  { table: 'file', id: 'seq' },
  { table: 'link', id: 'key' },
]

/**
 * PostgreSQL writes a new copy of each changed row, which every index would refer to. It is faster to create the indexes again, and they are
 * as small as before. SQLite changes rows in place.
 */
async function withoutIndexes(db: Kysely<unknown>, table: string, work: () => Promise<void>) {
  if (!isPostgres(db)) return work()
  const { rows } = await sql<{ name: string; definition: string }>`select indexrelid::regclass::text as name,
      pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = ${sql.lit(`"${table}"`)}::regclass
      and indexrelid not in (select conindid from pg_constraint)`.execute(db)
  for (const { name } of rows) await sql`drop index ${sql.raw(name)}`.execute(db)
  await work()
  for (const { definition } of rows) await sql`${sql.raw(definition)}`.execute(db)
}

interface ListIndex {
  name: string
  table: string
  /** The columns before and after the name. */
  before?: string[]
  after: string[]
  where?: string
}

const live = 'deleted_at is null'
const listIndexes: ListIndex[] = [
  { name: 'company_open', table: 'company', after: ['id'], where: 'archived_at is null' },
  { name: 'company_archived', table: 'company', after: ['id'], where: 'archived_at is not null' },
  { name: 'user', table: 'user', after: ['id', 'company_id'], where: 'removed_at is null' },
  { name: 'user_company', table: 'user', before: ['company_id'], after: ['id'], where: 'removed_at is null' },
  { name: 'user_removed', table: 'user', after: ['id'], where: 'removed_at is not null' },
  { name: 'user_company_removed', table: 'user', before: ['company_id'], after: ['id'], where: 'removed_at is not null' },
  { name: 'directory', table: 'directory', after: ['id', 'company_id'] },
  { name: 'directory_company', table: 'directory', before: ['company_id'], after: ['id'] },
  { name: 'directory_top', table: 'directory', after: ['id', 'company_id'], where: 'parent_id is null' },
  { name: 'directory_company_top', table: 'directory', before: ['company_id'], after: ['id'], where: 'parent_id is null' },
  { name: 'directory_parent', table: 'directory', before: ['parent_id'], after: ['id'], where: 'parent_id is not null' },
  { name: 'file', table: 'file', after: ['id', 'company_id'], where: live },
  { name: 'file_company', table: 'file', before: ['company_id'], after: ['id'], where: live },
  { name: 'file_directory', table: 'file', before: ['directory_id'], after: ['id'], where: live },
  { name: 'file_trash', table: 'file', after: ['id'], where: 'deleted_at is not null' },
  { name: 'file_company_trash', table: 'file', before: ['company_id'], after: ['id'], where: 'deleted_at is not null' },
  { name: 'link', table: 'link', after: ['key', 'company_id'] },
  { name: 'link_company', table: 'link', before: ['company_id'], after: ['key'] },
  { name: 'link_maker', table: 'link', before: ['maker_id'], after: ['key'] },
  { name: 'link_closed', table: 'link', before: ['standing'], after: ['key', 'expires_at'], where: `standing <> 'open'` },
  {
    name: 'link_company_closed',
    table: 'link',
    before: ['company_id', 'standing'],
    after: ['key', 'expires_at'],
    where: `standing <> 'open'`,
  },
]

async function createIndex(db: Kysely<unknown>, { name, table, before = [], after, where }: ListIndex, column: string) {
  const columns = sql.join([...before, column, ...after].map((part) => sql.ref(part)))
  await sql`create index ${sql.ref(`${name}_${column}`)} on ${sql.table(table)} (${columns}) ${sql.raw(where ? `where ${where}` : '')}`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  for (const index of ['folder_name', 'directory_name']) await db.schema.dropIndex(index).execute()
  await sql`create unique index directory_name on directory (coalesce(parent_id, company_id), name_key)
    where deleted_at is null`.execute(db)
  for (const index of listIndexes) {
    await db.schema.dropIndex(`${index.name}_name_order`).execute()
    await createIndex(db, index, 'name_key')
  }
  for (const { table } of namedTables) await db.schema.alterTable(table).dropColumn('name_order').execute()
}

const isPostgres = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter
