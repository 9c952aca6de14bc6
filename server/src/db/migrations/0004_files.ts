import { type Kysely, PostgresAdapter, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter

  // The bytes a company stores, including the trash, and the files in a directory. Stored, because counting a million rows is slow.
  await db.schema
    .alterTable('company')
    .addColumn('bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  for (const [column, type] of [
    ['name_key', 'text'],
    ['files', 'integer'],
    ['bytes', 'bigint'],
  ] as const) {
    await db.schema
      .alterTable('directory')
      .addColumn(column, type, (c) => c.notNull().defaultTo(type === 'text' ? '' : 0))
      .execute()
  }
  await db.schema.alterTable('directory').addColumn('owner_id', 'text').execute()
  await db.schema.alterTable('directory').addColumn('deleted_at', 'text').execute()
  await sql`update directory set name_key = lower(name)`.execute(db)
  await db.schema.dropIndex('directory_company').execute()
  await sql`create unique index directory_name on directory (company_id, name_key) where deleted_at is null`.execute(db)
  for (const column of ['name_key', 'created_at']) {
    await db.schema.createIndex(`directory_${column}`).on('directory').columns([column, 'id']).execute()
    await db.schema.createIndex(`directory_company_${column}`).on('directory').columns(['company_id', column, 'id']).execute()
  }

  await db.schema
    .createTable('file')
    .$call((table) =>
      isPostgres
        ? table.addColumn('seq', 'bigserial', (c) => c.primaryKey())
        : table.addColumn('seq', 'integer', (c) => c.primaryKey().autoIncrement()),
    )
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('company_id', 'text', (c) => c.notNull().references('company.id'))
    .addColumn('directory_id', 'text', (c) => c.notNull().references('directory.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('crc32', 'bigint', (c) => c.notNull())
    .addColumn('uploaded_by', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('deleted_at', 'text')
    .addColumn('thumbnail', 'text', (c) => c.notNull())
    .addColumn('thumbnail_id', 'text')
    .addColumn('thumbnail_size', 'integer')
    .execute()
  // Names are unique within a directory, without the trash.
  await sql`create unique index file_taken on file (directory_id, name_key) where deleted_at is null`.execute(db)
  for (const column of ['created_at', 'name_key', 'size']) {
    for (const scope of ['', 'company_id', 'directory_id']) {
      const columns = [...(scope ? [scope] : []), column, 'id'].map((name) => sql.ref(name))
      const name = sql.ref(`file_${[scope.replace('_id', ''), column].filter(Boolean).join('_')}`)
      await sql`create index ${name} on file (${sql.join(columns)}) where deleted_at is null`.execute(db)
    }
  }
  await sql`create index file_kind on file (kind, created_at, id) where deleted_at is null`.execute(db)
  await sql`create index file_company_kind on file (company_id, kind, created_at, id) where deleted_at is null`.execute(db)
  await sql`create index file_trash on file (deleted_at, id) where deleted_at is not null`.execute(db)
  await sql`create index file_pictures on file (directory_id, created_at) where thumbnail = 'made' and deleted_at is null`.execute(
    db,
  )
  await sql`create index file_thumbnail on file (thumbnail_id) where thumbnail_id is not null`.execute(db)
  await sql`create index file_to_draw on file (created_at) where thumbnail = 'wanted'`.execute(db)

  // Trigram indexes, so that a search for part of a name does not read every name.
  if (isPostgres) {
    await sql`create extension if not exists pg_trgm`.execute(db)
    await sql`create index file_search on file using gin (name_key gin_trgm_ops)`.execute(db)
  } else {
    await sql`create virtual table file_search using fts5(name_key, content='file', content_rowid='seq', tokenize='trigram case_sensitive 1')`.execute(
      db,
    )
    await sql`create trigger file_search_insert after insert on file begin
      insert into file_search (rowid, name_key) values (new.seq, new.name_key); end`.execute(db)
    await sql`create trigger file_search_delete after delete on file begin
      insert into file_search (file_search, rowid, name_key) values ('delete', old.seq, old.name_key); end`.execute(db)
    await sql`create trigger file_search_update after update of name_key on file begin
      insert into file_search (file_search, rowid, name_key) values ('delete', old.seq, old.name_key);
      insert into file_search (rowid, name_key) values (new.seq, new.name_key); end`.execute(db)
  }

  await db.schema
    .createTable('upload')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('directory_id', 'text', (c) => c.notNull().references('directory.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('conflict', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('metadata', 'text', (c) => c.notNull())
    .addColumn('finished_at', 'text')
    .addColumn('ends_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('upload_user').on('upload').column('user_id').execute()
  await db.schema.createIndex('upload_end').on('upload').column('ends_at').execute()
}

export async function down(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema.dropTable('upload').execute()
  if (!isPostgres) await sql`drop table file_search`.execute(db)
  await db.schema.dropTable('file').execute()
  await db.schema.dropIndex('directory_name').execute()
  for (const column of ['name_key', 'created_at']) {
    await db.schema.dropIndex(`directory_${column}`).execute()
    await db.schema.dropIndex(`directory_company_${column}`).execute()
  }
  for (const column of ['name_key', 'files', 'bytes', 'owner_id', 'deleted_at']) {
    await db.schema.alterTable('directory').dropColumn(column).execute()
  }
  await db.schema.createIndex('directory_company').on('directory').columns(['company_id', 'name']).execute()
  await db.schema.alterTable('company').dropColumn('bytes').execute()
}
