import { type Kysely, sql } from 'kysely'

/** Adds access to other companies: a user sees their own company, selected ones, or all. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table "user" add column access text not null default 'own'`.execute(db)
  await db.schema
    .createTable('user_company')
    .addColumn('user_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('company_id', 'text', (c) => c.notNull().references('company.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('user_company_key', ['user_id', 'company_id'])
    .execute()
  await db.schema.createIndex('user_company_company').on('user_company').column('company_id').execute()
}

export async function down(db: Kysely<unknown>) {
  await db.schema.dropTable('user_company').execute()
  await db.schema.alterTable('user').dropColumn('access').execute()
}
