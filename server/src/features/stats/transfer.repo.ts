import { type Db, lockName } from '../../db/database.ts'
import { readInstallationValue, setInstallationValue } from '../../db/installation.ts'
import type { Schema } from '../../db/schema.ts'
import { runInTurn } from '../../lib/concurrency/run-in-turn.ts'

export type Transfer = Schema['transfer']

const fact = 'transfers_counted'

/** Returns the `seq` of the last counted audit entry; undefined before the first count. */
export async function findCounted(db: Db): Promise<number | undefined> {
  const value = await readInstallationValue(db, fact)
  return value === undefined ? undefined : Number(value)
}

/** Returns the same, and locks counting for other processes until the transaction ends. */
export async function lockCounted(trx: Db): Promise<number | undefined> {
  await lockName(trx, fact)
  return findCounted(trx)
}

export const setCounted = (trx: Db, seq: number) => setInstallationValue(trx, fact, String(seq))

const sliceRows = 5000

/**
 * Returns the `seq` just before the first entry at or after a time, even if the clock was set back; undefined if there is no such
 * entry. No index finds it, so the log is read in slices. Needed once, after an update.
 */
export async function findStart(db: Db, since: string): Promise<number | undefined> {
  const entries = db.selectFrom('audit').select('seq').limit(1)
  const first = await entries.orderBy('seq').executeTakeFirst()
  const last = await entries.orderBy('seq', 'desc').executeTakeFirst()
  for (let after = Number(first?.seq ?? 0) - 1; after < Number(last?.seq ?? 0); after += sliceRows) {
    const slice = db.selectFrom('audit').select('seq').where('seq', '>', after)
    const found = slice
      .where('seq', '<=', after + sliceRows)
      .where('at', '>=', since)
      .orderBy('seq')
      .limit(1)
    const row = await runInTurn('', () => found.executeTakeFirst())
    if (row) return Number(row.seq) - 1
  }
  return undefined
}

/** Returns the next audit entries to count, of any action. */
export const listUncounted = (trx: Db, after: number, limit: number) =>
  trx
    .selectFrom('audit')
    .select(['seq', 'at', 'action', 'outcome', 'company_id', 'size', 'bytes', 'times', 'note'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()

export async function addTransfers(trx: Db, rows: Transfer[]): Promise<void> {
  for (const row of rows)
    await trx
      .insertInto('transfer')
      .values(row)
      .onConflict((c) =>
        c.columns(['company_id', 'day']).doUpdateSet((eb) => ({
          uploads: eb('transfer.uploads', '+', row.uploads),
          downloads: eb('transfer.downloads', '+', row.downloads),
          bytes_in: eb('transfer.bytes_in', '+', row.bytes_in),
          bytes_out: eb('transfer.bytes_out', '+', row.bytes_out),
        })),
      )
      .execute()
}

export const deleteOldTransfers = (trx: Db, before: string) => trx.deleteFrom('transfer').where('day', '<', before).execute()

export const listTransfers = (db: Db, company: string, since: string) =>
  db.selectFrom('transfer').selectAll().where('company_id', '=', company).where('day', '>=', since).execute()
