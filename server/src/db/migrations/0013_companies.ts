import { type Kysely, sql } from 'kysely'

const sortColumns = ['name_key', 'created_at', 'bytes']

/** Adds the archive time, the quota and the note of companies. Indexes open and archived companies separately, for every sort order. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable('company').addColumn('archived_at', 'text').execute()
  await db.schema.alterTable('company').addColumn('quota_bytes', 'bigint').execute()
  await db.schema
    .alterTable('company')
    .addColumn('note', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  for (const column of sortColumns) {
    const [open, archived, value] = [sql.ref(`company_open_${column}`), sql.ref(`company_archived_${column}`), sql.ref(column)]
    await sql`create index ${open} on company (${value}, id) where archived_at is null`.execute(db)
    await sql`create index ${archived} on company (${value}, id) where archived_at is not null`.execute(db)
  }
}

export async function down(db: Kysely<unknown>) {
  for (const column of sortColumns)
    for (const index of [`company_archived_${column}`, `company_open_${column}`]) await db.schema.dropIndex(index).execute()
  for (const column of ['note', 'quota_bytes', 'archived_at']) await db.schema.alterTable('company').dropColumn(column).execute()
}
