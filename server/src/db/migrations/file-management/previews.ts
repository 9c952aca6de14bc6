import { type Kysely, sql } from 'kysely'

/** Adds PDFs made from Office documents, for previews. */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable('rendition')
    .addColumn('blob_id', 'text', (c) => c.primaryKey())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('requested_at', 'text', (c) => c.notNull())
    .addColumn('pdf_id', 'text')
    .addColumn('pdf_size', 'bigint')
    .execute()
  await sql`create index rendition_wanted on rendition (requested_at) where state = 'wanted'`.execute(db)
  await sql`create index rendition_pdf on rendition (pdf_id) where pdf_id is not null`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await db.schema.dropTable('rendition').execute()
}
