import { type Kysely, PostgresAdapter, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable('installation')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('company')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('user')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('company_id', 'text', (c) => c.notNull().references('company.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('generation', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('suspended_at', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('session')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('remembered_at', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_seen_at', 'text', (c) => c.notNull())
    .addColumn('idle_ends_at', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'text', (c) => c.notNull())
    .addColumn('restore_number', 'integer', (c) => c.notNull())
    .addColumn('restored_at', 'text', (c) => c.notNull())
    .addColumn('client', 'text', (c) => c.notNull())
    .addColumn('agent', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('session_user').on('session').columns(['user_id', 'created_at']).execute()
  await db.schema.createIndex('session_idle').on('session').column('idle_ends_at').execute()

  await db.schema
    .createTable('session_token')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('session_id', 'text', (c) => c.notNull().references('session.id').onDelete('cascade'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('session_token_session').on('session_token').columns(['session_id', 'created_at']).execute()

  // Unlogged on PostgreSQL: the counts of attempts need not survive a crash.
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema
    .createTable('throttle')
    .$call((table) => (isPostgres ? table.modifyFront(sql`unlogged`) : table))
    .addColumn('bucket', 'text', (c) => c.primaryKey())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('ends_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('throttle_end').on('throttle').column('ends_at').execute()
}

export async function down(db: Kysely<unknown>) {
  for (const table of ['throttle', 'session_token', 'session', 'user', 'company', 'installation']) {
    await db.schema.dropTable(table).execute()
  }
}
