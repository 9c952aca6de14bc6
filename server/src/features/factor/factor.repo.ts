import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

export const findTotp = (db: Db, userId: string) =>
  db.selectFrom('totp').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** Starts setting up an authenticator app. Replaces one that was never confirmed. */
export async function replaceTotp(trx: Db, row: Schema['totp']): Promise<void> {
  await deleteTotp(trx, row.user_id)
  await trx.insertInto('totp').values(row).execute()
}

/** Accepts a code of this time step. Returns false if one of this or a later step was accepted before. */
export async function useTotpStep(db: Db, userId: string, step: number, confirmed_at?: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totp')
    .set({ last_step: step, ...(confirmed_at !== undefined && { confirmed_at }) })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const deleteTotp = (db: Db, userId: string) => db.deleteFrom('totp').where('user_id', '=', userId).execute()

/** Returns whether a user has a passkey for this host. Always false without a host. */
export async function hasPasskey(db: Db, userId: string, host: string | undefined): Promise<boolean> {
  if (host === undefined) return false
  const passkeys = db.selectFrom('passkey').select('id').where('user_id', '=', userId).where('rp_id', '=', host)
  return (await passkeys.limit(1).executeTakeFirst()) !== undefined
}

export const deletePasskeys = (db: Db, userId: string) => db.deleteFrom('passkey').where('user_id', '=', userId).execute()

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Replaces the recovery codes of a user. */
export async function replaceRecoveryCodes(trx: Db, userId: string, hashes: string[]): Promise<void> {
  await trx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  if (hashes.length === 0) return
  await trx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute()
}

/** Consumes a recovery code. Returns false if it is wrong or was used before. */
export async function useRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_code')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Stores when a user added their first second factor. Null if they have none. */
export const setSecondFactorAt = (db: Db, userId: string, second_factor_at: string | null) =>
  db.updateTable('user').set({ second_factor_at }).where('id', '=', userId).execute()

export const findFactorReset = (db: Db, userId: string) =>
  db.selectFrom('factor_reset').selectAll().where('user_id', '=', userId).executeTakeFirst()

export const findFactorResetById = (db: Db, id: string) =>
  db.selectFrom('factor_reset').selectAll().where('id', '=', id).executeTakeFirst()

export const listDueResets = (db: Db, now: string, limit: number) =>
  db.selectFrom('factor_reset').selectAll().where('due_at', '<=', now).orderBy('due_at').limit(limit).execute()

/** Requests the removal of second factors. Returns false if it was already requested. */
export async function insertFactorReset(db: Db, row: Schema['factor_reset']): Promise<boolean> {
  const inserted = await db
    .insertInto('factor_reset')
    .values(row)
    .onConflict((c) => c.column('user_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Ends the request for a removal. Returns false if it has already ended. */
export async function deleteFactorReset(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('factor_reset').where('user_id', '=', userId).executeTakeFirst()
  return numDeletedRows === 1n
}
