import { type Kysely, sql } from 'kysely'

/** Adds names in lower case for sorting and search, independent of the database's collation. */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .alterTable('company')
    .addColumn('name_key', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await sql`update company set name_key = lower(name)`.execute(db)
  await db.schema.createIndex('company_name').on('company').columns(['name_key']).unique().execute()
  await db.schema.createIndex('company_created').on('company').columns(['created_at', 'id']).execute()

  await db.schema
    .alterTable('user')
    .addColumn('name_key', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await sql`update "user" set name_key = lower(name)`.execute(db)
  for (const column of ['name_key', 'email', 'created_at']) {
    await db.schema.createIndex(`user_${column}`).on('user').columns([column, 'id']).execute()
    await db.schema.createIndex(`user_company_${column}`).on('user').columns(['company_id', column, 'id']).execute()
  }

  await db.schema
    .createTable('directory')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('company_id', 'text', (c) => c.notNull().references('company.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('directory_company').on('directory').columns(['company_id', 'name']).execute()
}

export async function down(db: Kysely<unknown>) {
  await db.schema.dropTable('directory').execute()
  for (const column of ['name_key', 'email', 'created_at']) {
    await db.schema.dropIndex(`user_${column}`).execute()
    await db.schema.dropIndex(`user_company_${column}`).execute()
  }
  await db.schema.dropIndex('company_name').execute()
  await db.schema.dropIndex('company_created').execute()
  await db.schema.alterTable('user').dropColumn('name_key').execute()
  await db.schema.alterTable('company').dropColumn('name_key').execute()
}
