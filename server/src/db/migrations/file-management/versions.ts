import { type Kysely, sql } from 'kysely'

/**
 * Adds versions of files, and bytes that several files share. `blob_id` is the id of a file's bytes, which used to be the id of the file.
 * Links can be pinned to a version, and a finished upload stores the file that it became a version of.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .alterTable('file')
    .addColumn('blob_id', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('file')
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
  await sql`update file set blob_id = id`.execute(db)
  // New uploads add nothing to this index: only replaced and copied files have a `blob_id` that differs from their id.
  await sql`create index file_shared_blob on file (blob_id) where blob_id <> id`.execute(db)

  await db.schema
    .createTable('file_version')
    // Not deleted together with the file, because its bytes would stay behind.
    .addColumn('file_id', 'text', (c) => c.notNull().references('file.id'))
    .addColumn('blob_id', 'text', (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('crc32', 'bigint', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('uploaded_by', 'text')
    .addColumn('link_key', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('thumbnail', 'text', (c) => c.notNull())
    .addColumn('thumbnail_id', 'text')
    .addColumn('thumbnail_size', 'integer')
    .addColumn('damaged_at', 'text')
    .addColumn('replaced_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('file_version_id', ['file_id', 'blob_id'])
    .execute()
  await db.schema.createIndex('file_version_number').on('file_version').columns(['file_id', 'number']).unique().execute()
  await db.schema.createIndex('file_version_blob').on('file_version').column('blob_id').execute()
  await db.schema.createIndex('file_version_replaced').on('file_version').columns(['replaced_at', 'file_id']).execute()
  await sql`create index file_version_thumbnail on file_version (thumbnail_id) where thumbnail_id is not null`.execute(db)

  await db.schema
    .createTable('shared_blob')
    .addColumn('blob_id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('refs', 'integer', (c) => c.notNull())
    .execute()

  await db.schema.alterTable('link').addColumn('version', 'text').execute()
  await sql`create index link_version on link (version) where version is not null`.execute(db)
  await db.schema.alterTable('upload').addColumn('file_id', 'text').execute()
}

export async function down(db: Kysely<unknown>) {
  await db.schema.alterTable('upload').dropColumn('file_id').execute()
  await db.schema.dropIndex('link_version').execute()
  await db.schema.alterTable('link').dropColumn('version').execute()
  await db.schema.dropTable('shared_blob').execute()
  await db.schema.dropTable('file_version').execute()
  await db.schema.dropIndex('file_shared_blob').execute()
  for (const column of ['version', 'blob_id']) await db.schema.alterTable('file').dropColumn(column).execute()
}
