import type { ActivityAction, ErrorCode } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Actor, Recipient, Staff } from '../../lib/actor.ts'
import { clientOf } from '../../lib/client-address.ts'
import { isSameSecret, sign } from '../../lib/secrets.ts'
import { type AuditRow, insertRows, type Link, lockHead, setHead } from './audit.repo.ts'

type Db = Deps['db']

/** Who did it. */
export type By =
  | Staff
  | { kind: 'recipient'; client: string; link: Pick<Recipient['link'], 'key' | 'companyId'>; previewer?: Recipient['previewer'] }
  | { kind: 'stranger'; client: string }
  | { kind: 'system' }
  | { kind: 'operator' }

/** One thing that happened, as its cause tells it. Never a code, a token or a password. */
export interface Entry {
  action: ActivityAction
  by: By
  /** It was tried, and did not happen. */
  isRefused?: boolean
  company?: string | null | undefined
  /** What it was done to. */
  name?: string | null
  link?: string | null
  directory?: string | null
  file?: string | null
  size?: number | null
  bytes?: number | null
  times?: number
  note?: string | null
  at?: string
}

/**
 * Writes what happened, in the transaction in which it happens, so that the one is never there without the other. To be called LAST in it:
 * nobody else can write to the trail until the transaction ends, and whoever then still waited for another row might wait for ever.
 */
export async function record(deps: Deps, trx: Db, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return
  let head: Link = (await lockHead(trx)) ?? { seq: 0, mac: '' }
  const rows: AuditRow[] = []
  for (const entry of entries) {
    const row = rowOf(deps, head.seq + 1, entry)
    head = { seq: row.seq, mac: macOf(deps, head.mac, row) }
    rows.push({ ...row, mac: head.mac })
  }
  for (let i = 0; i < rows.length; i += rowsAtOnce) await insertRows(trx, rows.slice(i, i + rowsAtOnce))
  await setHead(trx, head)
}

const rowsAtOnce = 500

function rowOf(deps: Deps, seq: number, { action, by, isRefused = false, at, ...about }: Entry): Omit<AuditRow, 'mac'> {
  const { company = null, name = null, link = null, directory = null, file = null } = about
  const { size = null, bytes = null, times = 1, note = null } = about
  const isRecipient = by.kind === 'recipient'
  // Staff who look at a link as its recipient would are staff.
  const person = by.kind === 'staff' ? by : isRecipient ? by.previewer : undefined
  return {
    seq,
    at: at ?? deps.now().toISOString(),
    action,
    outcome: isRefused ? 'refused' : 'done',
    who: person ? 'staff' : by.kind,
    person_id: person?.userId ?? null,
    person: person ? nameOf(person) : null,
    client: 'client' in by ? by.client : null,
    company_id: company ?? (isRecipient ? by.link.companyId : null),
    name: name?.slice(0, 300) ?? null,
    link_key: link ?? (isRecipient ? by.link.key : null),
    directory_id: directory,
    file_id: file,
    size,
    bytes,
    times,
    note: note?.slice(0, 300) ?? null,
  }
}

/** What a script did by somebody's token says so. */
const nameOf = ({ name, token }: Pick<Staff, 'name' | 'token'>) => (token ? `${name} (token ${token.name})` : name)

/** Over all that the row says and all that was said before it. Without the key nobody can make one that fits. */
export function macOf(deps: Deps, before: string, row: Omit<AuditRow, 'mac'>): string {
  const { seq, at, action, outcome, who, person_id, person, client, company_id, name, link_key, directory_id, file_id } = row
  const names = [person_id, person, client, company_id, name, link_key, directory_id, file_id]
  return sign(
    deps.keys.audit,
    JSON.stringify([before, seq, at, action, outcome, who, ...names, row.size, row.bytes, row.times, row.note]),
  )
}

export const isMacOf = (deps: Deps, before: string, row: AuditRow) => isSameSecret(row.mac, macOf(deps, before, row))

/**
 * Writes down what happened without changing anything: a download, a refusal. Many of them become one transaction, a tenth of a second
 * later, so that nobody waits for it and nobody can tell from the time it takes what was written. `most` rows of a kind within a minute.
 */
export function note(deps: Deps, kind: string, entry: Entry, most?: number): void {
  const book = bookOf(deps)
  const told = { at: deps.now().toISOString(), ...entry }
  if (!isFolded(deps, book, kind, told, most)) book.waiting.push(told)
  book.timer ??= setTimeout(() => void writeNotes(deps, { isFolding: true }), flushAfter)
}

/** The same in the transaction of its cause, for what somebody may cause as often as they like. */
export async function recordOften(deps: Deps, trx: Db, kind: string, entry: Entry): Promise<void> {
  const told = { at: deps.now().toISOString(), ...entry }
  if (!isFolded(deps, bookOf(deps), kind, told)) await record(deps, trx, [told])
}

/**
 * The first twenty of a kind within a minute are a row each, and of strangers a few hundred in all. What comes on top, somebody's program
 * trying keys for instance, is counted and told in one row every few seconds: so nobody can fill the disk with it.
 */
