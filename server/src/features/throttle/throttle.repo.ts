import { sql } from 'kysely'
import { type Db, takeAdvisoryLock } from '../../db/database.ts'
import { deleteInSlices } from '../../db/queries/delete-in-slices.ts'
import { prepareQuery } from '../../db/queries/prepared-query.ts'

export interface Count {
  bucket: string
  tries: number
  ends_at: string
}

/** Serializes the attempts of one client until this transaction ends. */
export const lockAttempts = (trx: Db, client: string) => takeAdvisoryLock(trx, `tries ${client}`)

const selectOpenWindows = prepareQuery((db, { now, ...buckets }: { now: string; [n: number]: string }) =>
  db.selectFrom('throttle').selectAll().where('bucket', 'in', Object.values(buckets)).where('ends_at', '>', now),
)

/** Returns the counts of the windows that are still open. */
export const findCounts = async (db: Db, buckets: string[], now: string): Promise<Count[]> =>
  (await selectOpenWindows(db, { now, ...buckets })).rows

/** Adds one to each bucket and returns the new counts, in one statement, so that concurrent attempts are all counted. */
export const incrementCounts = (db: Db, buckets: { bucket: string; ends_at: string }[], now: string): Promise<Count[]> =>
  db
    .insertInto('throttle')
    .values(buckets.map((bucket) => ({ ...bucket, tries: 1 })))
    .onConflict((c) =>
      c.column('bucket').doUpdateSet({
        tries: sql`case when throttle.ends_at <= ${now} then 1 else throttle.tries + 1 end`,
        ends_at: sql`case when throttle.ends_at <= ${now} then excluded.ends_at else throttle.ends_at end`,
      }),
    )
    .returningAll()
    .execute()

/** Subtracts one from each bucket, and deletes those that reach zero. Call it inside a transaction. */
export async function decrementCounts(trx: Db, buckets: string[]): Promise<void> {
  await trx
    .updateTable('throttle')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('bucket', 'in', buckets)
    .execute()
  await trx.deleteFrom('throttle').where('bucket', 'in', buckets).where('tries', '<=', 0).execute()
}

/** Claims a bucket until `ends_at`. Returns false while someone else holds it. Ignores a claim beyond `latest`, from a wrong clock. */
export async function claimBucket(db: Db, bucket: string, ends_at: string, now: string, latest: string): Promise<boolean> {
  const claimed = await db
    .insertInto('throttle')
    .values({ bucket, tries: 1, ends_at })
    .onConflict((c) =>
      c
        .column('bucket')
        .doUpdateSet({ ends_at })
        .where((eb) => eb.or([eb('throttle.ends_at', '<=', now), eb('throttle.ends_at', '>', latest)])),
    )
    .returning('bucket')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Extends a claim if it is still held. */
export const renewBucket = (db: Db, bucket: string, previousEndsAt: string, ends_at: string) =>
  db.updateTable('throttle').set({ ends_at }).where('bucket', '=', bucket).where('ends_at', '=', previousEndsAt).execute()

export const deleteBucket = (db: Db, bucket: string) => db.deleteFrom('throttle').where('bucket', '=', bucket).execute()

/** Deletes the window that was read, but not a newer one that another node has opened since. */
export const deleteWindow = (db: Db, bucket: string, endsAt: string) =>
  db.deleteFrom('throttle').where('bucket', '=', bucket).where('ends_at', '=', endsAt).execute()

export const deleteEndedWindows = (db: Db, now: string) =>
  deleteInSlices(db, 'throttle', 'bucket', (rows) => rows.where('ends_at', '<=', now))
