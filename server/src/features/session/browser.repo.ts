import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

type BrowserKey = Pick<Schema['browser'], 'user_id' | 'hash'>

export const findBrowser = (db: Db, { user_id, hash }: BrowserKey) =>
  db.selectFrom('browser').selectAll().where('user_id', '=', user_id).where('hash', '=', hash).executeTakeFirst()

/** Returns whether Neptune has given this browser its cookie. */
export const isKnownBrowser = async (db: Db, hash: string): Promise<boolean> =>
  (await db.selectFrom('browser').select('hash').where('hash', '=', hash).limit(1).executeTakeFirst()) !== undefined

export const saveBrowser = (db: Db, { user_id, hash, ...row }: Schema['browser']) =>
  db
    .insertInto('browser')
    .values({ user_id, hash, ...row })
    .onConflict((c) => c.columns(['hash', 'user_id']).doUpdateSet(row))
    .execute()

/** Keeps only the browsers that a user has used most recently. */
export const deleteOldestBrowsers = (db: Db, userId: string, keep: number) =>
  db
    .deleteFrom('browser')
    .where('user_id', '=', userId)
    .where('hash', 'not in', (eb) =>
      eb
        .selectFrom('browser as kept')
        .select('kept.hash')
        .where('kept.user_id', '=', userId)
        .orderBy('kept.last_seen_at', 'desc')
        .orderBy('kept.hash')
        .limit(keep),
    )
    .execute()

interface TrustQuery {
  user_id: string
  generation: number
  now: string
  latest: string
}

/**
 * Counts the browsers that a user trusts, in which they need no second factor. Ignores trust that ends after `latest`.
 */
export async function countTrusted(db: Db, { user_id, generation, now, latest }: TrustQuery): Promise<number> {
  const { count } = await db
    .selectFrom('browser')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .where('trusted_generation', '=', generation)
    .where('trusted_until', '>', now)
    .where('trusted_until', '<=', latest)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const untrusted = { trusted_until: null, trusted_generation: null }

export const endTrustInAllBrowsers = (db: Db, userId: string) =>
  db.updateTable('browser').set(untrusted).where('user_id', '=', userId).execute()

export const endTrustInBrowser = (db: Db, { user_id, hash }: BrowserKey) =>
  db.updateTable('browser').set(untrusted).where('user_id', '=', user_id).where('hash', '=', hash).execute()
