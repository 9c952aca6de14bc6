import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isForeignAdmin, type ListedCompanies, limitToCompanies } from '../../db/queries/company-scope.ts'
import {
  chooseReadMethod,
  isOneOf,
  isOneOfKeys,
  type ReadMethod,
  readMergedKeys,
  scannedRowCount,
  selectScannedKeys,
} from '../../db/queries/merged-companies.ts'
import { buildOrder as buildKeyOrder, type Rows } from '../../db/queries/page-order.ts'
import type { Schema } from '../../db/schema.ts'
import { allCompanies, type CompanyScope } from '../../lib/actor.ts'
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
  /** The requested file, if it still exists. ZIP downloads of the directories that contain it are listed, too. */
  existingFile?: { directories: string[]; created_at: string } | undefined
  /**
   * Set for callers who are not admins: the company whose notes they may not read. Leaves out entries about changes of its note, and
   * entries about the installation, such as changed settings.
   */
  hiddenNotesOf?: string | undefined
}

/** The reader of audit entries. */
export interface Viewer {
  scope: CompanyScope
  /** The reader's own company, unless they are an admin: they must not find out that it has a note. */
  hiddenNotesOf?: string | undefined
}

export interface EntryPage {
  limit: number
  /** The `seq` of the entry to start after. */
  after?: number | undefined
  isAscending: boolean
  /** Whether other requests go before the first slice, too, as in an export. */
  isPaced?: boolean
}

/** The filters that have an index in the order of the log: column and name in the request. */
const indexedFilters = [
  ['file_id', 'file'],
  ['link_key', 'link'],
  ['directory_id', 'directory'],
  ['person_id', 'person'],
  ['company_id', 'company'],
  ['action', 'action'],
  ['outcome', 'outcome'],
] as const

type Column = (typeof indexedFilters)[number][0]
type Filter = [column: Column, value: string]

/**
 * Lists entries of the audit log, in slices like every list. `end` is the last entry that was read; undefined when there are no more.
 */
export async function listEntries(
  db: Db,
  request: EntryRequest,
  scope: CompanyScope,
  { limit, after, isAscending, isPaced = false }: EntryPage,
  requester: Requester,
) {
  const filters = indexedFilters
    .map(([column, name]): Filter => [column, request[name] ?? ''])
    .filter(([column, value]) => value !== '' && !(column === 'file_id' && request.existingFile))
  if (scope.company !== undefined) filters.push(['company_id', scope.company])
  const sliceFilters = await chooseSliceFilters(db, request, filters)
  const isByTime = hasTimeSpan(request) && sliceFilters.length === 0
  const order = buildOrder(isAscending, isByTime)
  // Without other filters, the entries of selected companies are read as in other lists.
  const companies = { column: 'audit.company_id', scope: isByTime || sliceFilters.length > 0 ? allCompanies : scope }
  let reading = await chooseReadMethod(db, companies, isPaced)
  const isFiltered =
    filters.length > sliceFilters.length ||
    sliceFilters.length > 1 ||
    (scope.member !== undefined && reading === 'at once') ||
    (hasTimeSpan(request) && !isByTime)
  const minRows = reading === 'scanned' ? scannedRowCount : isFiltered ? 250 : 0
  const firstSliceRows = isPaced ? undefined : Math.max(minRows, limit)
  return scan(requester, { rowCount: limit, firstSliceRows }, async (from: number | undefined = after, size, want) => {
    // An export reads most of the log anyway.
    const isBySlices = reading === 'at once' || (reading === 'scanned' && isPaced)
    const selected = isBySlices ? undefined : { companies, reading, rowCount: want }
    const slice = await selectSlice(db, { request, sliceFilters, order, isAscending, selected }, from, size)
    if (reading === 'scanned' && !isPaced) reading = 'merged' // for the next slice, if this one doesn't fill the page
    const source = db.selectFrom(slice.rows.as('audit')) as unknown as Rows<'audit'>
    const rows = await order
      .applyTo(applyFilters(limitToCompanies(joinNames(source, scope), 'audit.company_id', scope), request, filters))
      .limit(want)
      .execute()
    const found = rows.map((row) => ({ ...toAuditRow(row), company: row.company, isForeignAdmin: Boolean(row.is_foreign_admin) }))
    return { rows: found, end: found.length === want ? found.at(-1)?.seq : await slice.findEnd() }
  })
}

