import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

export type PasskeyRecord = Awaited<ReturnType<typeof listPasskeys>>[number]

/** Lists the passkeys of a user, newest first. */
export const listPasskeys = (db: Db, userId: string) =>
  db.selectFrom('passkey').selectAll().where('user_id', '=', userId).orderBy('created_at', 'desc').orderBy('id').execute()

export const findPasskey = (db: Db, userId: string, id: string) =>
  db.selectFrom('passkey').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()

export const findPasskeyByCredential = (db: Db, credentialId: string) =>
  db.selectFrom('passkey').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

/** Returns false if someone has already added this passkey. */
export async function insertPasskey(db: Db, row: Insertable<Schema['passkey']>): Promise<boolean> {
  const inserted = await db
    .insertInto('passkey')
    .values(row)
    .onConflict((c) => c.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const setPasskeyName = (db: Db, id: string, name: string) =>
  db.updateTable('passkey').set({ name }).where('id', '=', id).execute()

export const deletePasskey = (db: Db, id: string) => db.deleteFrom('passkey').where('id', '=', id).execute()

/**
 * Stores the counter of a passkey that has just been used. Returns false if it hasn't increased since the last use. Some passkeys have no
 * counter, and always send zero.
 */
export async function updateCounter(db: Db, id: string, counter: number, last_used_at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ counter, last_used_at })
    .where('id', '=', id)
    .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores that a challenge was used. Returns false if it already was: of concurrent requests, only one gets true. */
export async function insertUsedChallenge(db: Db, hash: string, ends_at: string): Promise<boolean> {
  const inserted = await db
    .insertInto('challenge')
    .values({ hash, kind: 'passkey', user_id: null, data: '{}', ends_at })
    .onConflict((c) => c.column('hash').doNothing())
    .returning('hash')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Counts the passkeys of each host, and the users who have them. */
export async function countPasskeysByHost(db: Db): Promise<{ host: string; passkeys: number; users: number }[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(({ fn }) => [
      'rp_id as host',
      fn.countAll<number>().as('passkeys'),
      fn.count<number>('user_id').distinct().as('users'),
    ])
    .groupBy('rp_id')
    .orderBy('rp_id')
    .execute()
  return rows.map(({ host, passkeys, users }) => ({ host, passkeys: Number(passkeys), users: Number(users) }))
}
