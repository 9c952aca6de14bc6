import type { ActivityAction, ErrorCode } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Actor, Recipient, Staff } from '../../lib/actor.ts'
import { isSameSecret, sign } from '../../lib/secrets.ts'
import { type AuditRow, insertRows, type Link, lockHead, setHead } from './audit.repo.ts'

type Db = Deps['db']

/** Who did it. */
export type By =
  | Staff
  | { kind: 'recipient'; client: string; link: Pick<Recipient['link'], 'key' | 'companyId'> }
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
  return {
    seq,
    at: at ?? deps.now().toISOString(),
    action,
    outcome: isRefused ? 'refused' : 'done',
    who: by.kind,
    person_id: by.kind === 'staff' ? by.userId : null,
    person: by.kind === 'staff' ? by.name : null,
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
 * later, so that nobody waits for it and nobody can tell from the time it takes what was written.
 *
 * The first twenty of a kind within a minute are a row each. What comes on top, somebody's program trying keys for instance, is counted
 * and told in one row at the end of that minute, so that no stranger can fill the disk.
 */
export function note(deps: Deps, kind: string, entry: Entry): void {
  const book = bookOf(deps)
  const now = deps.now()
  const told = { at: now.toISOString(), ...entry }
  const window = book.windows.get(kind)
  if (window && window.until > now.getTime() && window.until - now.getTime() <= minute) {
    window.count++
    if (window.count > rowsEach) {
      const { times = 0, bytes = null } = window.held ?? {}
      const sum = bytes === null && !told.bytes ? null : (bytes ?? 0) + (told.bytes ?? 0)
      window.held = { ...told, times: times + 1, bytes: sum }
      return
    }
  } else {
    if (window?.held) book.waiting.push(window.held)
    book.windows.set(kind, { until: now.getTime() + minute, count: 1 })
  }
  book.waiting.push(told)
  book.timer ??= setTimeout(() => void writeNotes(deps), flushAfter)
}

const minute = 60_000
const rowsEach = 20
const flushAfter = 100
/** More than this means that the database has been away for long: then the oldest go, and the log says so. */
const waitingMost = 20_000

interface Book {
  waiting: Entry[]
  /** What kinds were noted lately: until when, how often, and what is told of those that got no row of their own. */
  windows: Map<string, { until: number; count: number; held?: Entry }>
  timer?: NodeJS.Timeout | undefined
  writing: Promise<void>
}

const books = new WeakMap<Db, Book>()

function bookOf({ db }: Deps): Book {
  const book = books.get(db) ?? { waiting: [], windows: new Map(), writing: Promise.resolve() }
  books.set(db, book)
  return book
}

/** Writes what waits. At the end of the program also what is still being counted. */
export async function writeNotes(deps: Deps, { isLast = false } = {}): Promise<void> {
  const book = bookOf(deps)
  clearTimeout(book.timer)
  book.timer = undefined
  const now = deps.now().getTime()
  for (const [kind, { until, held }] of book.windows) {
    if (!isLast && until > now && until - now <= minute) continue
    if (held) book.waiting.push(held)
    book.windows.delete(kind)
  }
  book.writing = book.writing.then(() => write(deps, book))
  return book.writing
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
  if (code === 'session.too_many_tries') note(deps, `throttled ${client}`, { action: 'session.throttled', ...refusal })
  if (code === 'link.too_many_tries') note(deps, `throttled ${client}`, { action: 'link.throttled', ...refusal })
  if ((code !== 'session.forbidden' && code !== 'link.forbidden') || actor.kind === 'anonymous') return
  const company = actor.kind === 'staff' ? actor.companyId : actor.link.companyId
  note(deps, `refused ${actor.sessionId}`, { action: 'access.refused', ...refusal, company })
}
