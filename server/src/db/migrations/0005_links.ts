import { type Kysely, PostgresAdapter, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter

  await db.schema
    .createTable('link')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('company_id', 'text', (c) => c.notNull().references('company.id'))
    .addColumn('directory_id', 'text', (c) => c.notNull().references('directory.id').onDelete('cascade'))
    .addColumn('file_id', 'text', (c) => c.references('file.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull())
    .addColumn('maker_id', 'text', (c) => c.notNull().references('user.id'))
    .addColumn('code_mac', 'text', (c) => c.notNull())
    .addColumn('code_sealed', 'text', (c) => c.notNull())
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('email', 'text')
    .addColumn('tells_download_at', 'text')
    .addColumn('noticed_at', 'text')
    .addColumn('files', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  for (const column of ['created_at', 'name_key', 'expires_at']) {
    await db.schema.createIndex(`link_${column}`).on('link').columns([column, 'key']).execute()
    await db.schema.createIndex(`link_company_${column}`).on('link').columns(['company_id', column, 'key']).execute()
  }
  for (const column of ['directory_id', 'file_id', 'maker_id']) {
    await db.schema.createIndex(`link_${column}`).on('link').column(column).execute()
  }

  await db.schema
    .createTable('link_reservation')
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('directory_id', 'text', (c) => c.notNull().references('directory.id').onDelete('cascade'))
    .addColumn('code_mac', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('link_reservation_key', ['key', 'user_id'])
    .execute()
  await db.schema.createIndex('link_reservation_end').on('link_reservation').column('ends_at').execute()

  await db.schema
    .createTable('link_session')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('link_key', 'text', (c) => c.notNull().references('link.key').onDelete('cascade'))
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_seen_at', 'text', (c) => c.notNull())
    .addColumn('idle_ends_at', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'text', (c) => c.notNull())
    .addColumn('client', 'text', (c) => c.notNull())
    .addColumn('staff_session_id', 'text', (c) => c.references('session.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('link_session_link').on('link_session').columns(['link_key', 'created_at']).execute()
  await db.schema.createIndex('link_session_staff').on('link_session').column('staff_session_id').execute()
  await db.schema.createIndex('link_session_end').on('link_session').column('idle_ends_at').execute()

  await db.schema
    .createTable('link_event')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('link_key', 'text', (c) => c.notNull().references('link.key').onDelete('cascade'))
    .addColumn('session_id', 'text')
    .addColumn('user_id', 'text', (c) => c.references('user.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('file_id', 'text')
    .addColumn('name', 'text')
    .addColumn('size', 'bigint')
    .addColumn('bytes', 'bigint')
    .addColumn('times', 'integer', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('client', 'text')
    .execute()
  await db.schema.createIndex('link_event_at').on('link_event').columns(['link_key', 'at', 'id']).execute()
  await db.schema.createIndex('link_event_kind').on('link_event').columns(['link_key', 'kind', 'at']).execute()
  // One row per visit, kind of event and file, however many requests a client sends.
  await sql`create unique index link_event_visit on link_event (session_id, kind, file_id)
    where session_id is not null and file_id is not null`.execute(db)

  await db.schema
    .createTable('link_ask')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('link_key', 'text', (c) => c.notNull().references('link.key').onDelete('cascade'))
    .addColumn('wants', 'text', (c) => c.notNull())
    .addColumn('message', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()
  // At most one open request of each kind per link.
  await db.schema.createIndex('link_ask_open').on('link_ask').columns(['link_key', 'wants']).unique().execute()

  await db.schema.alterTable('file').addColumn('link_key', 'text').execute()

  // An upload belongs to a user or a link. SQLite cannot make a column nullable, so the table is recreated.
  await sql`alter table upload rename to upload_before`.execute(db)
  for (const index of ['upload_user', 'upload_end']) await db.schema.dropIndex(index).execute()
  await db.schema
    .createTable('upload')
    .addColumn('id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('upload_id', ['id'])
    .addColumn('directory_id', 'text', (c) => c.notNull().references('directory.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.references('user.id').onDelete('cascade'))
    .addColumn('link_key', 'text', (c) => c.references('link.key').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('conflict', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('metadata', 'text', (c) => c.notNull())
    .addColumn('finished_at', 'text')
    .addColumn('ends_at', 'text', (c) => c.notNull())
    .execute()
  await sql`insert into upload (id, directory_id, user_id, name, conflict, size, metadata, finished_at, ends_at)
    select id, directory_id, user_id, name, conflict, size, metadata, finished_at, ends_at from upload_before`.execute(db)
  await db.schema.dropTable('upload_before').execute()
  await db.schema.createIndex('upload_user').on('upload').column('user_id').execute()
  await db.schema.createIndex('upload_link').on('upload').column('link_key').execute()
  await db.schema.createIndex('upload_end').on('upload').column('ends_at').execute()

  // Attempts at codes are counted hundreds of times a second, and a lost count does no harm.
  if (isPostgres) await sql`alter table throttle set unlogged`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  if (isPostgres) await sql`alter table throttle set logged`.execute(db)
  await sql`delete from upload where user_id is null`.execute(db)
  await db.schema.dropIndex('upload_link').execute()
  await db.schema.alterTable('upload').dropColumn('link_key').execute()
  await db.schema.alterTable('file').dropColumn('link_key').execute()
  for (const table of ['link_ask', 'link_event', 'link_session', 'link_reservation', 'link']) {
    await db.schema.dropTable(table).execute()
  }
}
