import type { Db } from '../../db/database.ts'
import { newId } from '../../lib/secrets.ts'
import { findUser, type UserRecord } from './user.repo.ts'

/** The columns of a user that an invitation sets. */
export type Invitation = { [Column in 'invitation_id' | 'invitation_ends_at']: string }

/** Returns the user with this invitation, unless it has expired. */
export async function findInvitedUser(db: Db, invitationId: string, now: string): Promise<UserRecord | undefined> {
  const row = await db
    .selectFrom('user')
    .select('id')
    .where('invitation_id', '=', invitationId)
    .where('invitation_ends_at', '>', now)
    .executeTakeFirst()
  return row && findUser(db, row.id)
}

export const setInvitation = (db: Db, id: string, { invitation_id, invitation_ends_at }: Invitation) =>
  db.updateTable('user').set({ invitation_id, invitation_ends_at }).where('id', '=', id).execute()

/** Makes the link of an invited user stop working. Until they get a new one, their invitation counts as expired. */
export async function expireInvitation<Invited extends { id: string; invitation_id: string | null }>(
  db: Db,
  user: Invited,
  now: string,
): Promise<Invited> {
  if (user.invitation_id === null) return user
  const closed = { invitation_id: newId(), invitation_ends_at: now }
  await setInvitation(db, user.id, closed)
  return { ...user, ...closed }
}

/**
 * Sets the password of an invited user, who can then sign in. Returns false if the invitation has expired, or was used, replaced or
 * closed meanwhile. The condition on `invitation_id` makes it work only once.
 */
export async function setFirstPassword(
  db: Db,
  { id, email, generation, invitation_id }: UserRecord,
  password_hash: string,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user')
    .set({ password_hash, password_changed_at: now, generation: generation + 1, invitation_id: null, invitation_ends_at: null })
    .where('id', '=', id)
    .where('email', '=', email)
    .where('generation', '=', generation)
    .where('invitation_id', '=', invitation_id)
    .where('invitation_ends_at', '>', now)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes the row of an invited user. They have never signed in, so no file, link or audit entry refers to it. */
export const deleteInvitedUser = (db: Db, id: string) =>
  db.deleteFrom('user').where('id', '=', id).where('invitation_id', 'is not', null).execute()
