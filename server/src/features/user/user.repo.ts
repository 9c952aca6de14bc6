import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import { insertFact } from '../../db/installation.ts'
import type { Schema } from '../../db/schema.ts'

export type UserRecord = NonNullable<Awaited<ReturnType<typeof findUser>>>

export const insertUser = (db: Db, row: Insertable<Schema['user']>) => db.insertInto('user').values(row).execute()

export const findUser = (db: Db, id: string) => users(db).where('user.id', '=', id).executeTakeFirst()

export const findUserByEmail = (db: Db, email: string) => users(db).where('user.email', '=', email).executeTakeFirst()

/** Only while the old hash stands: a password that was changed in the meantime stays changed. */
export const replacePasswordHash = (db: Db, id: string, from: string, to: string) =>
  db.updateTable('user').set({ password_hash: to }).where('id', '=', id).where('password_hash', '=', from).execute()

export const hasUsers = async (db: Db) => (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined

/** True for the one caller, on whatever node, that may set this database up. */
export const claimFirstRun = (db: Db, at: string) => insertFact(db, 'first_run', at)

const users = (db: Db) =>
  db
    .selectFrom('user')
    .innerJoin('company', 'company.id', 'user.company_id')
    .selectAll('user')
    .select('company.name as company_name')
