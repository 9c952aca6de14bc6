import { type Insertable, sql } from 'kysely'
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

/** The first row that is to stay, and the first there is. */
export async function findFirst(db: Db, since: string | undefined): Promise<AuditRow | undefined> {
  const rows = db.selectFrom('audit').selectAll().orderBy('seq').limit(1)
  const row = await (since === undefined ? rows : rows.where('at', '>=', since)).executeTakeFirst()
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

export interface TrailRequest {
  person?: string | undefined
  link?: string | undefined
  file?: string | undefined
  directory?: string | undefined
  company?: string | undefined
  action?: AuditRow['action'] | undefined
  outcome?: AuditRow['outcome'] | undefined
  from?: string | undefined
  to?: string | undefined
  /** The file asked for, if it is still there: a ZIP of its directory holds it. */
  zipped?: { directory_id: string; created_at: string } | undefined
}

export interface TrailPage {
  limit: number
  /** The row before the first one wanted. */
  after?: number | undefined
  isUp: boolean
}

/** `within` is the one company somebody may see. */
export async function listTrail(db: Db, request: TrailRequest, within: string | undefined, { limit, after, isUp }: TrailPage) {
  const equal = [
    ['audit.person_id', request.person],
    ['audit.link_key', request.link],
    ['audit.directory_id', request.directory],
    ['audit.company_id', request.company],
    ['audit.company_id', within],
    ['audit.action', request.action],
    ['audit.outcome', request.outcome],
  ] as const
  const asked = equal.filter(([, value]) => value !== undefined && value !== '')
  const isAlone = asked.length === 0 && request.file === undefined
  // SQLite, which knows nothing of what is in a table, would take the index of the company and sort all of it.
  const isSpan = (request.from !== undefined || request.to !== undefined) && (isAlone || !isSqlite(db))
  let query = db
    .selectFrom('audit')
    .leftJoin('company', 'company.id', 'audit.company_id')
    .leftJoin('user', 'user.id', 'audit.person_id')
    .selectAll('audit')
    .select(['company.name as company', 'user.company_id as person_company'])
    // By time where a span of time is asked for: then an index leads to it, wherever in the trail it is.
    .$if(isSpan, (q) => q.orderBy('audit.at', isUp ? 'asc' : 'desc'))
    .orderBy('audit.seq', isUp ? 'asc' : 'desc')
    .limit(limit)
  for (const [column, value] of asked) query = query.where(column, '=', value as never)
  const { file, zipped } = request
  if (file)
    query = query.where((eb) =>
      zipped
        ? eb.or([
            eb('audit.file_id', '=', file),
            eb.and([
              eb('audit.directory_id', '=', zipped.directory_id),
              eb('audit.action', '=', 'directory.downloaded'),
              eb('audit.at', '>=', zipped.created_at),
            ]),
          ])
        : eb('audit.file_id', '=', file),
    )
  if (within === '') query = query.where('audit.company_id', '=', '')
  if (request.from !== undefined) query = query.where('audit.at', '>=', request.from)
  if (request.to !== undefined) query = query.where('audit.at', '<', request.to)
  if (after !== undefined)
    query = query.where(isSpan ? isBeyond(after, isUp) : sql<boolean>`audit.seq ${sql.raw(isUp ? '>' : '<')} ${after}`)
  const rows = await query.execute()
  return rows.map((row) => ({ ...plain(row), company: row.company, person_company: row.person_company }))
}

/** In the order of time. A row that was pruned meanwhile was older than all that are left. */
function isBeyond(seq: number, isUp: boolean) {
  const at = sql`coalesce((select last.at from audit as last where last.seq = ${seq}), '')`
  return sql<boolean>`(audit.at, audit.seq) ${sql.raw(isUp ? '>' : '<')} (${at}, ${seq})`
}

const plain = <Row extends AuditRow>(row: Row): AuditRow => {
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
