import { type Kysely, sql } from 'kysely'

const columns = ['created_at', 'name_key', 'size']

/** Indexes for the trash in every order it can be listed in, so that no list has to sort all of it. They have no more rows than the trash. */
export async function up(db: Kysely<unknown>) {
  for (const column of columns) {
    const [all, own, value] = [sql.ref(`file_trash_${column}`), sql.ref(`file_company_trash_${column}`), sql.ref(column)]
    await sql`create index ${all} on file (${value}, id) where deleted_at is not null`.execute(db)
    await sql`create index ${own} on file (company_id, ${value}, id) where deleted_at is not null`.execute(db)
  }
  await sql`create index directory_trash on directory (deleted_at, id) where deleted_at is not null`.execute(db)
  await sql`create index directory_company_trash on directory (company_id, deleted_at, id) where deleted_at is not null`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  for (const index of ['directory_company_trash', 'directory_trash']) await db.schema.dropIndex(index).execute()
  for (const column of columns) {
    await db.schema.dropIndex(`file_company_trash_${column}`).execute()
    await db.schema.dropIndex(`file_trash_${column}`).execute()
  }
}
