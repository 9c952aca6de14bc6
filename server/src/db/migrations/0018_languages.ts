import type { Kysely } from 'kysely'

/** Stores the language that a user has chosen, and the language that was requested for an email. Null if nobody chose one. */
export async function up(db: Kysely<unknown>) {
  for (const table of ['user', 'outbox']) await db.schema.alterTable(table).addColumn('language', 'text').execute()
}

export async function down(db: Kysely<unknown>) {
  for (const table of ['user', 'outbox']) await db.schema.alterTable(table).dropColumn('language').execute()
}
