import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isActive } from '../../db/queries/company-scope.ts'
import { deleteInSlices } from '../../db/queries/delete-in-slices.ts'
import { prepareQuery } from '../../db/queries/prepared-query.ts'
import type { Schema } from '../../db/schema.ts'

/** The current time, and the times after which a session must have begun and been used to be still valid. */
export interface SessionLimits {
  now: string
  startedAfter: string
  seenAfter: string
  rememberedSeenAfter: string
}

/** Selects sessions that are still valid. The query checks everything that can end a session, so that no caller can forget to. */
const selectLiveSessions = (db: Db, { now, startedAfter, seenAfter, rememberedSeenAfter }: SessionLimits) =>
  db
    .selectFrom('session')
    .innerJoin('user', (join) =>
      join.onRef('user.id', '=', 'session.user_id').onRef('user.generation', '=', 'session.generation'),
    )
    .where(isActive('user'))
    .where('session.idle_ends_at', '>', now) // never later than ends_at
    .where('session.created_at', '>', startedAfter)
    .where((eb) =>
      eb.or([
        eb('session.remembered_at', 'is', null).and('session.last_seen_at', '>', seenAfter),
        eb('session.remembered_at', 'is not', null).and('session.last_seen_at', '>', rememberedSeenAfter),
      ]),
    )

const selectSessionByToken = prepareQuery((db, { hash, ...limits }: SessionLimits & { hash: string }) =>
  selectLiveSessions(db, limits)
    .innerJoin('session_token', 'session_token.session_id', 'session.id')
    .where('session_token.hash', '=', hash)
    .select([
      'session.id',
      'session.user_id',
      'session.last_seen_at',
      'session.idle_ends_at',
      'session.remembered_at',
      'session.ends_at',
      'session.second_factor',
      'session.confirmed_at',
      'user.second_factor_at',
      'user.company_id',
      'user.role',
      'user.access',
      'user.name',
    ]),
)

export const findSessionByToken = async (db: Db, hash: string, limits: SessionLimits) =>
  (await selectSessionByToken(db, { ...limits, hash })).rows[0]

export const findSession = (db: Db, id: string, limits: SessionLimits) =>
  selectLiveSessions(db, limits).where('session.id', '=', id).selectAll('session').executeTakeFirst()

const selectSessionActor = prepareQuery((db, { id, ...limits }: SessionLimits & { id: string }) =>
  selectLiveSessions(db, limits)
    .where('session.id', '=', id)
    .select([
      'session.id',
      'session.user_id',
      'session.client',
      'session.second_factor',
      'user.second_factor_at',
      'user.company_id',
      'user.role',
      'user.access',
      'user.name',
    ]),
)

/** Returns the user of a session with their current rights. */
export const findSessionActor = async (db: Db, id: string, limits: SessionLimits) =>
  (await selectSessionActor(db, { ...limits, id })).rows[0]

export const insertSession = (db: Db, row: Insertable<Schema['session']>) => db.insertInto('session').values(row).execute()

export const insertSessionToken = (db: Db, row: Insertable<Schema['session_token']>) =>
  db.insertInto('session_token').values(row).execute()

/** Ends the session in every tab: its tokens are deleted with it. */
export const deleteSession = (db: Db, id: string) => db.deleteFrom('session').where('id', '=', id).execute()

export const listSessions = (db: Db, userId: string, limits: SessionLimits) =>
  selectLiveSessions(db, limits)
    .where('session.user_id', '=', userId)
    .selectAll('session')
    .orderBy('session.created_at', 'desc')
    .execute()

/** Returns false if the session does not exist or belongs to another user. */
export async function deleteSessionOf(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('session').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Returns false if the session no longer exists. */
export async function touchSession(db: Db, id: string, seen: { last_seen_at: string; idle_ends_at: string }): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('session').set(seen).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores that the user has just proven who they are. */
export const setConfirmedAt = (db: Db, id: string, confirmed_at: string) =>
  db.updateTable('session').set({ confirmed_at }).where('id', '=', id).execute()

/** Replaces the restore secret with the next one. Does nothing if another tab has already done so. */
export const rotateRestoreNumber = (db: Db, id: string, from: number, restored_at: string) =>
  db
    .updateTable('session')
    .set({ restore_number: from + 1, restored_at })
    .where('id', '=', id)
    .where('restore_number', '=', from)
    .execute()

/** Keeps only the newest sessions of a user, so that a leaked password cannot fill the table. */
export const deleteOldestSessions = (db: Db, userId: string, keep: number) =>
  db
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('session as kept')
        .select('kept.id')
        .where('kept.user_id', '=', userId)
        .orderBy('kept.created_at', 'desc')
        .limit(keep),
    )
    .execute()

export const deleteOldestTokens = (db: Db, sessionId: string, keep: number) =>
  db
    .deleteFrom('session_token')
    .where('session_id', '=', sessionId)
    .where('hash', 'not in', (eb) =>
      eb
        .selectFrom('session_token as kept')
        .select('kept.hash')
        .where('kept.session_id', '=', sessionId)
        .orderBy('kept.created_at', 'desc')
        .limit(keep),
    )
    .execute()

export const deleteEndedSessions = (db: Db, now: string) =>
  deleteInSlices(db, 'session', 'id', (rows) => rows.where('idle_ends_at', '<=', now))
