import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

export type UploadRecord = Selectable<Schema['upload']>

export const insertUpload = (db: Db, row: Insertable<Schema['upload']>) => db.insertInto('upload').values(row).execute()

/** The owner of an upload: a person, or everyone who uses the same link. */
export type Owner = { user_id: string; link_key: null } | { user_id: null; link_key: string }

/** Finds an upload of this owner. Admins don't see those of others here. */
export const findUpload = (db: Db, id: string, owner: Owner, now: string) =>
  db.selectFrom('upload').selectAll().where('id', '=', id).where(isOwnedBy(owner)).where('ends_at', '>', now).executeTakeFirst()

/**
 * Counts the unfinished uploads of an owner, those of them that have reserved bytes (`begun`), and these bytes. Ignores the upload
 * `exceptId`.
 */
export async function sumReservedBy(
  db: Db,
  owner: Owner,
  exceptId = '',
): Promise<{ count: number; begun: number; bytes: number }> {
  const { count, begun, bytes } = await db
    .selectFrom('upload')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`count(case when reserved > 0 then 1 end)`.as('begun'),
      eb.fn.sum<number | null>('reserved').as('bytes'),
    ])
    .where(isOwnedBy(owner))
    .where('finished_at', 'is', null)
    .where('id', '<>', exceptId)
    .executeTakeFirstOrThrow()
  return { count: Number(count), begun: Number(begun), bytes: Number(bytes ?? 0) }
}

/** Sums the bytes that unfinished uploads to a company's directories have reserved. Ignores the upload `exceptId`. */
export async function sumReservedIn(db: Db, companyId: string, exceptId = ''): Promise<number> {
  const { bytes } = await db
    .selectFrom('upload')
    .innerJoin('directory', 'directory.id', 'upload.directory_id')
    .select((eb) => eb.fn.sum<number | null>('upload.reserved').as('bytes'))
    .where('directory.company_id', '=', companyId)
    .where('upload.finished_at', 'is', null)
    .where('upload.id', '<>', exceptId)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** Stores the progress of an upload. Returns false if the upload became a file or ended meanwhile. */
export async function setProgress(
  db: Db,
  id: string,
  now: string,
  progress: Pick<Updateable<Schema['upload']>, 'received' | 'reserved' | 'progress_at' | 'ends_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('upload')
    .set(progress)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where('ends_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const isOwnedBy = ({ user_id, link_key }: Owner) =>
  user_id === null ? sql<boolean>`link_key = ${link_key}` : sql<boolean>`user_id = ${user_id}`

/** Marks an upload as finished. Returns false if it was finished already, or has ended. */
export async function markFinished(db: Db, id: string, finished_at: string, ends_at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('upload')
    .set({ finished_at, ends_at })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where('ends_at', '>', finished_at)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores which file an upload became a version of. */
export const setUploadFile = (db: Db, id: string, file_id: string) =>
  db.updateTable('upload').set({ file_id }).where('id', '=', id).execute()

export const findFinishedUpload = (db: Db, id: string) =>
  db.selectFrom('upload').select('file_id').where('id', '=', id).where('finished_at', 'is not', null).executeTakeFirst()

/** Locks an upload for `holder`. With `seen`, takes the lock over from a holder whose heartbeat is still as it was seen before. */
export async function tryAcquireLock(
  db: Db,
  id: string,
  holder: string,
  seen: Pick<UploadRecord, 'holder' | 'beat'> | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('upload')
    .set((eb) => ({ holder, beat: eb('beat', '+', 1), awaited_by: null }))
    .where('id', '=', id)
    .$if(seen === undefined, (q) => q.where('holder', 'is', null))
    .$if(seen !== undefined, (q) => q.where('holder', '=', seen?.holder ?? '').where('beat', '=', seen?.beat ?? 0))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Renews the lock and returns who is waiting for it. Returns undefined if `holder` has lost the lock. */
export const renewLock = (db: Db, id: string, holder: string) =>
  db
    .updateTable('upload')
    .set((eb) => ({ beat: eb('beat', '+', 1) }))
    .where('id', '=', id)
    .where('holder', '=', holder)
    .returning('awaited_by')
    .executeTakeFirst()

export const requestLock = (db: Db, id: string, awaited_by: string) =>
  db.updateTable('upload').set({ awaited_by }).where('id', '=', id).execute()

export const findLock = (db: Db, id: string) =>
  db.selectFrom('upload').select(['holder', 'beat', 'awaited_by']).where('id', '=', id).executeTakeFirst()

export const releaseLock = (db: Db, id: string, holder: string) =>
  db.updateTable('upload').set({ holder: null }).where('id', '=', id).where('holder', '=', holder).execute()

export const deleteUpload = (db: Db, id: string) => db.deleteFrom('upload').where('id', '=', id).execute()

/** Lists the uploads that have expired. Those that became files stay files. */
export const listExpiredUploads = (db: Db, now: string, limit: number): Promise<UploadRecord[]> =>
  db.selectFrom('upload').selectAll().where('ends_at', '<=', now).limit(limit).execute()
