import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { hasAccess } from '../../db/queries/company-scope.ts'

/** Counts the links of a user that have not expired, up to `max`. */
export async function countUnexpiredLinks(db: Db, userId: string, now: string, max: number): Promise<number> {
  const links = db.selectFrom('link').select('key').where('maker_id', '=', userId).where('expires_at', '>', now)
  return (await links.limit(max).execute()).length
}

/** Counts the unfinished uploads of a user, up to `max`. */
export async function countUnfinishedUploads(db: Db, userId: string, max: number): Promise<number> {
  const uploads = db.selectFrom('upload').select('id').where('user_id', '=', userId).where('finished_at', 'is', null)
  return (await uploads.limit(max).execute()).length
}

export const listWebhooksOf = (db: Db, userId: string) =>
  db.selectFrom('webhook').select(['id', 'company_id', 'url']).where('maker_id', '=', userId).execute()

/** Returns the company of a link, if the user owns it. */
export const findLinkCompany = async (db: Db, userId: string, key: string): Promise<string | undefined> =>
  (await db.selectFrom('link').select('company_id').where('key', '=', key).where('maker_id', '=', userId).executeTakeFirst())
    ?.company_id

/** Returns the companies of a page of a user's links, starting after the given link. `last` is undefined on the last page. */
export async function listLinkCompanies(db: Db, userId: string, after: { expires_at: string; key: string }, limit: number) {
  const rows = await db
    .selectFrom('link')
    .select(['company_id', 'expires_at', 'key'])
    .where('maker_id', '=', userId)
    .where(sql<boolean>`(expires_at, key) > (${after.expires_at}, ${after.key})`)
    .orderBy('expires_at')
    .orderBy('key')
    .limit(limit)
    .execute()
  return { companies: rows.map(({ company_id }) => company_id), last: rows.length < limit ? undefined : rows.at(-1) }
}

/** Returns which of these users lack access to one of these companies, with the name of the first such company. */
export const listMissingAccess = (db: Db, users: string[], companies: string[]) =>
  db
    .selectFrom('user as person')
    .innerJoin('company', (join) => join.on('company.id', 'in', companies))
    .select(({ fn }) => ['person.id', fn.min<string>('company.name').as('company')])
    .where('person.id', 'in', users)
    .where(sql<boolean>`not ${hasAccess('person', 'company.id')}`)
    .groupBy('person.id')
    .execute()

/** Ends the unfinished uploads of a user and returns their ids. The caller must still remove their bytes. */
export const endUploadsOfUser = async (trx: Db, userId: string, now: string): Promise<string[]> => {
  const ended = trx.updateTable('upload').set({ ends_at: now }).where('user_id', '=', userId).where('finished_at', 'is', null)
  return (await ended.returning('id').execute()).map(({ id }) => id)
}

const userTables = [
  'session',
  'api_token',
  'password_reset',
  'totp',
  'passkey',
  'recovery_code',
  'factor_reset',
  'browser',
  'challenge',
  'provider_account',
  'link_reservation',
  'user_company',
] as const

/** Deletes the rows that only a user who can sign in needs. Their files, links and audit entries stay. */
export async function deleteRowsOfUser(trx: Db, userId: string): Promise<void> {
  for (const table of userTables) await trx.deleteFrom(table).where('user_id', '=', userId).execute()
  await trx.deleteFrom('webhook').where('maker_id', '=', userId).execute()
}

/** Deletes waiting messages to a user about their account and their links. Those sent to them as a recipient of a link stay. */
export const deleteWaitingMessages = (trx: Db, email: string) =>
  trx
    .deleteFrom('outbox')
    .where('recipient', '=', email)
    .where('state', '=', 'waiting')
    .where('claim', 'is', null)
    .where('letter', 'in', [
      'password_reset',
      'password_changed',
      'email_changed',
      'new_sign_in',
      'factor_changed',
      'factor_reset',
      'link_uploads',
      'link_downloaded',
      'link_asked',
    ])
    .execute()

/**
 * Marks a user as removed. Also suspends them, so that every query that finds a session, a token or an owner excludes them. Replaces the
 * email address with a text that can't be an address.
 */
export const markRemoved = (trx: Db, id: string, now: string) =>
  trx
    .updateTable('user')
    .set((eb) => ({
      removed_at: now,
      suspended_at: eb.fn.coalesce('suspended_at', eb.val(now)),
      generation: eb('generation', '+', 1),
      email: `removed ${id}`,
      password_hash: '',
      access: 'own' as const,
    }))
    .where('id', '=', id)
    .execute()
