import { type Db, takeAdvisoryLock } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

export type ProviderRecord = Schema['provider']

export const listProviderRows = (db: Db): Promise<ProviderRecord[]> =>
  db.selectFrom('provider').selectAll().orderBy('name').orderBy('id').execute()

export const findProviderRow = (db: Db, id: string): Promise<ProviderRecord | undefined> =>
  db.selectFrom('provider').selectAll().where('id', '=', id).executeTakeFirst()

export const insertProvider = (db: Db, row: ProviderRecord) => db.insertInto('provider').values(row).execute()

/** Saves a provider if it still has the given version. Returns false if someone else has changed it in the meantime. */
export async function updateProvider(db: Db, { id, version, ...row }: ProviderRecord): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('provider')
    .set({ ...row, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteProvider(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('provider').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

/**
 * Serializes changes to the sign-in methods, on all nodes: otherwise two concurrent changes could leave none. Take it before
 * `lockAdmins` and `lockUser`, so that no two transactions wait for each other. Keep the name of the lock: nodes with an
 * earlier version use it, too.
 */
export const lockSignInMethods = (trx: Db) => takeAdvisoryLock(trx, 'ways in')

/** Marks a one-time value, such as a state, as used until it would have expired anyway. Returns false if it was used before. */
export async function useOnce(db: Db, hash: string, ends_at: string): Promise<boolean> {
  const inserted = await db
    .insertInto('challenge')
    .values({ hash, kind: 'provider', user_id: null, data: '{}', ends_at })
    .onConflict((c) => c.column('hash').doNothing())
    .returning('hash')
    .executeTakeFirst()
  return inserted !== undefined
}
