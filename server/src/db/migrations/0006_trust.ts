import { type Kysely, PostgresAdapter, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter

  // Audit entries outlive the records they describe, so there are no foreign keys.
  await db.schema
    .createTable('audit')
    .addColumn('seq', isPostgres ? 'bigint' : 'integer', (c) => c.primaryKey())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('who', 'text', (c) => c.notNull())
    .addColumn('person_id', 'text')
    .addColumn('person', 'text')
    .addColumn('client', 'text')
    .addColumn('company_id', 'text')
    .addColumn('name', 'text')
    .addColumn('link_key', 'text')
    .addColumn('directory_id', 'text')
    .addColumn('file_id', 'text')
    .addColumn('size', 'bigint')
    .addColumn('bytes', 'bigint')
    .addColumn('times', 'bigint', (c) => c.notNull())
    .addColumn('note', 'text')
    .addColumn('mac', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('audit_at').on('audit').columns(['at']).execute()
  await db.schema.createIndex('audit_action').on('audit').columns(['action', 'seq']).execute()
  for (const column of ['company_id', 'person_id', 'link_key', 'directory_id', 'file_id']) {
    const [name, ref] = [sql.ref(`audit_${column.replace(/_(id|key)$/, '')}`), sql.ref(column)]
    await sql`create index ${name} on audit (${ref}, seq) where ${ref} is not null`.execute(db)
  }
  await db.schema
    .createTable('audit_head')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('seq', isPostgres ? 'bigint' : 'integer', (c) => c.notNull())
    .addColumn('mac', 'text', (c) => c.notNull())
    .execute()
  await sql`insert into audit_head (id, seq, mac) values (1, 0, '')`.execute(db)
  await db.schema
    .createTable('audit_checkpoint')
    .addColumn('seq', isPostgres ? 'bigint' : 'integer', (c) => c.primaryKey())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('mac', 'text', (c) => c.notNull())
    .addColumn('signature', 'text', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('receipt')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('company_id', 'text', (c) => c.notNull().references('company.id'))
    .addColumn('link_key', 'text', (c) => c.notNull())
    .addColumn('session_id', 'text', (c) => c.notNull())
    .addColumn('files_hash', 'text', (c) => c.notNull())
    .addColumn('issued_at', 'text', (c) => c.notNull())
    .addColumn('client', 'text')
    .addColumn('total_files', 'integer', (c) => c.notNull())
    .addColumn('total_bytes', 'bigint', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('signature', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('receipt_once').unique().on('receipt').columns(['session_id', 'files_hash']).execute()
  await db.schema.createIndex('receipt_link').on('receipt').columns(['link_key', 'issued_at']).execute()

  await db.schema.alterTable('file').addColumn('damaged_at', 'text').execute()
  // Damaged files are few, and queried before every ZIP.
  await sql`create index file_damaged on file (directory_id) where damaged_at is not null`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await db.schema.dropIndex('file_damaged').execute()
  await db.schema.alterTable('file').dropColumn('damaged_at').execute()
  for (const table of ['receipt', 'audit_checkpoint', 'audit_head', 'audit']) await db.schema.dropTable(table).execute()
}
