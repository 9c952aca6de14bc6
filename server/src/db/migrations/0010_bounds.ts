import { type Kysely, sql } from 'kysely'

const trashOrders = ['created_at', 'name_key', 'size']

/**
 * Makes uploads reserve the bytes that have arrived instead of the announced size, adds `link.standing`, and indexes the trash
 * and the thumbnails to draw.
 */
export async function up(db: Kysely<unknown>) {
  const now = new Date().toISOString()
  for (const column of ['created_at', 'progress_at'])
    await db.schema
      .alterTable('upload')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  for (const column of ['received', 'reserved'])
    await db.schema
      .alterTable('upload')
      .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
  // Only the blob store knows how many bytes have arrived: the sweep corrects this within an hour.
  await sql`update upload set created_at = ${now}, progress_at = ${now}`.execute(db)
  await sql`update upload set reserved = size where finished_at is null`.execute(db)
  await sql`create index upload_open on upload (created_at, id) where finished_at is null`.execute(db)
  await sql`create index upload_open_directory on upload (directory_id, reserved) where finished_at is null`.execute(db)
  await sql`create index upload_idle on upload (progress_at) where finished_at is null`.execute(db)

  // Derived from the target and the owner, so that lists can be filtered by an index: see db/link-standing.ts.
  await db.schema
    .alterTable('link')
    .addColumn('standing', 'text', (c) => c.notNull().defaultTo('open'))
    .execute()
  await sql`update link set standing = 'paused' where not exists (select 1 from "user" where "user".id = link.maker_id
    and "user".suspended_at is null and ("user".role = 'NEPTUNE_ADMIN' or "user".company_id = link.company_id))`.execute(db)
  await sql`update link set standing = 'trashed' where
    exists (select 1 from directory where directory.id = link.directory_id and directory.deleted_at is not null)
    or exists (select 1 from file where file.id = link.file_id and file.deleted_at is not null)`.execute(db)
  for (const column of ['created_at', 'name_key', 'expires_at']) {
    const tail = column === 'expires_at' ? sql`` : sql`, expires_at` // read from the index rather than from the row
    const [name, inCompany] = [sql.ref(`link_closed_${column}`), sql.ref(`link_company_closed_${column}`)]
    await sql`create index ${name} on link (standing, ${sql.ref(column)}, key${tail}) where standing <> 'open'`.execute(db)
    await sql`create index ${inCompany} on link (company_id, standing, ${sql.ref(column)}, key${tail})
      where standing <> 'open'`.execute(db)
  }
  for (const column of ['directory_id', 'file_id', 'maker_id']) {
    await db.schema.dropIndex(`link_${column}`).execute()
    await db.schema.createIndex(`link_${column}`).on('link').columns([column, 'expires_at', 'key']).execute()
  }

  // The trash in every order it can be listed in, so that no list has to sort all of it. These indexes contain only the trash.
  for (const column of trashOrders) {
    const [all, own, value] = [sql.ref(`file_trash_${column}`), sql.ref(`file_company_trash_${column}`), sql.ref(column)]
    await sql`create index ${all} on file (${value}, id) where deleted_at is not null`.execute(db)
    await sql`create index ${own} on file (company_id, ${value}, id) where deleted_at is not null`.execute(db)
  }
  // The next thumbnail to draw, company by company.
  await db.schema.dropIndex('file_to_draw').execute()
  await sql`create index file_to_draw on file (company_id, created_at desc) where thumbnail = 'wanted'`.execute(db)
  await sql`create index directory_trash on directory (deleted_at, id) where deleted_at is not null`.execute(db)
  await sql`create index directory_company_trash on directory (company_id, deleted_at, id)
    where deleted_at is not null`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await db.schema.dropIndex('file_to_draw').execute()
  await sql`create index file_to_draw on file (created_at) where thumbnail = 'wanted'`.execute(db)
  for (const index of ['directory_company_trash', 'directory_trash']) await db.schema.dropIndex(index).execute()
  for (const column of trashOrders)
    for (const index of [`file_company_trash_${column}`, `file_trash_${column}`]) await db.schema.dropIndex(index).execute()
  for (const column of ['directory_id', 'file_id', 'maker_id']) {
    await db.schema.dropIndex(`link_${column}`).execute()
    await db.schema.createIndex(`link_${column}`).on('link').column(column).execute()
  }
  for (const column of ['created_at', 'name_key', 'expires_at'])
    for (const index of [`link_closed_${column}`, `link_company_closed_${column}`]) await db.schema.dropIndex(index).execute()
  await db.schema.alterTable('link').dropColumn('standing').execute()
  for (const index of ['upload_idle', 'upload_open_directory', 'upload_open']) await db.schema.dropIndex(index).execute()
  for (const column of ['reserved', 'received', 'progress_at', 'created_at'])
    await db.schema.alterTable('upload').dropColumn(column).execute()
}
