import { type Db, lockName } from './database.ts'

/**
 * `restored`: which backup all this came from. `moving`: everything of the installation with this `key_check` is on its way here.
 * `moved`: everything has gone from here, and where to. `store`: where the bytes are. `transfers_counted`: up to which row of the trail.
 */
type Fact = 'key_check' | 'first_run' | 'restored' | 'moving' | 'moved' | 'store' | 'transfers_counted'

export async function findFact(db: Db, name: Fact): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Writes a fact once. False when it was there already, also when another node was faster by a moment. */
export async function insertFact(db: Db, name: Fact, value: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((c) => c.column('name').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const putFact = (db: Db, name: Fact, value: string) =>
  db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((c) => c.column('name').doUpdateSet({ value }))
    .execute()

/** Only if it is still what the caller believes. */
export const replaceFact = (db: Db, name: Fact, from: string, to: string) =>
  db.updateTable('installation').set({ value: to }).where('name', '=', name).where('value', '=', from).execute()

export const removeFact = (db: Db, name: Fact) => db.deleteFrom('installation').where('name', '=', name).execute()

/** Where the table says that a backup runs, each under a name of its own. */
export const backups = 'backup_until '

/** Says that a backup runs until then, unless it says so again. Waits for whoever is just removing bytes: see `isBackupRunning`. */
export const holdForBackup = (db: Db, id: string, until: string) =>
  db.transaction().execute(async (trx) => {
    await lockName(trx, backups)
    const row = { name: `${backups}${id}`, value: until }
    await trx
      .insertInto('installation')
      .values(row)
      .onConflict((c) => c.column('name').doUpdateSet({ value: until }))
      .execute()
  })

export const endBackup = (db: Db, id: string) => db.deleteFrom('installation').where('name', '=', `${backups}${id}`).execute()

/**
 * Whether bytes must stay because a backup may still want them. Asked in the transaction that removes their row: then either the backup
 * begins afterwards and has no such row, or this sees it.
 */
export async function isBackupRunning(trx: Db, now: string): Promise<boolean> {
  await lockName(trx, backups)
  const row = await trx
    .selectFrom('installation')
    .select('name')
    .where('name', 'like', `${backups}%`)
    .where('value', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Those that died without a word. */
export const forgetOldBackups = (db: Db, now: string) =>
  db.deleteFrom('installation').where('name', 'like', `${backups}%`).where('value', '<=', now).execute()
