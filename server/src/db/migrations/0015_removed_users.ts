import { type Kysely, PostgresAdapter, sql } from 'kysely'

const userColumns = ['name_key', 'email', 'created_at']
const linkColumns = ['created_at', 'name_key']

/**
 * Adds the times at which a user was removed and last signed in. Lists leave out removed users, so the indexes for lists do, too. Also
 * indexes the links of an owner for every sort order, and on PostgreSQL the names of users for searches.
 */
export async function up(db: Kysely<unknown>) {
  for (const column of ['removed_at', 'signed_in_at']) await db.schema.alterTable('user').addColumn(column, 'text').execute()
  await sql`update "user" set signed_in_at = last.at from (select person_id, max(at) as at from audit
    where action = 'session.started' group by person_id) as last where last.person_id = "user".id`.execute(db)
  for (const column of userColumns) {
    await dropUserIndexes(db, column)
    const [all, inCompany, value] = [sql.ref(`user_${column}`), sql.ref(`user_company_${column}`), sql.ref(column)]
    await sql`create index ${all} on "user" (${value}, id) where removed_at is null`.execute(db)
    await sql`create index ${inCompany} on "user" (company_id, ${value}, id) where removed_at is null`.execute(db)
  }
  for (const column of linkColumns)
    await db.schema.createIndex(`link_maker_${column}`).on('link').columns(['maker_id', column, 'key']).execute()
  // A trigram index, as for links.
  if (isPostgres(db))
    await sql`create index user_search on "user" using gin (name_key gin_trgm_ops, email gin_trgm_ops)`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  if (isPostgres(db)) await db.schema.dropIndex('user_search').execute()
  for (const column of linkColumns) await db.schema.dropIndex(`link_maker_${column}`).execute()
  for (const column of userColumns) {
    await dropUserIndexes(db, column)
    await db.schema.createIndex(`user_${column}`).on('user').columns([column, 'id']).execute()
    await db.schema.createIndex(`user_company_${column}`).on('user').columns(['company_id', column, 'id']).execute()
  }
  for (const column of ['signed_in_at', 'removed_at']) await db.schema.alterTable('user').dropColumn(column).execute()
}

async function dropUserIndexes(db: Kysely<unknown>, column: string) {
  for (const index of [`user_${column}`, `user_company_${column}`]) await db.schema.dropIndex(index).execute()
}

const isPostgres = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter
