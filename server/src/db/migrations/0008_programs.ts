import { type Kysely, sql } from 'kysely'

/** Adds API tokens and webhooks. */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable('api_token')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_used_at', 'text')
    .addColumn('expires_at', 'text')
    .execute()
  await db.schema.createIndex('api_token_user').on('api_token').column('user_id').execute()

  await db.schema
    .createTable('webhook')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('company_id', 'text', (c) => c.notNull().references('company.id').onDelete('cascade'))
    .addColumn('maker_id', 'text', (c) => c.notNull().references('user.id'))
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('events', 'text', (c) => c.notNull())
    .addColumn('secret_sealed', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('paused_at', 'text')
    .addColumn('problem', 'text')
    .addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('failing_since', 'text')
    .execute()
  await db.schema.createIndex('webhook_company').on('webhook').column('company_id').execute()

  // No foreign key to the webhook, so that an upload never waits for, or fails because of, a webhook that is being deleted.
  await db.schema
    .createTable('webhook_delivery')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('webhook_id', 'text', (c) => c.notNull())
    .addColumn('event', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('next_at', 'text')
    .addColumn('claim', 'text')
    .addColumn('status', 'integer')
    .addColumn('problem', 'text')
    .execute()
  await db.schema
    .createIndex('webhook_delivery_list')
    .on('webhook_delivery')
    .columns(['webhook_id', 'created_at', 'id'])
    .execute()
  await db.schema.createIndex('webhook_delivery_created').on('webhook_delivery').column('created_at').execute()
  await sql`create index webhook_delivery_due on webhook_delivery (webhook_id, next_at, id) where state = 'waiting'`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  for (const table of ['webhook_delivery', 'webhook', 'api_token']) await db.schema.dropTable(table).execute()
}
