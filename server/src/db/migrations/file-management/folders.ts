import { type Kysely, sql } from 'kysely'

/**
 * Adds folders: directories with a parent. `root_id` is the top-level directory, which transactions lock. `trashed_with` is the folder with
 * which a folder was moved to the trash.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .alterTable('directory')
    .addColumn('parent_id', 'text', (c) => c.references('directory.id'))
    .execute()
  await db.schema
    .alterTable('directory')
    .addColumn('root_id', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('directory')
    .addColumn('depth', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('directory').addColumn('trashed_with', 'text').execute()
  await sql`update directory set root_id = id`.execute(db)

  // Names are unique within a company for top-level directories, and within a folder for folders.
  await db.schema.dropIndex('directory_name').execute()
  await sql`create unique index directory_name on directory (coalesce(parent_id, company_id), name_key)
    where deleted_at is null`.execute(db)
  // The existing indexes contain directories of every depth. These contain only top-level directories, or only folders, by parent.
  for (const column of ['name_key', 'created_at']) {
    const [all, inCompany, inParent] = ['top', 'company_top', 'parent'].map((scope) => sql.ref(`directory_${scope}_${column}`))
    const value = sql.ref(column)
    await sql`create index ${all} on directory (${value}, id, company_id) where parent_id is null`.execute(db)
    await sql`create index ${inCompany} on directory (company_id, ${value}, id) where parent_id is null`.execute(db)
    await sql`create index ${inParent} on directory (parent_id, ${value}, id) where parent_id is not null`.execute(db)
  }
  await sql`create index directory_root on directory (root_id) where parent_id is not null`.execute(db)
  // For backups and moves, which copy parents before their children.
  await sql`create index directory_depth on directory (depth, id)`.execute(db)
  await sql`create index directory_trashed_with on directory (trashed_with) where trashed_with is not null`.execute(db)
  // The trash lists a folder without the folders that were moved to the trash with it. All of them are purged.
  for (const index of ['directory_trash', 'directory_company_trash']) await db.schema.dropIndex(index).execute()
  await sql`create index directory_trash on directory (deleted_at, id) where deleted_at is not null and trashed_with is null`.execute(
    db,
  )
  await sql`create index directory_company_trash on directory (company_id, deleted_at, id)
    where deleted_at is not null and trashed_with is null`.execute(db)
  await sql`create index directory_purge on directory (deleted_at) where deleted_at is not null`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  for (const index of [
    'directory_purge',
    'directory_company_trash',
    'directory_trash',
    'directory_trashed_with',
    'directory_depth',
  ])
    await db.schema.dropIndex(index).execute()
  await db.schema.dropIndex('directory_root').execute()
  for (const column of ['name_key', 'created_at'])
    for (const scope of ['top', 'company_top', 'parent']) await db.schema.dropIndex(`directory_${scope}_${column}`).execute()
  await db.schema.dropIndex('directory_name').execute()
  for (const column of ['trashed_with', 'depth', 'root_id', 'parent_id'])
    await db.schema.alterTable('directory').dropColumn(column).execute()
  await sql`create unique index directory_name on directory (company_id, name_key) where deleted_at is null`.execute(db)
  await sql`create index directory_trash on directory (deleted_at, id) where deleted_at is not null`.execute(db)
  await sql`create index directory_company_trash on directory (company_id, deleted_at, id)
    where deleted_at is not null`.execute(db)
}
