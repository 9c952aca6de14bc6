import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

/** The account at a provider that someone signed in with. */
export interface ProviderProof {
  providerId: string
  issuer: string
  subject: string
  /** The email address that the provider sent in this sign-in. Empty if it sent none. */
  email: string
  /** Identifies the session at the provider. */
  sid: string | null
  /** The sealed ID token. */
  idToken: string | null
  /** Whether the account must still be connected to the user. */
  isNew: boolean
}

export const insertProviderSession = (db: Db, row: Schema['provider_session']) =>
  db.insertInto('provider_session').values(row).execute()

/** Assigns the provider session of `from` to the session that continues it, `to`, so that the provider can end the new session. */
export const moveProviderSession = (db: Db, from: string, to: string) =>
  db.updateTable('provider_session').set({ session_id: to }).where('session_id', '=', from).execute()

export const findProviderSession = (db: Db, sessionId: string) =>
  db.selectFrom('provider_session').selectAll().where('session_id', '=', sessionId).executeTakeFirst()

/**
 * Ends the sessions that began with an account at a provider, or with one session there. Returns their users. This takes effect on every
 * node with the next request.
 */
export async function deleteSessionsOf(
  db: Db,
  { issuer, subject, sid }: { issuer: string; subject?: string | undefined; sid?: string | undefined },
): Promise<string[]> {
  let ended = db.selectFrom('provider_session').select('session_id').where('issuer', '=', issuer)
  if (subject !== undefined) ended = ended.where('subject', '=', subject)
  if (sid !== undefined) ended = ended.where('sid', '=', sid)
  const rows = await db.deleteFrom('session').where('id', 'in', ended).returning('user_id').execute()
  return rows.map(({ user_id }) => user_id)
}

/** Ends the sign-ins of a user that wait for their second factor. They have to begin again. */
export const deletePendingSignIns = (db: Db, { issuer, subject }: { issuer: string; subject: string }) =>
  db
    .deleteFrom('challenge')
    .where('kind', '=', 'second_factor')
    .where('user_id', 'in', (eb) =>
      eb
        .selectFrom('provider_account')
        .select('provider_account.user_id')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject),
    )
    .execute()
