import { type Kysely, sql } from 'kysely'

/** What the dashboard tells: how much goes in and out a day, and whether somebody still has the password that they were given. */
export async function up(db: Kysely<unknown>) {
  // Counted from the trail: see features/stats/transfer.service.ts. Kept, because counting a month of a million rows takes too long.
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