interface SliceRequest {
  request: EntryRequest
  sliceFilters: Filter[]
  order: ReturnType<typeof buildOrder>
  isAscending: boolean
  /** The selected companies whose entries are read, instead of slices by filters. */
  selected: { companies: ListedCompanies; reading: ReadMethod; rowCount: number } | undefined
}

/** Selects the next `size` entries. `findEnd` returns the last of them; undefined if there are fewer. */
async function selectSlice(
  db: Db,
  { request, sliceFilters, order, isAscending, selected }: SliceRequest,
  from: number | undefined,
  size: number,
) {
  if (selected) return selectEntriesOfSelected(db, selected, isAscending, from, size)
  const slices = sliceFilters.map((filter) => order.applyTo(filterBy(db.selectFrom('audit'), filter), from).limit(size))
  if (sliceFilters.length === 0) slices.push(order.applyTo(filterByTime(db.selectFrom('audit'), request), from).limit(size))
  const rows = mergeSlices(
    db,
    slices.map((slice) => slice.selectAll()),
    (rows) => order.applyTo(rows).limit(size),
  )
  const keys = mergeSlices(
    db,
    slices.map((slice) => slice.select('seq')),
    (rows) => order.applyTo(rows),
  )
  const findEnd = async () => {
    const last = await keys
      .limit(1)
      .offset(size - 1)
      .executeTakeFirst()
    return last && Number(last.seq)
  }
  return { rows, findEnd }
}

/** Selects the next entries of selected companies, as other lists do. */
async function selectEntriesOfSelected(
  db: Db,
  { companies, reading, rowCount }: NonNullable<SliceRequest['selected']>,
  isAscending: boolean,
  from: number | undefined,
  size: number,
) {
  const order = buildKeyOrder({ seq: 'audit.seq' }, 'audit.seq', isAscending ? 'seq' : '-seq')
  const after = from === undefined ? undefined : { page_value: from, page_id: from }
  const sorted = () => order.applyTo(db.selectFrom('audit') as Rows<'audit'>, after)
  const list = { table: 'audit' as const, order, narrow: (rows: Rows<'audit'>) => rows, companies }
  const entries = db.selectFrom('audit').selectAll()
  if (reading === 'merged') {
    const seqs = (await readMergedKeys(db, list, after, size)).map(({ page_id }) => Number(page_id))
    return { rows: entries.where(isOneOf(db, 'audit.seq', seqs)), findEnd: async () => seqs[size - 1] }
  }
  const keys = selectScannedKeys(db, sorted(), order, companies, size, rowCount)
  const findEnd = async () => {
    const lastFound = (await keys.execute(db)).rows[rowCount - 1]
    if (lastFound) return Number(lastFound.page_id)
    const last = await sorted()
      .select('audit.seq')
      .offset(size - 1)
      .limit(1)
      .executeTakeFirst()
    return last && Number(last.seq)
  }
  return { rows: entries.where(isOneOfKeys(db, 'audit.seq', keys)).limit(rowCount), findEnd }
}

const hasTimeSpan = ({ from, to }: EntryRequest) => from !== undefined || to !== undefined

/** Sorts by time if the request has only a time span, because then an index finds the span anywhere in the log. */
function buildOrder(isAscending: boolean, isByTime: boolean) {
  const direction = isAscending ? 'asc' : 'desc'
  return {
    // biome-ignore lint/suspicious/noExplicitAny: which tables are joined makes no difference here.
    applyTo<Query extends SelectQueryBuilder<any, any, any>>(rows: Query, after?: number): Query {
      const sorted = (isByTime ? rows.orderBy('audit.at', direction) : rows).orderBy('audit.seq', direction) as Query
      if (after === undefined) return sorted
      const isAfter = sql<boolean>`audit.seq ${sql.raw(isAscending ? '>' : '<')} ${after}`
      return sorted.where(isByTime ? buildAfterInTime(after, isAscending) : isAfter) as Query
    },
  }
}

/**
 * Builds the condition that an entry comes after `seq` in the order of time. If that entry was pruned meanwhile, it was older
 * than all remaining entries.
 */
