import { type Db, lockName } from '../../db/database.ts'
import { findFact, putFact } from '../../db/installation.ts'
import type { Schema } from '../../db/schema.ts'

export type Transfer = Schema['transfer']

const fact = 'transfers_counted'

/** Up to which row of the trail all is counted; undefined before the first time. */
export async function findCounted(db: Db): Promise<number | undefined> {
  const value = await findFact(db, fact)
  return value === undefined ? undefined : Number(value)
}

/** The same for whoever counts on: until this transaction ends nobody else does. */
export async function lockCounted(trx: Db): Promise<number | undefined> {
  await lockName(trx, fact)
  return findCounted(trx)
}

export const setCounted = (trx: Db, seq: number) => putFact(trx, fact, String(seq))

/** The row before the first one of that time, also where a clock went back; undefined when there is none so new. Asked once, after an update. */
export async function findStart(db: Db, since: string): Promise<number | undefined> {
  const { first } = await db
    .selectFrom('audit')
    .select((eb) => eb.fn.min<number | null>('seq').as('first'))
    .where('at', '>=', since)
    .executeTakeFirstOrThrow()
  return first === null ? undefined : Number(first) - 1
}

/** What is next to be counted, whatever it is. */
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

export const forgetTransfers = (trx: Db, before: string) => trx.deleteFrom('transfer').where('day', '<', before).execute()

export const listTransfers = (db: Db, company: string, since: string) =>
  db.selectFrom('transfer').selectAll().where('company_id', '=', company).where('day', '>=', since).execute()
