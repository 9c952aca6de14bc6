import type { Db } from '../../db/database.ts'
import { deleteInSlices } from '../../db/queries/delete-in-slices.ts'
import type { Schema } from '../../db/schema.ts'

type Challenge = Schema['challenge']

export const insertChallenge = (db: Db, row: Challenge) => db.insertInto('challenge').values(row).execute()

export const findChallenge = (db: Db, kind: Challenge['kind'], hash: string, now: string) =>
  db
    .selectFrom('challenge')
    .selectAll()
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('ends_at', '>', now)
    .executeTakeFirst()

/** Deletes a challenge, so that it works once, even for concurrent requests. Returns undefined if it has ended or does not exist. */
export const deleteChallenge = (db: Db, kind: Challenge['kind'], hash: string, now: string) =>
  db
    .deleteFrom('challenge')
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('ends_at', '>', now)
    .returningAll()
    .executeTakeFirst()

/**
 * Keeps only the newest challenges of one kind of a user, so that nobody can fill the table. Those of other kinds stay: someone who knows
 * the password can't end an operator's sign-in link.
 */
export const deleteOldestChallenges = (db: Db, userId: string, kind: Challenge['kind'], keep: number) =>
  db
    .deleteFrom('challenge')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('hash', 'not in', (eb) =>
      eb
        .selectFrom('challenge as kept')
        .select('kept.hash')
        .where('kept.user_id', '=', userId)
        .where('kept.kind', '=', kind)
        .orderBy('kept.ends_at', 'desc')
        .orderBy('kept.hash')
        .limit(keep),
    )
    .execute()

export const deleteEndedChallenges = (db: Db, now: string) =>
  deleteInSlices(db, 'challenge', 'hash', (rows) => rows.where('ends_at', '<=', now))
