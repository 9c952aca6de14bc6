import type { Kysely } from 'kysely'

/** Adds the settings that admins change, images for logos, and the name and logos that companies show instead of the organisation's. */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable('setting')
    .addColumn('section', 'text', (c) => c.primaryKey().notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('changed_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('brand_image')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('bytes', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('unused_at', 'text')
    .execute()
  for (const column of brandColumns) await db.schema.alterTable('company').addColumn(column, 'text').execute()
}

const brandColumns = ['brand_name', 'logo_light', 'logo_dark']

export async function down(db: Kysely<unknown>) {
  for (const column of brandColumns.toReversed()) await db.schema.alterTable('company').dropColumn(column).execute()
  await db.schema.dropTable('brand_image').execute()
  await db.schema.dropTable('setting').execute()
}
