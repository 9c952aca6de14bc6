import type { Insertable } from 'kysely'
import { type Db, isSqlite } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { Schema } from '../../db/schema.ts'

export type AuditRow = Schema['audit']

export interface Link {
  seq: number
  mac: string
}

const headToChange = prepared((db) => {
  const head = db.selectFrom('audit_head').select(['seq', 'mac']).where('id', '=', 1)
  return isSqlite(db) ? head : head.forUpdate()
})

/** The end of the chain. Until the transaction is over nobody else can add to it: on PostgreSQL by this row, on SQLite a transaction is alone. */
export async function lockHead(trx: Db): Promise<Link | undefined> {
  const { rows } = await headToChange(trx, {})
  return rows[0] && numbered(rows[0])
}

export async function findHead(db: Db): Promise<Link | undefined> {
  const row = await db.selectFrom('audit_head').select(['seq', 'mac']).where('id', '=', 1).executeTakeFirst()
  return row && numbered(row)
}

const newHead = prepared((db, head: Link) => db.updateTable('audit_head').set(head).where('id', '=', 1))

export const setHead = (trx: Db, { seq, mac }: Link) => newHead(trx, { seq, mac })

const newRow = prepared((db, row: Insertable<AuditRow>) => db.insertInto('audit').values(row))

/** Nearly always there is one. */
export const insertRows = (trx: Db, rows: Insertable<AuditRow>[]) =>
  rows[0] && rows.length === 1 ? newRow(trx, rows[0]) : trx.insertInto('audit').values(rows).execute()

/** In the order of the chain. */
export async function listAfter(db: Db, seq: number, limit: number): Promise<AuditRow[]> {
  const rows = await db.selectFrom('audit').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit).execute()
  return rows.map(plain)
}

/** Where rows are that one cannot read, because somebody put something into them that is none: their places alone. */
export async function listPlaces(db: Db, seq: number, limit: number): Promise<number[]> {
  const rows = await db.selectFrom('audit').select('seq').where('seq', '>', seq).orderBy('seq').limit(limit).execute()
  return rows.map((row) => Number(row.seq))
}

/** Before the beginning of the chain there is nothing, unless somebody put it there. */
export async function findBefore(db: Db, seq: number): Promise<number | undefined> {
  const row = await db.selectFrom('audit').select('seq').where('seq', '<=', seq).orderBy('seq').executeTakeFirst()
  return row && Number(row.seq)
}

export async function findCheckpoint(db: Db) {
  const row = await db.selectFrom('audit_checkpoint').selectAll().orderBy('seq', 'desc').executeTakeFirst()
  return row && numbered(row)
}

/** Returns the oldest entry. */
export async function findFirst(db: Db): Promise<AuditRow | undefined> {
  const row = await db.selectFrom('audit').selectAll().orderBy('seq').limit(1).executeTakeFirst()
  return row && plain(row)
}

export async function findRow(db: Db, seq: number): Promise<AuditRow | undefined> {
  const row = await db.selectFrom('audit').selectAll().where('seq', '=', seq).executeTakeFirst()
  return row && plain(row)
}

/** Removes the beginning of the chain and puts the checkpoint in its place. */
export async function cutBefore(trx: Db, checkpoint: Schema['audit_checkpoint']): Promise<void> {
  await trx.deleteFrom('audit').where('seq', '<=', checkpoint.seq).execute()
  await trx.deleteFrom('audit_checkpoint').execute()
  await trx.insertInto('audit_checkpoint').values(checkpoint).execute()
}

/** Whether the trail tells of it at all. Asked for as the first one from there on, which only the index can tell: PostgreSQL would look through the trail. */
export async function hasHappened(db: Db, action: AuditRow['action']): Promise<boolean> {
  const first = db.selectFrom('audit').select('action').where('action', '>=', action).orderBy('action').orderBy('seq').limit(1)
  return (await first.executeTakeFirst())?.action === action
}

export const plain = <Row extends AuditRow>(row: Row): AuditRow => {
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

/** PostgreSQL gives large numbers as digits. Whatever else somebody put there stays as it is, and does not fit its row's mac. */
const asNumber = (value: number | string | null): number | null =>
  typeof value === 'string' && /^-?(0|[1-9]\d{0,15})$/.test(value) ? Number(value) : (value as number | null)

const numbered = <Row extends { seq: number }>(row: Row): Row => ({ ...row, seq: Number(row.seq) })
