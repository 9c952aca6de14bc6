import { type Kysely, sql } from 'kysely'

/** Adds what the dashboard shows: transfers per day, and whether users still have the password that an admin set. */
export async function up(db: Kysely<unknown>) {
  // Counted from the audit log: see features/stats/transfer.service.ts. Stored, because counting a month of a million rows is slow.
  await db.schema
    .createTable('transfer')
    .addColumn('company_id', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('uploads', 'bigint', (c) => c.notNull())
    .addColumn('downloads', 'bigint', (c) => c.notNull())
    .addColumn('bytes_in', 'bigint', (c) => c.notNull())
    .addColumn('bytes_out', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('transfer_key', ['company_id', 'day'])
    .execute()
  await db.schema.createIndex('transfer_day').on('transfer').column('day').execute()

  await db.schema.alterTable('user').addColumn('password_changed_at', 'text').execute()
  await sql`update "user" set password_changed_at = (select max(audit.at) from audit
    where audit.person_id = "user".id and audit.action in ('password.changed', 'password.reset'))`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await db.schema.alterTable('user').dropColumn('password_changed_at').execute()
  await db.schema.dropTable('transfer').execute()
  await sql`delete from installation where name = 'transfers_counted'`.execute(db)
}
