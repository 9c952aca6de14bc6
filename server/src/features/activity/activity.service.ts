import type { ActivityFilters, ActivityRow, api, Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { type CompanyScope, getCompanyScope, includesAllCompanies, type Staff, unnamedAdmin } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Requester, systemRequester, type WithRequester } from '../../lib/concurrency/scan.ts'
import { formatCsvLine } from '../../lib/csv.ts'
import { type Export, noLines, takeExportSlot } from '../../lib/export.ts'
import { sign } from '../../lib/secrets.ts'
import { record, writeQueuedEntries } from '../audit/audit.service.ts'
import { type EntryPage, listEntries, type Viewer } from '../audit/audit-list.repo.ts'
import { findPaths } from '../directory/tree.repo.ts'
import { findFile } from '../file/file.repo.ts'
import { createTicket, findReader, readTicket } from '../identity/ticket.service.ts'
import { findLinkEmails } from '../link/link.repo.ts'

/** Lists the audit log: all of it for admins, what belongs to the companies they have access to for users. */
export async function listActivity(deps: Deps, actor: Staff, query: Parsed<typeof api.activity.list>['query'] & WithRequester) {
  const { limit, cursor, sort = '-id', requester, ...filters } = query
  await writeQueuedEntries(deps) // so that an action appears right after it happened
  const page = { limit: limit + 1, after: cursor === undefined ? undefined : Number(cursor), isAscending: sort === 'id' }
  const { rows, seqs, end } = await readEntries(deps, filters, getViewer(actor), page, requester)
  const last = rows.length > limit ? seqs[limit - 1] : end
  return { data: rows.slice(0, limit), next: last === undefined ? null : String(last) }
}

export const getViewer = (actor: Staff): Viewer => ({
  scope: getCompanyScope(actor),
  hiddenNotesOf: actor.role === 'NEPTUNE_ADMIN' ? undefined : actor.companyId,
})

