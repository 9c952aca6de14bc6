import { type Kysely, sql } from 'kysely'

/**
 * Makes searches faster for users with thousands of selected companies. A search finds the names and email addresses of the people of a
 * company, and the name of a company, in an index alone.
 */
export async function up(db: Kysely<unknown>) {
  await replaceUserIndex(db, ['company_id', 'name_order', 'id', 'name_key', 'email'])
  await db.schema.createIndex('company_id_name').on('company').columns(['id', 'name_key']).execute()
}

async function replaceUserIndex(db: Kysely<unknown>, columns: string[]) {
  await db.schema.dropIndex('user_company_name_order').execute()
  const names = sql.join(columns.map((column) => sql.ref(column)))
  await sql`create index user_company_name_order on "user" (${names}) where removed_at is null`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await db.schema.dropIndex('company_id_name').execute()
  await replaceUserIndex(db, ['company_id', 'name_order', 'id'])
}
