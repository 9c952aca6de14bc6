import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Stores which quota warning a company got last, and how many directories, files and links companies have. Indexes the companies whose
 * usage is checked, the names of companies, and on SQLite the names of users. Also names why links are closed: until now, they were
 * `paused` or `trashed`.
 */
export async function up(db: Kysely<unknown>) {
  await addRemovedUserIndexes(db)
  await addTotals(db)
  // Has all columns, so that the sums over thousands of companies are read from the index alone.
  await db.schema
    .createIndex('transfer_company')
    .on('transfer')
    .columns(['company_id', 'day', 'uploads', 'downloads', 'bytes_in', 'bytes_out'])
    .execute()
  await db.schema
    .alterTable('company')
    .addColumn('warned_percent', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`create index company_checked on company (id) where quota_bytes is not null or warned_percent > 0`.execute(db)

  await sql`update link set standing = case when exists (select 1 from "user" where "user".id = link.maker_id
    and "user".suspended_at is not null) then 'owner_suspended' else 'owner_without_access' end where standing = 'paused'`.execute(
    db,
  )
  await sql`update link set standing = case when exists (select 1 from directory where directory.id = link.directory_id
    and directory.deleted_at is not null) then 'directory_deleted' else 'file_deleted' end where standing = 'trashed'`.execute(db)

  // Trigram indexes, as for files. Companies and users have no number for SQLite to refer to, so the indexes store their ids.
  if (isPostgres(db)) await sql`create index company_search on company using gin (name_key gin_trgm_ops)`.execute(db)
  else for (const index of searchIndexes) await addSearchIndex(db, index)
}

interface SearchIndex {
  table: string
  columns: string[]
}

/** PostgreSQL has an index on users since 0015. */
const searchIndexes: SearchIndex[] = [
  { table: 'company', columns: ['name_key'] },
  { table: 'user', columns: ['name_key', 'email'] },
]

async function addSearchIndex(db: Kysely<unknown>, { table, columns }: SearchIndex) {
  const [rows, index, id] = [sql.table(table), sql.table(`${table}_search`), sql.ref(`${table}_id`)]
  const list = (prefix = '') => sql.join(columns.map((column) => sql.ref(`${prefix}${column}`)))
  const trigger = (event: string) => sql.ref(`${table}_search_${event}`)
  await sql`create virtual table ${index} using fts5(${list()}, ${id} unindexed, tokenize='trigram case_sensitive 1')`.execute(db)
  await sql`create trigger ${trigger('insert')} after insert on ${rows} begin
    insert into ${index} (${list()}, ${id}) values (${list('new.')}, new.id); end`.execute(db)
  await sql`create trigger ${trigger('update')} after update of ${list()} on ${rows} when (${list('new.')}) <> (${list('old.')}) begin
    update ${index} set (${list()}) = (${list('new.')}) where ${id} = new.id; end`.execute(db)
  await sql`create trigger ${trigger('delete')} after delete on ${rows} begin
    delete from ${index} where ${id} = old.id; end`.execute(db)
  await sql`insert into ${index} (${list()}, ${id}) select ${list()}, id from ${rows}`.execute(db)
}

/** Adds the totals of each company, and of all under an empty id. Stored, because counting the rows of 100,000 companies is slow. */
async function addTotals(db: Kysely<unknown>) {
  await db.schema
    .createTable('company_total')
    .addColumn('company_id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('directories', 'bigint', (c) => c.notNull())
    .addColumn('files', 'bigint', (c) => c.notNull())
    .addColumn('links', 'bigint', (c) => c.notNull())
    // Without it, SQLite would look up every row twice.
    .$call((table) => (isPostgres(db) ? table : table.modifyEnd(sql`without rowid`)))
    .execute()
  const counted = sql`select company_id, count(*) as directories, sum(files) as files, 0 as links from directory
      where deleted_at is null group by company_id
    union all select company_id, 0, 0, count(*) from link group by company_id`
  await sql`insert into company_total (company_id, directories, files, links)
    select company_id, sum(directories), sum(files), sum(links) from (${counted}) as counted group by company_id`.execute(db)
  await sql`insert into company_total (company_id, directories, files, links)
    select '', coalesce(sum(directories), 0), coalesce(sum(files), 0), coalesce(sum(links), 0) from company_total`.execute(db)
}

/** Indexes removed users in every order of their list, as 0015 does for all others. */
async function addRemovedUserIndexes(db: Kysely<unknown>) {
  for (const column of userColumns) {
    const [all, inCompany, value] = [
      sql.ref(`user_removed_${column}`),
      sql.ref(`user_company_removed_${column}`),
      sql.ref(column),
    ]
    await sql`create index ${all} on "user" (${value}, id) where removed_at is not null`.execute(db)
    await sql`create index ${inCompany} on "user" (company_id, ${value}, id) where removed_at is not null`.execute(db)
  }
}

const userColumns = ['name_key', 'email', 'created_at']

export async function down(db: Kysely<unknown>) {
  for (const column of userColumns)
    for (const index of [`user_removed_${column}`, `user_company_removed_${column}`]) await db.schema.dropIndex(index).execute()
  await db.schema.dropIndex('transfer_company').execute()
  await db.schema.dropTable('company_total').execute()
  await sql`update link set standing = case when standing in ('file_deleted', 'directory_deleted') then 'trashed' else 'paused' end
    where standing <> 'open'`.execute(db)
  if (isPostgres(db)) await db.schema.dropIndex('company_search').execute()
  else
    for (const { table } of searchIndexes) {
      for (const event of ['insert', 'update', 'delete'])
        await sql`drop trigger ${sql.ref(`${table}_search_${event}`)}`.execute(db)
      await db.schema.dropTable(`${table}_search`).execute()
    }
  await db.schema.dropIndex('company_checked').execute()
  await db.schema.alterTable('company').dropColumn('warned_percent').execute()
}

const isPostgres = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter
