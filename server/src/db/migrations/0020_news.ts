import { type Kysely, sql } from 'kysely'

/**
 * Adds data for the dashboard: news from recipients, since when links wait to be opened, and when a user last visited the dashboard.
 */
export async function up(db: Kysely<unknown>) {
  // Read from the audit log: see features/stats/news.service.ts. Stored, because a burst of uploads has thousands of entries.
  await db.schema
    .createTable('news')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('company_id', 'text', (c) => c.notNull())
    .addColumn('link_key', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('files', 'integer', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('receipt_id', 'text')
    .execute()
  await db.schema.createIndex('news_at').on('news').columns(['at', 'id']).execute()
  await db.schema.createIndex('news_company').on('news').columns(['company_id', 'at', 'id']).execute()
  await db.schema.createIndex('news_link').on('news').columns(['link_key', 'kind', 'at']).execute()

  await db.schema.alterTable('link').addColumn('waiting_since', 'text').execute()
  await sql`update link set waiting_since = coalesce((select max(link_event.at) from link_event
      where link_event.link_key = link.key and link_event.kind = 'code_sent'), created_at)
    where not exists (select 1 from link_event where link_event.link_key = link.key
      and link_event.kind in ('opened', 'downloaded', 'uploaded'))`.execute(db)
  await sql`create index link_waiting on link (waiting_since, key) where waiting_since is not null`.execute(db)
  await sql`create index link_company_waiting on link (company_id, waiting_since, key) where waiting_since is not null`.execute(
    db,
  )

  for (const column of visitColumns) await db.schema.alterTable('user').addColumn(column, 'text').execute()
}

const visitColumns = ['visited_at', 'news_since']

export async function down(db: Kysely<unknown>) {
  for (const column of visitColumns) await db.schema.alterTable('user').dropColumn(column).execute()
  for (const index of ['link_waiting', 'link_company_waiting']) await db.schema.dropIndex(index).execute()
  await db.schema.alterTable('link').dropColumn('waiting_since').execute()
  await db.schema.dropTable('news').execute()
}