function buildAfterInTime(seq: number, isAscending: boolean) {
  const at = sql`coalesce((select last.at from audit as last where last.seq = ${seq}), '')`
  return sql<boolean>`(audit.at, audit.seq) ${sql.raw(isAscending ? '>' : '<')} (${at}, ${seq})`
}

type Slice<Row> = SelectQueryBuilder<Schema, 'audit', Row>

/** Returns a single slice as it is, and several as their union, sorted by `order`. */
function mergeSlices<Row>(db: Db, slices: Slice<Row>[], order: (rows: Slice<Row>) => Slice<Row>): Slice<Row> {
  const [first, ...more] = slices as [Slice<Row>, ...Slice<Row>[]]
  if (more.length === 0) return first
  const [one, ...others] = slices.map((slice) => db.selectFrom(slice.as('audit')).selectAll())
  const all = others.reduce((sum, other) => sum?.union(other), one)
  return order(db.selectFrom((all ?? first).as('audit')).selectAll() as unknown as Slice<Row>)
}

/** A filter that matches at most this many entries is narrow enough to read slices by. */
const maxNarrowRows = 1000

/**
 * Chooses the filters whose indexes the slices are read from. Usually that is one: the first that matches few entries, or else simply
 * the first. The other filters are applied to each slice. A file that still exists needs two: one for its own entries, and one for
 * the ZIP downloads of each directory that contains it.
 */
async function chooseSliceFilters(db: Db, { file = '', existingFile }: EntryRequest, filters: Filter[]): Promise<Filter[]> {
  if (existingFile) {
    const zipFilters = existingFile.directories.map((id): Filter => ['directory_id', id])
    const narrow =
      zipFilters.length === 1 ? findNarrowFilter(db, [...zipFilters, ['action', 'directory.downloaded']]) : zipFilters
    return [['file_id', file], ...(await narrow)]
  }
  return findNarrowFilter(db, filters)
}

async function findNarrowFilter(db: Db, filters: Filter[]): Promise<Filter[]> {
  for (const filter of filters.length > 1 ? filters : []) {
    const oneMore = filterBy(db.selectFrom('audit'), filter).select('seq').orderBy('seq').limit(1).offset(maxNarrowRows)
    if (!(await oneMore.executeTakeFirst())) return [filter]
  }
  return filters.slice(0, 1)
}

const filterBy = (rows: Rows<'audit'>, [column, value]: Filter) => rows.where(`audit.${column}`, '=', value as never)

const filterByTime = <Query extends Rows<'audit'>>(rows: Query, { from, to }: EntryRequest) =>
  rows
    .$if(from !== undefined, (q) => q.where('audit.at', '>=', from ?? ''))
    .$if(to !== undefined, (q) => q.where('audit.at', '<', to ?? ''))

const joinNames = (rows: Rows<'audit'>, scope: CompanyScope) =>
  rows
    .leftJoin('company', 'company.id', 'audit.company_id')
    .leftJoin('user', 'user.id', 'audit.person_id')
    .selectAll('audit')
    .select('company.name as company')
    .select(isForeignAdmin('user', scope).as('is_foreign_admin'))

/** Builds the condition that an entry is about a company's note. `coalesce` makes it false, not null, for entries without a company. */
export const isNoteOf = (company: string) =>
  sql<boolean>`(audit.action = 'company.note_changed' and coalesce(audit.company_id, '') = ${company})`

function applyFilters(
  rows: ReturnType<typeof joinNames>,
  { file = '', existingFile, from, to, hiddenNotesOf }: EntryRequest,
  filters: Filter[],
) {
  let query = rows
  if (hiddenNotesOf !== undefined)
    query = query.where(sql<boolean>`not ${isNoteOf(hiddenNotesOf)}`).where(sql<boolean>`coalesce(audit.company_id, '') <> ''`)
  for (const [column, value] of filters) query = query.where(`audit.${column}`, '=', value as never)
  if (from !== undefined) query = query.where('audit.at', '>=', from)
  if (to !== undefined) query = query.where('audit.at', '<', to)
  if (!existingFile) return query
  return query.where((eb) =>
    eb.or([
      eb('audit.file_id', '=', file),
      eb.and([
        eb('audit.directory_id', 'in', existingFile.directories),
        eb('audit.action', '=', 'directory.downloaded'),
        eb('audit.at', '>=', existingFile.created_at),
      ]),
    ]),
  )
}
