import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Adds the state that several processes share. */
export async function up(db: Kysely<unknown>) {
  // The process that writes an upload, its heartbeat, and the process that waits for it: see features/upload/upload-lock.service.ts.
  await db.schema.alterTable('upload').addColumn('holder', 'text').execute()
  await db.schema
    .alterTable('upload')
    .addColumn('beat', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('upload').addColumn('awaited_by', 'text').execute()

  // The state of an upload to an object store: see blobs/s3/uploads.ts.
  await db.schema
    .createTable('blob_upload')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('changed_at', 'text', (c) => c.notNull())
    .execute()

  // Scheduled jobs, which one process runs for all: see features/job.
  await db.schema
    .createTable('job')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('ran_at', 'text', (c) => c.notNull())
    .execute()

  // For foreign key checks when a directory is deleted, which would otherwise scan every file.
  await db.schema.createIndex('file_directory').on('file').column('directory_id').execute()
  await db.schema.createIndex('upload_directory').on('upload').column('directory_id').execute()
  for (const scope of ['company', 'directory']) {
    const [name, column] = [sql.ref(`file_${scope}_trash`), sql.ref(`${scope}_id`)]
    await sql`create index ${name} on file (${column}, deleted_at, id) where deleted_at is not null`.execute(db)
  }
  await db.schema.createIndex('link_ask_created').on('link_ask').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('audit_outcome').on('audit').columns(['outcome', 'seq']).execute()
  // Trigram indexes, as for files.
  if (db.getExecutor().adapter instanceof PostgresAdapter)
    await sql`create index link_search on link using gin (name_key gin_trgm_ops, email gin_trgm_ops)`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  if (db.getExecutor().adapter instanceof PostgresAdapter) await db.schema.dropIndex('link_search').execute()
  const indexes = ['audit_outcome', 'link_ask_created', 'file_company_trash', 'file_directory_trash']
  for (const index of [...indexes, 'upload_directory', 'file_directory']) await db.schema.dropIndex(index).execute()
  for (const table of ['job', 'blob_upload']) await db.schema.dropTable(table).execute()
  for (const column of ['awaited_by', 'beat', 'holder']) await db.schema.alterTable('upload').dropColumn(column).execute()
}
