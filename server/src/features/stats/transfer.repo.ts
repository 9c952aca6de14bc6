import { type Db, takeAdvisoryLock } from '../../db/database.ts'
import { readInstallationValue, setInstallationValue } from '../../db/installation.ts'
import { selectOfSelected } from '../../db/queries/company-scope.ts'
import type { Schema } from '../../db/schema.ts'
import type { CompanyScope } from '../../lib/actor.ts'
import { runInTurn } from '../../lib/concurrency/run-in-turn.ts'

export type Transfer = Schema['transfer']

/** The `company_id` of the sums over all companies, which also include entries of no company. Admins read these thirty rows. */
export const everyCompany = ''

const lastCountedKey = 'transfers_counted'

/** Returns the `seq` of the last counted audit entry; undefined before the first count. */
export async function findLastCountedSeq(db: Db): Promise<number | undefined> {
  const value = await readInstallationValue(db, lastCountedKey)
  return value === undefined ? undefined : Number(value)
}

/**
 * Keeps other processes from counting until the transaction ends. Returns the `seq` of the last counted audit entry, like
 * `findLastCountedSeq`.
 */
export async function lockLastCountedSeq(trx: Db): Promise<number | undefined> {
  await takeAdvisoryLock(trx, lastCountedKey)
  return findLastCountedSeq(trx)
}

export const setLastCountedSeq = (trx: Db, seq: number) => setInstallationValue(trx, lastCountedKey, String(seq))

const sliceRows = 5000

/**
 * Returns the `seq` just before the first entry at or after a time; undefined if there is no such entry. No index
 * finds it, because the clock may have been set back, so the log is read in slices. Needed once, after an update.
 */
export async function findSeqBefore(db: Db, since: string): Promise<number | undefined> {
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

export type UncountedEntry = Awaited<ReturnType<typeof listUncountedEntries>>[number]

/** Returns the next audit entries to count, of any action. */
export const listUncountedEntries = (trx: Db, after: number, limit: number) =>
  trx
    .selectFrom('audit')
    .select(['seq', 'at', 'action', 'outcome', 'who', 'company_id', 'link_key', 'name', 'size', 'bytes', 'times', 'note'])
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

/** Returns the totals of each day from `since` on. */
export const listTransfers = (db: Db, { company = everyCompany, member }: CompanyScope, since: string) =>
  (member === undefined
    ? db.selectFrom('transfer').where('company_id', '=', company)
    : selectOfSelected(db, member, 'transfer', 'company_id')
  )
    .select((eb) => [
      'day',
      eb.fn.sum<number>('uploads').as('uploads'),
      eb.fn.sum<number>('downloads').as('downloads'),
      eb.fn.sum<number>('bytes_in').as('bytes_in'),
      eb.fn.sum<number>('bytes_out').as('bytes_out'),
    ])
    .where('day', '>=', since)
    .groupBy('day')
    .execute()