const toIsoTime = (time: string | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

async function readEntries(
  deps: Deps,
  filters: ActivityFilters,
  { scope, hiddenNotesOf }: Viewer,
  page: EntryPage,
  requester: Requester,
): Promise<{ rows: ActivityRow[]; seqs: number[]; end: number | undefined }> {
  // The entries of a file include ZIP downloads of the directories that contain it.
  const file = filters.file ? await findFile(deps.db, filters.file, scope) : undefined
  const path = file && (await findPaths(deps.db, [file.directory_id])).get(file.directory_id)
  const existingFile = file && { created_at: file.created_at, directories: (path ?? []).map(({ id }) => id) }
  const request = { ...filters, from: toIsoTime(filters.from), to: toIsoTime(filters.to), existingFile, hiddenNotesOf }
  const { rows, end } = await listEntries(deps.db, request, scope, page, requester)
  const visitedKeys = rows.flatMap(({ who, link_key }) => (isVisitor(who) && link_key !== null ? [link_key] : []))
  const sentTo = await findLinkEmails(deps.db, [...new Set(visitedKeys)], scope)
  return { rows: rows.map((row) => toActivityRow(deps, row, scope, sentTo)), seqs: rows.map(({ seq }) => seq), end }
}

const isVisitor = (who: ActivityRow['who']) => who === 'recipient' || who === 'stranger'

type EntryFound = Awaited<ReturnType<typeof listEntries>>['rows'][number]

function toActivityRow(deps: Deps, found: EntryFound, scope: CompanyScope, sentTo: Map<string, string>): ActivityRow {
  // Users see what admins of other companies did in theirs, but not who they are.
  const row = found.isForeignAdmin ? { ...found, person: unnamedAdmin, person_id: null, client: null } : found
  return {
    id: includesAllCompanies(scope) ? row.seq : hidePosition(deps, row.seq),
    at: row.at,
    action: row.action,
    outcome: row.outcome,
    who: row.who,
    person: row.person,
    person_id: row.person_id,
    client: row.client,
    company: row.company,
    name: row.name,
    link: row.link_key,
    sent_to: isVisitor(row.who) ? (sentTo.get(row.link_key ?? '') ?? null) : null,
    file: row.file_id,
    directory: row.directory_id,
    size: row.size,
    bytes: row.bytes,
    times: row.times,
    note: includesAllCompanies(scope) ? row.note : hideOtherCompanies(row),
  }
}

/** Returns a number that identifies an entry, but not its position in the log: positions count the entries of all companies. */
const hidePosition = ({ keys }: Deps, seq: number) => Buffer.from(sign(keys.activity, String(seq)), 'base64url').readUIntBE(0, 6)

/**
 * Removes what a note says about companies that the caller may not see: how many are selected for a user, and the ids that an export was
 * filtered by.
 */
function hideOtherCompanies({ action, note }: EntryFound): string | null {
  if (action === 'user.access_changed') return note?.replace(/ \(\d+\)$/, '') ?? null
  if (action !== 'activity.exported') return note
  const filters = note?.split(', ').map((filter) => filter.split(' ', 1)[0])
  return filters?.join(', ') ?? null
}

/** Creates a ticket for an export. It contains the filters, so that nothing has to be stored. */
export async function createExportTicket(deps: Deps, actor: Staff, filters: ActivityFilters): Promise<{ url: string }> {
  const { from, to, ...rest } = filters
  // A time can have any number of digits. Normalized, it always fits into a ticket.
  const normalized = { ...rest, ...(from && { from: toIsoTime(from) }), ...(to && { to: toIsoTime(to) }) }
  const encoded = Buffer.from(JSON.stringify(normalized)).toString('base64url')
  return { url: `/v1/activity/export/${createTicket(deps, actor, { kind: 'activity', id: encoded })}` }
}

/**
 * Opens the export that a ticket is for, with the rights its holder has now. The export itself is recorded in the audit log.
 */
export async function openExport(
  deps: Deps,
  { ticket, address, isGone, isHead }: { ticket: string; address: string; isGone: () => boolean; isHead: boolean },
): Promise<Export> {
  const { actor, target } = (await readTicket(deps, ticket, address)) ?? {}
  if (actor?.kind !== 'staff' || target?.kind !== 'activity') throw new AppError('file.not_found')
  const name = `activity-${deps.now().toISOString().slice(0, 10)}.csv`
  const exportInfo = { name, type: 'text/csv' as const, mayContinue: async () => (await findReader(deps, actor)) !== undefined }
  if (isHead) return { ...exportInfo, lines: noLines(), [Symbol.dispose]: () => undefined }
  using slots = new DisposableStack()
  slots.use(takeExportSlot(actor))
  const filters = JSON.parse(Buffer.from(target.id, 'base64url').toString()) as ActivityFilters
  await writeQueuedEntries(deps)
  await deps.db
    .transaction()
    .execute((trx) =>
      record(deps, trx, [{ action: 'activity.exported', by: actor, company: actor.companyId, note: describeFilters(filters) }]),
    )
  const requester = { ...systemRequester, id: actor.userId, isGone, maxRows: deps.config.scanRows }
  const findViewer = async () => {
    const current = await findReader(deps, actor)
    return current?.kind === 'staff' ? getViewer(current) : undefined
  }
  const lines = exportCsv(deps, filters, findViewer, requester)
  const ownedSlots = slots.move()
  return { ...exportInfo, lines, [Symbol.dispose]: () => ownedSlots.dispose() }
}

const describeFilters = (filters: ActivityFilters) =>
  Object.entries(filters)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || 'everything'

/** Small enough to read and write within one slice. */
const pageSize = 300

/**
 * Exports the audit log as CSV, oldest entry first. Reads it page by page, so that memory use does not depend on its length. `findViewer`
 * is called for each page, because the caller's access may change meanwhile; it returns undefined if the caller has lost it.
 */
export async function* exportCsv(
  deps: Deps,
  filters: ActivityFilters,
  findViewer: () => Promise<Viewer | undefined>,
  requester: Requester = systemRequester,
): AsyncGenerator<string> {
  yield `\uFEFF${formatCsvLine([...columns])}`
  for (let after: number | undefined; ; ) {
    const viewer = await findViewer()
    if (!viewer) throw new AppError('session.missing')
    const page = { limit: pageSize, after, isAscending: true, isPaced: true }
    const { rows, end } = await readEntries(deps, filters, viewer, page, requester)
    if (rows.length > 0) yield rows.map((row) => formatCsvLine(columns.map((column) => row[column]))).join('')
    if (end === undefined || requester.isGone()) return
    after = end
  }
}

const columns = [
  'id',
  'at',
  'action',
  'outcome',
  'who',
  'person',
  'client',
  'company',
  'name',
  'link',
  'directory',
  'file',
  'size',
  'bytes',
  'times',
  'note',
] as const satisfies (keyof ActivityRow)[]
