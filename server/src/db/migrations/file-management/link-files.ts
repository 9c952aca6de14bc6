import { type Kysely, sql } from 'kysely'

/** Adds links to several files. Such a link has the type `LINK_FILE` and no `file_id`. */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable('link_file')
    .addColumn('link_key', 'text', (c) => c.notNull().references('link.key').onDelete('cascade'))
    .addColumn('file_id', 'text', (c) => c.notNull().references('file.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('link_file_key', ['link_key', 'file_id'])
    .execute()
  await db.schema.createIndex('link_file_file').on('link_file').column('file_id').execute()
  await sql`create index link_several_files on link (company_id) where type = 'LINK_FILE' and file_id is null`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await db.schema.dropIndex('link_several_files').execute()
  // Without their files, these links would give access to nothing.
  await sql`delete from link where type = 'LINK_FILE' and file_id is null`.execute(db)
  await db.schema.dropTable('link_file').execute()
}
