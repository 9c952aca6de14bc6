import { sql } from 'kysely'
import { type Db, isSqlite } from '../../db/database.ts'
import { setStandings } from '../../db/link-standing.ts'
import { hasAccess } from '../../db/queries/company-scope.ts'
import type { Rows } from '../../db/queries/paging.ts'

/** The links to hand over: all links of an owner, or only those with the given keys. */
export interface OwnedLinks {
  from: string
  keys?: string[] | undefined
}

/** Returns the owner of links, even a removed one: they may still own links that were closed. */
export const findOwner = (db: Db, id: string) =>
  db.selectFrom('user').select(['name', 'email', 'company_id']).where('id', '=', id).executeTakeFirst()

/** Returns the next slice of an owner's links, after the given link, and whether the user `to` has access to the company of each. */
export const listOwnedLinks = (
  db: Db,
  links: OwnedLinks,
  to: string,
  after: { expires_at: string; key: string },
  limit: number,
) =>
  limitToOwned(db.selectFrom('link'), links)
    .innerJoin('user as newOwner', (join) => join.on('newOwner.id', '=', to))
    .select(['link.key', 'link.expires_at', 'link.company_id', hasAccess('newOwner', 'link.company_id').as('has_access')])
    .where(sql<boolean>`(link.expires_at, link.key) > (${after.expires_at}, ${after.key})`)
    .orderBy('link.expires_at')
    .orderBy('link.key')
    .limit(limit)
    .execute()

/** Locks and returns those of the links that the owner still owns. */
export async function lockOwnedLinks(trx: Db, from: string, keys: string[]) {
  const rows = limitToOwned(trx.selectFrom('link'), { from, keys })
    .selectAll('link')
    .orderBy('link.expires_at')
    .orderBy('link.key')
  return isSqlite(trx) ? rows.execute() : rows.forUpdate().execute()
}

/** Locks users, so that their rights and email addresses stay the same until the transaction ends. */
export async function lockUsers(trx: Db, ids: string[]): Promise<void> {
  if (isSqlite(trx)) return
  await trx.selectFrom('user').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

/** Sets the owner of links. Clears the time of a notice that was already sent: the first one to the new owner need not wait for an hour. */
export async function setOwner(trx: Db, keys: string[], maker_id: string, now: string): Promise<void> {
  await trx
    .updateTable('link')
    .set({ maker_id, noticed_at: sql<string | null>`case when noticed_at <= ${now} then null else noticed_at end` })
    .where('key', 'in', keys)
    .execute()
  await setStandings(trx, keys)
}

const limitToOwned = (rows: Rows<'link'>, { from, keys }: OwnedLinks) =>
  rows.where('link.maker_id', '=', from).$if(keys !== undefined, (q) => q.where('link.key', 'in', ['', ...(keys ?? [])]))