function isFolded(deps: Deps, book: Book, kind: string, entry: Entry, most = rowsEach): boolean {
  const kinds = entry.by.kind === 'stranger' ? [`strangers ${entry.action}`, kind] : [kind]
  let full: ReturnType<typeof countIn> | undefined
  for (const name of kinds) {
    const counted = countIn(deps, book, name, most)
    if (!counted.isFull) continue
    full = counted
    break
  }
  if (!full) return false
  full.window.held = folded(full.window.held, entry)
  book.slowTimer ??= setTimeout(() => void writeNotes(deps), foldAfter)
  return true
}

function countIn(deps: Deps, book: Book, kind: string, most: number) {
  const now = deps.now().getTime()
  const known = book.windows.get(kind)
  const isOpen = known && known.until > now && known.until - now <= minute
  const window = isOpen ? known : { until: now + minute, count: 0, held: known?.held }
  if (!isOpen) book.windows.set(kind, window)
  window.count++
  return { window, isFull: window.count > (kind.startsWith('strangers ') ? strangersAtMost : most) }
}

/** Several in one. Where they differ it says so rather than blame the last one. */
function folded(held: Entry | undefined, entry: Entry): Entry {
  if (!held) return entry
  const alike = (name: 'name' | 'note' | 'company' | 'link' | 'directory' | 'file') =>
    held[name] === entry[name] ? (entry[name] ?? null) : null
  const ids = { company: alike('company'), link: alike('link'), directory: alike('directory'), file: alike('file') }
  const bytes = held.bytes == null && entry.bytes == null ? null : (held.bytes ?? 0) + (entry.bytes ?? 0)
  const isSame = clientIn(held.by) === clientIn(entry.by)
  const by = isSame || entry.by.kind !== 'stranger' ? entry.by : { ...entry.by, client: 'several' }
  return { ...entry, by, ...ids, name: alike('name'), note: alike('note'), bytes, times: (held.times ?? 1) + 1 }
}

const clientIn = (by: By) => ('client' in by ? by.client : undefined)

const minute = 60_000
const rowsEach = 20
const strangersAtMost = 300
const flushAfter = 100
const foldAfter = 5_000
/** More than this means that the database has been away for long: then the oldest go, and the log says so. */
const waitingMost = 20_000

interface Book {
  waiting: Entry[]
  /** What kinds were noted lately: until when, how often, and what is told of those that got no row of their own. */
  windows: Map<string, { until: number; count: number; held: Entry | undefined }>
  timer?: NodeJS.Timeout | undefined
  slowTimer?: NodeJS.Timeout | undefined
  writing: Promise<void>
}

const books = new WeakMap<Db, Book>()

function bookOf({ db }: Deps): Book {
  const book = books.get(db) ?? { waiting: [], windows: new Map(), writing: Promise.resolve() }
  books.set(db, book)
  return book
}

/** Writes what waits; and, unless it goes on being folded, what was folded so far. */
export async function writeNotes(deps: Deps, { isFolding = false } = {}): Promise<void> {
  const book = bookOf(deps)
  clearTimeout(book.timer)
  book.timer = undefined
  if (!isFolding) closeWindows(deps, book)
  book.writing = book.writing.then(() => write(deps, book))
  return book.writing
}

function closeWindows(deps: Deps, book: Book) {
  clearTimeout(book.slowTimer)
  book.slowTimer = undefined
  const now = deps.now().getTime()
  for (const [kind, window] of book.windows) {
    if (window.held) book.waiting.push(window.held)
    window.held = undefined
    if (window.until <= now || window.until - now > minute) book.windows.delete(kind)
  }
}

async function write(deps: Deps, book: Book): Promise<void> {
  const entries = book.waiting.splice(0)
  if (entries.length === 0) return
  try {
    await deps.db.transaction().execute((trx) => record(deps, trx, entries))
  } catch (err) {
    const lost = Math.max(0, entries.length + book.waiting.length - waitingMost)
    book.waiting.unshift(...entries.slice(lost)) // written with the next ones, or by the sweep
    deps.log.error({ err, waiting: book.waiting.length, lost }, 'what happened could not be written to the trail yet')
  }
}

/** What somebody was not allowed to do, and who tried too often. Called for every refusal; most are of no interest. */
export function noteRefusal(deps: Deps, actor: Actor, client: string, what: string, code: ErrorCode): void {
  const by: By = actor.kind === 'anonymous' ? { kind: 'stranger', client } : actor
  const refusal = { by, isRefused: true, name: what }
  if (code === 'session.too_many_tries') note(deps, `throttled ${clientOf(client)}`, { action: 'session.throttled', ...refusal })
  if (code === 'link.too_many_tries') note(deps, `throttled ${clientOf(client)}`, { action: 'link.throttled', ...refusal })
  if (!refused.includes(code) || actor.kind === 'anonymous') return
  const company = actor.kind === 'staff' ? actor.companyId : actor.link.companyId
  note(deps, `refused ${actor.sessionId}`, { action: 'access.refused', ...refusal, company })
}

const refused: ErrorCode[] = ['session.forbidden', 'token.forbidden', 'link.forbidden', 'mail.too_many']
