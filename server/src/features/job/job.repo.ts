import { type Db, isSqlite, ping } from '../../db/database.ts'

/** Whether other machines may work on the same rows. */
export const hasOtherNodes = (db: Db): boolean => !isSqlite(db)

export const addJob = (db: Db, name: string) =>
  db
    .insertInto('job')
    .values({ name, ran_at: '' })
    .onConflict((c) => c.column('name').doNothing())
    .execute()

/** When it last ran. Undefined while another node is at it; and until this transaction ends, nobody else gets it. */
export const takeJob = (trx: Db, name: string) =>
  trx.selectFrom('job').select('ran_at').where('name', '=', name).forUpdate().skipLocked().executeTakeFirst()

export const setLastRun = (trx: Db, name: string, ran_at: string) =>
  trx.updateTable('job').set({ ran_at }).where('name', '=', name).execute()

/** Says on the connection that holds a job that somebody still does: silence would end it. */
export const keepJobAlive = ping
