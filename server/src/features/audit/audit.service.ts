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
 * Notes an action that changes nothing, such as a download or a refusal. Notes are written in batches a tenth of a second
 * later, so that no request waits for them and response times do not reveal what was noted. `kind` says what is folded
 * together: see `isFolded`.
 */
export function note(deps: Deps, kind: string, entry: Entry, most?: number): void {
  const book = bookOf(deps)
  const noted = { at: deps.now().toISOString(), ...entry }
  if (!isFolded(deps, book, kind, noted, most)) book.waiting.push(noted)
  book.timer ??= setTimeout(() => void writeNotes(deps, 'none'), flushAfterMs)
}

/** Records an action that the caller may repeat without limit, in the transaction of its cause. Folds like `note`. */
export async function recordOften(deps: Deps, trx: Db, kind: string, entry: Entry): Promise<void> {
  const noted = { at: deps.now().toISOString(), ...entry }
  if (!isFolded(deps, bookOf(deps), kind, noted)) await record(deps, trx, [noted])
}

/**
 * Identifies the caller in a `kind`: a recipient by link and client address, staff by account. Never by session or visit: a new one costs
 * nothing, so repeating an action in new visits would add an entry each time.
 */
export function callerOf(actor: Exclude<Actor, { kind: 'anonymous' }>): string {
  if (actor.kind === 'staff') return `user ${actor.userId} ${actor.token?.name ?? ''}`
  const { previewer, link, client } = actor
  return previewer ? `user ${previewer.userId} ${link.key}` : `link ${link.key} ${client}`
}

/**
 * The first twenty entries of a kind within an hour get a row each; for all strangers together, the first few hundred of an
 * action within a minute. The rest are counted and summed up in one row every few seconds, then every few minutes, so that
 * nobody can fill the database.
 */
function isFolded(deps: Deps, book: Book, kind: string, entry: Entry, most = rowsEach): boolean {
  const strangers = entry.by.kind === 'stranger' ? countIn(deps, book, `strangers ${entry.action}`, minute) : undefined
  const isFull = strangers && strangers.count > strangersAtMost
  const window = isFull ? strangers : countIn(deps, book, kind, hour)
  if (!isFull && window.count <= most) return false
  if (!window.held) window.foldAt = performance.now() + foldDelay(window)
  window.held = folded(window.held, entry)
  book.slowTimer ??= setTimeout(() => void writeNotes(deps, 'due'), foldAfterMs)
  return true
}

function countIn(deps: Deps, book: Book, kind: string, length: number): Window {
  const now = deps.now().getTime()
  const known = book.windows.get(kind)
  const isOpen = known && known.until > now && known.until - now <= length
  const window = isOpen ? known : { until: now + length, count: 0, held: known?.held, folds: 0, foldAt: known?.foldAt ?? 0 }
  if (!isOpen) {
    book.windows.set(kind, window)
    evictWindow(book)
  }
  window.count++
  return window
}

/** Bounds the memory for windows. An evicted window writes its sum and starts over. */
function evictWindow(book: Book) {
  const [oldest] = book.windows
  if (!oldest || book.windows.size <= maxWindows) return
  if (oldest[1].held) book.waiting.push(oldest[1].held)
  book.windows.delete(oldest[0])
}

/** 5 s, 10 s, 20 s … 5 minutes. */
const foldDelay = ({ folds }: Window) => Math.min(foldAfterMs * 2 ** folds, foldAtLeastEveryMs)

/** Sums up two entries. Fields in which they differ become empty, rather than those of the last entry. */
function folded(held: Entry | undefined, entry: Entry): Entry {
  if (!held) return entry
  const alike = (name: 'name' | 'note' | 'company' | 'link' | 'directory' | 'file') =>
    held[name] === entry[name] ? (entry[name] ?? null) : null
  const ids = { company: alike('company'), link: alike('link'), directory: alike('directory'), file: alike('file') }
  const bytes = held.bytes == null && entry.bytes == null ? null : (held.bytes ?? 0) + (entry.bytes ?? 0)
  const isSame = clientIn(held.by) === clientIn(entry.by)
  const by = isSame || !('client' in entry.by) ? entry.by : { ...entry.by, client: 'several' }
  return { ...entry, by, ...ids, name: alike('name'), note: alike('note'), bytes, times: (held.times ?? 1) + 1 }
}

const clientIn = (by: By) => ('client' in by ? by.client : undefined)

const minute = 60_000
const hour = 60 * minute
const rowsEach = 20
const strangersAtMost = 300
const flushAfterMs = 100
const foldAfterMs = 5_000
const foldAtLeastEveryMs = 5 * minute
const maxWindows = 20_000
/** More than this means that the database has been unavailable for long: the oldest entries are dropped, and the log says so. */
const waitingMost = 20_000

/** Counts the entries of one kind. */
interface Window {
  until: number
  count: number
  /** The sum of the entries without a row of their own, when it is due, and how many sums were written before. */
  held: Entry | undefined
  foldAt: number
  folds: number
}

interface Book {
  waiting: Entry[]
  windows: Map<string, Window>
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

/** Writes the waiting entries, and the sums of folded ones: all of them, those that are due, or none. */
export async function writeNotes(deps: Deps, sums: 'all' | 'due' | 'none' = 'all'): Promise<void> {
  const book = bookOf(deps)
  clearTimeout(book.timer)
  book.timer = undefined
  if (sums !== 'none') writeSums(deps, book, sums === 'due' ? performance.now() : Number.POSITIVE_INFINITY)
  book.writing = book.writing.then(() => write(deps, book))
  return book.writing
}

function writeSums(deps: Deps, book: Book, dueAt: number) {
  clearTimeout(book.slowTimer)
  book.slowTimer = undefined
  const now = deps.now().getTime()
  let isHolding = false
  for (const [kind, window] of book.windows) {
    if (window.held && window.foldAt > dueAt) isHolding = true
    else if (window.held) {
      book.waiting.push(window.held)
      window.held = undefined
      window.folds++
    }
    if (!window.held && (window.until <= now || window.until - now > hour)) book.windows.delete(kind)
  }
  if (isHolding) book.slowTimer = setTimeout(() => void writeNotes(deps, 'due'), foldAfterMs)
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
  note(deps, `refused ${callerOf(actor)}`, { action: 'access.refused', ...refusal, company })
}

const refused: ErrorCode[] = ['session.forbidden', 'token.forbidden', 'link.forbidden', 'mail.too_many']
