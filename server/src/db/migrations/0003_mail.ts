import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable('outbox')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('letter', 'text', (c) => c.notNull())
    .addColumn('recipient', 'text', (c) => c.notNull())
    .addColumn('about', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('refusals', 'integer', (c) => c.notNull())
    .addColumn('next_at', 'text')
    .addColumn('claim', 'text')
    .addColumn('sent_at', 'text')
    .addColumn('problem', 'text')
    .execute()
  await db.schema.createIndex('outbox_due').on('outbox').columns(['state', 'next_at']).execute()
  await db.schema.createIndex('outbox_created').on('outbox').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('outbox_state_created').on('outbox').columns(['state', 'created_at', 'id']).execute()

  await db.schema
    .createTable('password_reset')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.references('user.id').onDelete('cascade'))
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('ends_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('password_reset_end').on('password_reset').column('ends_at').execute()
}

export async function down(db: Kysely<unknown>) {
  await db.schema.dropTable('password_reset').execute()
  await db.schema.dropTable('outbox').execute()
}
