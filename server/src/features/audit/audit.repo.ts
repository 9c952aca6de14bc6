import type { Insertable } from 'kysely'
import { type Db, isSqlite } from '../../db/database.ts'
import { prepareQuery } from '../../db/queries/prepared-query.ts'
import type { Schema } from '../../db/schema.ts'

export type AuditRow = Schema['audit']

/** One link of the hash chain. */
export interface ChainLink {
  seq: number
  mac: string
}

const selectHeadForUpdate = prepareQuery((db) => {
  const head = db.selectFrom('audit_head').select(['seq', 'mac']).where('id', '=', 1)
  return isSqlite(db) ? head : head.forUpdate()
})

/**
 * Returns the end of the chain, and locks it until the transaction ends, so that nobody else can append. SQLite needs no lock: it
 * runs one transaction at a time.
 */
export async function lockHead(trx: Db): Promise<ChainLink | undefined> {
  const { rows } = await selectHeadForUpdate(trx, {})
  return rows[0] && withNumericSeq(rows[0])
}

export async function findHead(db: Db): Promise<ChainLink | undefined> {
  const row = await db.selectFrom('audit_head').select(['seq', 'mac']).where('id', '=', 1).executeTakeFirst()
  return row && withNumericSeq(row)
}

const updateHead = prepareQuery((db, head: ChainLink) => db.updateTable('audit_head').set(head).where('id', '=', 1))

export const setHead = (trx: Db, { seq, mac }: ChainLink) => updateHead(trx, { seq, mac })

const insertRow = prepareQuery((db, row: Insertable<AuditRow>) => db.insertInto('audit').values(row))

/** Inserts entries. Uses a prepared statement for a single one, which is by far the most common case. */
export const insertEntries = (trx: Db, rows: Insertable<AuditRow>[]) =>
  rows[0] && rows.length === 1 ? insertRow(trx, rows[0]) : trx.insertInto('audit').values(rows).execute()

/** Lists the entries after a position, in the order of the chain. */
export async function listEntriesAfter(db: Db, seq: number, limit: number): Promise<AuditRow[]> {
  const rows = await db.selectFrom('audit').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit).execute()
  return rows.map(toAuditRow)
}

/** Lists only the positions of the entries after a position. Used when tampered values make entries unreadable. */
export async function listSeqsAfter(db: Db, seq: number, limit: number): Promise<number[]> {
  const rows = await db.selectFrom('audit').select('seq').where('seq', '>', seq).orderBy('seq').limit(limit).execute()
  return rows.map((row) => Number(row.seq))
}

/** Returns the oldest position at or before `seq`, if any. Finds entries that someone inserted before the start of the chain. */
export async function findSeqAtOrBefore(db: Db, seq: number): Promise<number | undefined> {
  const row = await db.selectFrom('audit').select('seq').where('seq', '<=', seq).orderBy('seq').executeTakeFirst()
  return row && Number(row.seq)
}

export async function findCheckpoint(db: Db) {
  const row = await db.selectFrom('audit_checkpoint').selectAll().orderBy('seq', 'desc').executeTakeFirst()
  return row && withNumericSeq(row)
}

export async function findOldestEntry(db: Db): Promise<AuditRow | undefined> {
  const row = await db.selectFrom('audit').selectAll().orderBy('seq').limit(1).executeTakeFirst()
  return row && toAuditRow(row)
}

export async function findEntry(db: Db, seq: number): Promise<AuditRow | undefined> {
  const row = await db.selectFrom('audit').selectAll().where('seq', '=', seq).executeTakeFirst()
  return row && toAuditRow(row)
}

/** Deletes the entries up to a checkpoint, and stores the checkpoint in their place. */
export async function replaceWithCheckpoint(trx: Db, checkpoint: Schema['audit_checkpoint']): Promise<void> {
  await trx.deleteFrom('audit').where('seq', '<=', checkpoint.seq).execute()
  await trx.deleteFrom('audit_checkpoint').execute()
  await trx.insertInto('audit_checkpoint').values(checkpoint).execute()
}

export const toAuditRow = <Row extends AuditRow>(row: Row): AuditRow => {
  const { seq, at, action, outcome, who, person_id, person, client, company_id, name, link_key, directory_id, file_id } = row
  const ids = { company_id, link_key, directory_id, file_id }
  const counts = { size: asNumber(row.size), bytes: asNumber(row.bytes), times: asNumber(row.times) as number }
  return {
    seq: Number(seq),
    at,
    action,
    outcome,
    who,
    person_id,
    person,
    client,
    name,
    ...ids,
    ...counts,
    note: row.note,
    mac: row.mac,
  }
}

/** Converts a bigint, which PostgreSQL returns as a string. A tampered value stays as it is, and its MAC does not match. */
const asNumber = (value: number | string | null): number | null =>
  typeof value === 'string' && /^-?(0|[1-9]\d{0,15})$/.test(value) ? Number(value) : (value as number | null)

const withNumericSeq = <Row extends { seq: number }>(row: Row): Row => ({ ...row, seq: Number(row.seq) })
