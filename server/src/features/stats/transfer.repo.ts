import { type Db, takeAdvisoryLock } from '../../db/database.ts'
import { readInstallationValue, setInstallationValue } from '../../db/installation.ts'
import { selectOfSelected } from '../../db/queries/company-scope.ts'
import type { Schema } from '../../db/schema.ts'
import type { CompanyScope } from '../../lib/actor.ts'
import { runInTurn } from '../../lib/concurrency/run-in-turn.ts'
import { storeSumOfTotals } from '../company/company-total.repo.ts'

export type Transfer = Schema['transfer']

/** The `company_id` of the sums over all companies, including entries without a company. Admins read only these rows, one for each day. */
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

/** Adds to the transfers of companies, and to the sums of users for whom they are selected. */
export async function addTransfers(trx: Db, rows: Transfer[]): Promise<void> {
  for (const row of rows) {
    await addTransfer(trx, row)
    if (row.company_id === everyCompany) continue
    for (const { user_id } of await listUsersWithSums(trx, row.company_id))
      await addTransfer(trx, { ...row, company_id: user_id })
  }
}

const addTransfer = (trx: Db, row: Transfer) =>
  trx
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

/** Returns the users for whom a company is selected, and for whom sums are stored: see company-total.repo.ts. */
const listUsersWithSums = (trx: Db, company: string) =>
  trx
    .selectFrom('user_company')
    .innerJoin('company_total', 'company_total.company_id', 'user_company.user_id')
    .select('user_company.user_id')
    .where('user_company.company_id', '=', company)
    .execute()

export const deleteOldTransfers = (trx: Db, before: string) => trx.deleteFrom('transfer').where('day', '<', before).execute()

/** Returns the totals of each day from `since` on. */
export async function listTransfers(db: Db, { company = everyCompany, member }: CompanyScope, since: string) {
  const stored = db
    .selectFrom('transfer')
    .select(['day', 'uploads', 'downloads', 'bytes_in', 'bytes_out'])
    .where('company_id', '=', member ?? company)
    .where('day', '>=', since)
  const found = await stored.execute()
  return found.length > 0 || member === undefined ? found : sumTransfersOf(db, member, since)
}

/** Adds up the transfers of the companies that are selected for a user. */
const sumTransfersOf = (db: Db, member: string, since: string) =>
  selectOfSelected(db, member, 'transfer', 'company_id')
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

/**
 * Recomputes and stores the sums of the totals and transfers of a user's selected companies. Call it after the selection has changed and
 * after `record`, in the same transaction: other changes of totals wait for the lock of the audit log.
 */
export async function storeSums(trx: Db, user: string): Promise<void> {
  const isStored = await storeSumOfTotals(trx, user)
  await lockLastCountedSeq(trx)
  await trx.deleteFrom('transfer').where('company_id', '=', user).execute()
  for (const row of isStored ? await sumTransfersOf(trx, user, '') : [])
    await trx
      .insertInto('transfer')
      .values({ ...row, company_id: user })
      .execute()
}
