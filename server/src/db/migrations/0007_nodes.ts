import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** What several processes must know of each other. */
export async function up(db: Kysely<unknown>) {
  // Who writes an upload, that they still do, and who waits for them to let go: see features/file/hold.service.ts.
  await db.schema.alterTable('upload').addColumn('holder', 'text').execute()
  await db.schema
    .alterTable('upload')
    .addColumn('beat', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('upload').addColumn('awaited_by', 'text').execute()

  // Where the bytes of an upload stand that are with an object store: see blobs/s3.ts.
  await db.schema
    .createTable('blob_upload')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('changed_at', 'text', (c) => c.notNull())
    .execute()

  // What one process does for all: see features/job.
  await db.schema
    .createTable('job')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('ran_at', 'text', (c) => c.notNull())
    .execute()

  // Whoever removes a directory is asked whether anything refers to it; without these, every file is looked at.
  await db.schema.createIndex('file_directory').on('file').column('directory_id').execute()
  await db.schema.createIndex('upload_directory').on('upload').column('directory_id').execute()
  for (const scope of ['company', 'directory']) {
    const [name, column] = [sql.ref(`file_${scope}_trash`), sql.ref(`${scope}_id`)]
    await sql`create index ${name} on file (${column}, deleted_at, id) where deleted_at is not null`.execute(db)
  }
  await db.schema.createIndex('link_ask_created').on('link_ask').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('audit_outcome').on('audit').columns(['outcome', 'seq']).execute()
  // As with files: looking for a part of a name must not read every name.
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
