import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Rows } from '../../db/paging.ts'
import type { Schema } from '../../db/schema.ts'
import { type Requester, scan } from '../../lib/concurrency/scan.ts'
import { type AuditRow, toAuditRow } from './audit.repo.ts'

interface EntryRequest {
  person?: string | undefined
  link?: string | undefined
  file?: string | undefined
  directory?: string | undefined
  company?: string | undefined
  action?: AuditRow['action'] | undefined
  outcome?: AuditRow['outcome'] | undefined
  from?: string | undefined
  to?: string | undefined
  /** The requested file, if it still exists: a ZIP of its directory contains it. */
  zipped?: { directory_id: string; created_at: string } | undefined
}

export interface EntryPage {
  limit: number
  /** The `seq` of the entry to start after. */
  after?: number | undefined
  isUp: boolean
  /** Whether the first slice waits for its turn, too, as it does for pages of an export. */
  isPaced?: boolean
}

/** Filters that have an index in the order of the log. */
const indexed = [
  ['file_id', 'file'],
  ['link_key', 'link'],
  ['directory_id', 'directory'],
  ['person_id', 'person'],
  ['company_id', 'company'],
  ['action', 'action'],
  ['outcome', 'outcome'],
] as const

type Column = (typeof indexed)[number][0]
type Filter = [column: Column, value: string]

/**
 * Lists entries of the audit log, in slices like every list. `within` is the one company that the caller may see. `end` is the
 * last entry that was read; undefined when there are no more.
 */
export async function listEntries(
  db: Db,
  request: EntryRequest,
  within: string | undefined,
  { limit, after, isUp, isPaced = false }: EntryPage,
  requester: Requester,
) {
  const filters = indexed
    .map(([column, name]): Filter => [column, request[name] ?? ''])
    .filter(([column, value]) => value !== '' && !(column === 'file_id' && request.zipped))
  if (within !== undefined) filters.push(['company_id', within])
  const scopes = await findScopes(db, request, filters)
  const isSpan = hasSpan(request) && scopes.length === 0
  const order = orderOf(isUp, isSpan)
  const isFiltered = filters.length > scopes.length || scopes.length > 1 || (hasSpan(request) && !isSpan)
  const first = isPaced ? undefined : isFiltered ? Math.max(250, limit) : limit
  return scan(requester, { want: limit, first }, async (from: number | undefined = after, size, want) => {
    const slices = scopes.map((scope) => order.from(scoped(db.selectFrom('audit'), scope), from).limit(size))
    if (scopes.length === 0) slices.push(order.from(inSpan(db.selectFrom('audit'), request), from).limit(size))
    const slice = merge(
      db,
      slices.map((slice) => slice.selectAll()),
      (rows) => order.from(rows).limit(size),
    )
    const source = db.selectFrom(slice.as('audit')) as unknown as Rows<'audit'>
    const rows = await order
      .from(matching(withNames(source), request, filters))
      .limit(want)
      .execute()
    const found = rows.map((row) => ({ ...toAuditRow(row), company: row.company, person_company: row.person_company }))
    if (found.length === want) return { rows: found, end: found.at(-1)?.seq }
    const keys = merge(
      db,
      slices.map((slice) => slice.select('seq')),
      (rows) => order.from(rows),
    )
    const last = await keys
      .limit(1)
      .offset(size - 1)
      .executeTakeFirst()
    return { rows: found, end: last && Number(last.seq) }
  })
}

const hasSpan = ({ from, to }: EntryRequest) => from !== undefined || to !== undefined

/** Sorts by time if the request has only a time span: then an index finds the span anywhere in the log. */
function orderOf(isUp: boolean, isByTime: boolean) {
  const direction = isUp ? 'asc' : 'desc'
  return {
    // biome-ignore lint/suspicious/noExplicitAny: what is joined or selected makes no difference here.
    from<Query extends SelectQueryBuilder<any, any, any>>(rows: Query, after?: number): Query {
      const sorted = (isByTime ? rows.orderBy('audit.at', direction) : rows).orderBy('audit.seq', direction) as Query
      if (after === undefined) return sorted
      const beyond = sql<boolean>`audit.seq ${sql.raw(isUp ? '>' : '<')} ${after}`
      return sorted.where(isByTime ? isBeyond(after, isUp) : beyond) as Query
    },
  }
}

