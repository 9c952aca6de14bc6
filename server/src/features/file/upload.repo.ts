import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

export type UploadRecord = Selectable<Schema['upload']>

export const insertUpload = (db: Db, row: Insertable<Schema['upload']>) => db.insertInto('upload').values(row).execute()

/** A person's own; nobody else's, not even for admins. */
export const findUpload = (db: Db, id: string, userId: string, now: string) =>
  db
    .selectFrom('upload')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('ends_at', '>', now)
    .executeTakeFirst()

export async function countUnfinished(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('upload')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** False when it was finished already. */
export async function markFinished(db: Db, id: string, finished_at: string, ends_at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('upload')
    .set({ finished_at, ends_at })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const deleteUpload = (db: Db, id: string) => db.deleteFrom('upload').where('id', '=', id).execute()

/** Those whose time is over. What became a file stays one. */
export const listEnded = (db: Db, now: string, limit: number): Promise<UploadRecord[]> =>
  db.selectFrom('upload').selectAll().where('ends_at', '<=', now).limit(limit).execute()
