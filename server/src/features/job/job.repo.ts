import { type Db, isSqlite, ping } from '../../db/database.ts'

/** Returns whether other nodes may use the same database: PostgreSQL is shared, SQLite is not. */
export const hasOtherNodes = (db: Db): boolean => !isSqlite(db)

export const addJob = (db: Db, name: string) =>
  db
    .insertInto('job')
    .values({ name, ran_at: '' })
    .onConflict((c) => c.column('name').doNothing())
    .execute()

/** Locks a job until the transaction ends and returns when it last ran. Returns undefined while another node runs it. */
export const lockJob = (trx: Db, name: string) =>
  trx.selectFrom('job').select('ran_at').where('name', '=', name).forUpdate().skipLocked().executeTakeFirst()

export const setLastRun = (trx: Db, name: string, ran_at: string) =>
  trx.updateTable('job').set({ ran_at }).where('name', '=', name).execute()

/** Keeps the connection that holds a job's lock alive: an idle transaction would be ended. */
export const keepJobAlive = ping