/**
 * Whether an entry comes after `seq` in the order of time. A `seq` that was pruned meanwhile was older than all remaining
 * entries.
 */
function isBeyond(seq: number, isUp: boolean) {
  const at = sql`coalesce((select last.at from audit as last where last.seq = ${seq}), '')`
  return sql<boolean>`(audit.at, audit.seq) ${sql.raw(isUp ? '>' : '<')} (${at}, ${seq})`
}

type Slice<Row> = SelectQueryBuilder<Schema, 'audit', Row>

/** Returns the rows of one slice, or the union of several in `order`. */
function merge<Row>(db: Db, slices: Slice<Row>[], order: (rows: Slice<Row>) => Slice<Row>): Slice<Row> {
  const [first, ...more] = slices as [Slice<Row>, ...Slice<Row>[]]
  if (more.length === 0) return first
  const [one, ...others] = slices.map((slice) => db.selectFrom(slice.as('audit')).selectAll())
  const all = others.reduce((sum, other) => sum?.union(other), one)
  return order(db.selectFrom((all ?? first).as('audit')).selectAll() as unknown as Slice<Row>)
}

const maxNarrow = 1000

/**
 * Chooses the filter that the slices are read by: the one that leaves few entries, or else the first. All filters are applied
 * to the slices. A file that was downloaded with its directory has two sources: its own entries and those of the directory.
 */
async function findScopes(db: Db, { file = '', zipped }: EntryRequest, filters: Filter[]): Promise<Filter[]> {
  if (zipped) {
    const zips: Filter[] = [
      ['directory_id', zipped.directory_id],
      ['action', 'directory.downloaded'],
    ]
    return [['file_id', file], ...(await findNarrowest(db, zips))]
  }
  return findNarrowest(db, filters)
}

async function findNarrowest(db: Db, filters: Filter[]): Promise<Filter[]> {
  for (const filter of filters.length > 1 ? filters : []) {
    const beyond = scoped(db.selectFrom('audit'), filter).select('seq').orderBy('seq').limit(1).offset(maxNarrow)
    if (!(await beyond.executeTakeFirst())) return [filter]
  }
  return filters.slice(0, 1)
}

const scoped = (rows: Rows<'audit'>, [column, value]: Filter) => rows.where(`audit.${column}`, '=', value as never)

const inSpan = <Query extends Rows<'audit'>>(rows: Query, { from, to }: EntryRequest) =>
  rows
    .$if(from !== undefined, (q) => q.where('audit.at', '>=', from ?? ''))
    .$if(to !== undefined, (q) => q.where('audit.at', '<', to ?? ''))

const withNames = (rows: Rows<'audit'>) =>
  rows
    .leftJoin('company', 'company.id', 'audit.company_id')
    .leftJoin('user', 'user.id', 'audit.person_id')
    .selectAll('audit')
    .select(['company.name as company', 'user.company_id as person_company'])

function matching(rows: ReturnType<typeof withNames>, { file = '', zipped, from, to }: EntryRequest, filters: Filter[]) {
  let query = rows
  for (const [column, value] of filters) query = query.where(`audit.${column}`, '=', value as never)
  if (from !== undefined) query = query.where('audit.at', '>=', from)
  if (to !== undefined) query = query.where('audit.at', '<', to)
  if (!zipped) return query
  return query.where((eb) =>
    eb.or([
      eb('audit.file_id', '=', file),
      eb.and([
        eb('audit.directory_id', '=', zipped.directory_id),
        eb('audit.action', '=', 'directory.downloaded'),
        eb('audit.at', '>=', zipped.created_at),
      ]),
    ]),
  )
}
