import { type Db, takeAdvisoryLock } from './database.ts'

/**
 * The names of the values in the table `installation`. `key_check`: the fingerprint of the secret key. `first_run`: when the first admin was
 * created. `restored`: the backup that was restored. `moving`: the `key_check` of the installation that is being moved here. `moved`: when
 * and where everything was moved. `store`: the blob store. `transfers_counted`: the last audit entry in the transfer statistics.
 * `thumbnails_…`: the `seq` below which existing files of a type that Neptune can now draw have not been checked yet; 0 when all were
 * checked.
 */
type ValueName =
  | 'key_check'
  | 'first_run'
  | 'restored'
  | 'moving'
  | 'moved'
  | 'store'
  | 'transfers_counted'
  | `thumbnails_${string}`

export async function readInstallationValue(db: Db, name: ValueName): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Inserts a value. Returns false when it already exists, even if another node inserted it at the same moment. */
export async function insertInstallationValue(db: Db, name: ValueName, value: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((c) => c.column('name').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const setInstallationValue = (db: Db, name: ValueName, value: string) =>
  db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((c) => c.column('name').doUpdateSet({ value }))
    .execute()

/** Replaces a value only if it still equals `from`. */
export const replaceInstallationValue = (db: Db, name: ValueName, from: string, to: string) =>
  db.updateTable('installation').set({ value: to }).where('name', '=', name).where('value', '=', from).execute()

export const removeInstallationValue = (db: Db, name: ValueName) =>
  db.deleteFrom('installation').where('name', '=', name).execute()

/** Each running backup has a row whose name starts with this. Its value is the time when the hold expires. */
export const backupHoldPrefix = 'backup_until '

/** Keeps blobs from being deleted until the given time. Waits for deletions in progress: see `isBackupRunning`. */
export const renewBackupHold = (db: Db, id: string, until: string) =>
  db.transaction().execute(async (trx) => {
    await takeAdvisoryLock(trx, backupHoldPrefix)
    const row = { name: `${backupHoldPrefix}${id}`, value: until }
    await trx
      .insertInto('installation')
      .values(row)
      .onConflict((c) => c.column('name').doUpdateSet({ value: until }))
      .execute()
  })

export const removeBackupHold = (db: Db, id: string) =>
  db.deleteFrom('installation').where('name', '=', `${backupHoldPrefix}${id}`).execute()

/**
 * Returns whether blobs must not be deleted, because a backup may still read them. Call it in the transaction that deletes their row:
 * either the backup starts afterwards and does not see the row, or this function sees the backup.
 */
export async function isBackupRunning(trx: Db, now: string): Promise<boolean> {
  await takeAdvisoryLock(trx, backupHoldPrefix)
  const row = await trx
    .selectFrom('installation')
    .select('name')
    .where('name', 'like', `${backupHoldPrefix}%`)
    .where('value', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Removes the holds of backups that crashed. */
export const removeExpiredBackupHolds = (db: Db, now: string) =>
  db.deleteFrom('installation').where('name', 'like', `${backupHoldPrefix}%`).where('value', '<=', now).execute()
