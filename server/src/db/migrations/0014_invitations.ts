import { type Kysely, sql } from 'kysely'

/** Adds invitations. An invited user has one until they accept it. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable('user').addColumn('invitation_id', 'text').execute()
  await db.schema.alterTable('user').addColumn('invitation_ends_at', 'text').execute()
  await sql`create unique index user_invitation on "user" (invitation_id) where invitation_id is not null`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await db.schema.dropIndex('user_invitation').execute()
  for (const column of ['invitation_ends_at', 'invitation_id']) await db.schema.alterTable('user').dropColumn(column).execute()
}
