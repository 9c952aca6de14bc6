import { type Db, isSqlite } from '../../db/database.ts'

/** Locks and returns the first `limit` links of an owner that have not expired. */
export async function lockUnexpiredLinks(trx: Db, owner: string, now: string, limit: number) {
  const rows = trx
    .selectFrom('link')
    .selectAll('link')
    .where('link.maker_id', '=', owner)
    .where('link.expires_at', '>', now)
    .orderBy('link.expires_at')
    .orderBy('link.key')
    .limit(limit)
  return isSqlite(trx) ? rows.execute() : rows.forUpdate().execute()
}

export const setExpiry = (trx: Db, keys: string[], expires_at: string) =>
  trx.updateTable('link').set({ expires_at }).where('key', 'in', keys).execute()
