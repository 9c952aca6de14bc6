import type { ActivityFilters, ActivityRow, api, Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { type Staff, visibleCompany } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { listTrail, type TrailPage } from '../audit/audit.repo.ts'
import { record, writeNotes } from '../audit/audit.service.ts'
import { findFile } from '../file/file.repo.ts'
import { findReader, makeTicket, readTicket } from '../identity/ticket.service.ts'

/** Admins see what happened everywhere, users what belongs to their company. */
export async function listActivity(deps: Deps, actor: Staff, query: Parsed<typeof api.activity.list>['query']) {
  const { limit, cursor, sort = '-id', ...filters } = query
  await writeNotes(deps) // so that what somebody just did is there when they look
  const rows = await readTrail(deps, filters, visibleCompany(actor), {
    limit: limit + 1,
    after: readCursor(cursor),
    isUp: sort === 'id',
  })
  const data = rows.slice(0, limit)
  return { data, next: rows.length > limit ? String(data.at(-1)?.id) : null }
}

function readCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  const message = 'This cursor does not belong to this list and order.'
  throw new AppError('request.invalid', { fields: [{ field: 'cursor', message }] })
}

async function readTrail(
  deps: Deps,
  filters: ActivityFilters,
  within: string | undefined,
  page: TrailPage,
): Promise<ActivityRow[]> {
  const instant = (time: string | undefined) => (time === undefined ? undefined : new Date(time).toISOString())
  // Whoever took its directory as a ZIP took the file.
  const zipped = filters.file ? await findFile(deps.db, filters.file, { company: within }) : undefined
  const request = { ...filters, from: instant(filters.from), to: instant(filters.to), zipped }
  const rows = await listTrail(deps.db, request, within, page)
  return rows.map((found) => {
    const row = isOfAnother(within, found) ? { ...found, person: 'An administrator', person_id: null, client: null } : found
    return {
      id: row.seq,
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
      file: row.file_id,
      directory: row.directory_id,
      size: row.size,
      bytes: row.bytes,
      times: row.times,
      note: row.note,
    }
  })
}

/** Users see what was done in their company, and of people who are not of it nothing more than that. */
const isOfAnother = (within: string | undefined, { person_company }: { person_company: string | null }) =>
  within !== undefined && person_company !== null && person_company !== within

/** The wish is in the ticket itself, so that nothing has to be kept for it. */
export async function exportTicket(deps: Deps, actor: Staff, filters: ActivityFilters): Promise<{ url: string }> {
  const wish = Buffer.from(JSON.stringify(filters)).toString('base64url')
  return { url: `/v1/activity/export/${makeTicket(deps, actor, { kind: 'activity', id: wish })}` }
}

/** The export by its ticket, with the rights its holder has now. That somebody took it is a line of the trail itself. */
export async function openExport(
  deps: Deps,
  ticket: string,
  address: string,
): Promise<{ name: string; lines: AsyncIterable<string> }> {
  const { actor, what } = (await readTicket(deps, ticket, address)) ?? {}
  if (actor?.kind !== 'staff' || what?.kind !== 'activity') throw new AppError('file.not_found')
  const filters = JSON.parse(Buffer.from(what.id, 'base64url').toString()) as ActivityFilters
  await writeNotes(deps)
  await deps.db
    .transaction()
    .execute((trx) =>
      record(deps, trx, [{ action: 'activity.exported', by: actor, company: actor.companyId, note: wordsOf(filters) }]),
    )
  const isOpen = async () => (await findReader(deps, actor)) !== undefined
  return {
    name: `activity-${deps.now().toISOString().slice(0, 10)}.csv`,
    lines: csvOf(deps, filters, visibleCompany(actor), isOpen),
  }
}

const wordsOf = (filters: ActivityFilters) =>
  Object.entries(filters)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || 'everything'

const pageSize = 1000

/** What happened as CSV, the oldest first, in pieces: whatever its length, memory stays flat. */
export async function* csvOf(
  deps: Deps,
  filters: ActivityFilters,
  within: string | undefined,
  isOpen: () => Promise<boolean> = async () => true,
): AsyncGenerator<string> {
  yield `\uFEFF${csvLine([...columns])}`
  let after: number | undefined
  for (;;) {
    const rows = await readTrail(deps, filters, within, { limit: pageSize, after, isUp: true })
    if (rows.length > 0) yield rows.map((row) => csvLine(columns.map((column) => row[column]))).join('')
    if (rows.length < pageSize) return
    after = rows.at(-1)?.id
    if (!(await isOpen())) throw new AppError('session.missing')
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

const csvLine = (cells: (string | number | null)[]) => `${cells.map(csvCell).join(',')}\r\n`

/** A spreadsheet would run what begins like a formula, and strangers choose the names of files: an apostrophe makes it text. */
function csvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = (value ?? '').replace(/^[=+\-@\t\r]/, "'$&")
  return /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
