import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

export const insertReset = (db: Db, row: Insertable<Schema['password_reset']>) =>
  db.insertInto('password_reset').values(row).execute()

export const findReset = (db: Db, id: string, now: string) =>
  db.selectFrom('password_reset').selectAll().where('id', '=', id).where('ends_at', '>', now).executeTakeFirst()

export const deleteEndedResets = (db: Db, now: string) => db.deleteFrom('password_reset').where('ends_at', '<=', now).execute()
