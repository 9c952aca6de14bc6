import { sql } from 'kysely'
import { type Db, isSqlite } from '../../db/database.ts'
import { setStandings } from '../../db/link-standing.ts'
import { hasAccess } from '../../db/queries/company-scope.ts'
import type { Rows } from '../../db/queries/paging.ts'

/** Which links to hand over: all of an owner, or those with the given keys that they own. */
export interface OwnedLinks {
  from: string
  keys?: string[] | undefined
}

/** Returns the next slice of an owner's links, after the given one, and whether another user has access to their companies. */
export const listOwnedLinks = (
  db: Db,
  links: OwnedLinks,
  to: string,
  after: { expires_at: string; key: string },
  limit: number,
) =>
  limitToOwned(db.selectFrom('link'), links)
    .innerJoin('user as receiver', (join) => join.on('receiver.id', '=', to))
    .select(['link.key', 'link.expires_at', hasAccess('receiver', 'link.company_id').as('has_access')])
    .where(sql<boolean>`(link.expires_at, link.key) > (${after.expires_at}, ${after.key})`)
    .orderBy('link.expires_at')
    .orderBy('link.key')
    .limit(limit)
    .execute()

/** Locks the first links of an owner. */
export async function lockOwnedLinks(trx: Db, links: OwnedLinks, limit: number) {
  const rows = limitToOwned(trx.selectFrom('link'), links)
    .selectAll('link')
    .orderBy('link.expires_at')
    .orderBy('link.key')
    .limit(limit)
  return isSqlite(trx) ? rows.execute() : rows.forUpdate().execute()
}

/** Locks users, so that their rights and email addresses stay the same until the transaction ends. */
export async function lockUsers(trx: Db, ids: string[]): Promise<void> {
  if (isSqlite(trx)) return
  await trx.selectFrom('user').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

/** Sets the owner of links. A new owner has not been notified yet, so their next notice need not wait. */
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
