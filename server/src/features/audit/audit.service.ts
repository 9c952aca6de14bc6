import type { ActivityAction, ErrorCode } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Actor, Recipient, Staff } from '../../lib/actor.ts'
import { computeBackoffMs } from '../../lib/backoff.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { isSameSecret, sign } from '../../lib/secrets.ts'
import { type AuditRow, type ChainLink, insertEntries, lockHead, setHead } from './audit.repo.ts'

type Db = Deps['db']

/** Who performed an action. */
export type Performer =
  | Staff
  | { kind: 'recipient'; client: string; link: Pick<Recipient['link'], 'key' | 'companyId'>; previewer?: Recipient['previewer'] }
  | { kind: 'stranger'; client: string }
  | { kind: 'system' }
  | { kind: 'operator' }

/** An audit entry to record. It must never contain a code, a token or a password. */
export interface Entry {
  action: ActivityAction
  by: Performer
  /** Whether the action was attempted but refused. */
  isRefused?: boolean
  company?: string | null | undefined
  /** The name of the target. */
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
 * Records audit entries inside the transaction of the actions themselves, so that neither exists without the other. Call it LAST in
 * the transaction: it locks the audit log until the transaction ends, and waiting for another lock after that can deadlock.
 */
export async function record(deps: Deps, trx: Db, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return
  let head: ChainLink = (await lockHead(trx)) ?? { seq: 0, mac: '' }
  const rows: AuditRow[] = []
  for (const entry of entries) {
    const row = buildRow(deps, head.seq + 1, entry)
    head = { seq: row.seq, mac: computeMac(deps, head.mac, row) }
    rows.push({ ...row, mac: head.mac })
  }
  for (let i = 0; i < rows.length; i += rowsPerInsert) await insertEntries(trx, rows.slice(i, i + rowsPerInsert))
  await setHead(trx, head)
}

const rowsPerInsert = 500
/** Enough for the text of a setting before and after a change. */
const maxChangeLength = 1200

function buildRow(deps: Deps, seq: number, { action, by, isRefused = false, at, ...about }: Entry): Omit<AuditRow, 'mac'> {
  const { company = null, name = null, link = null, directory = null, file = null } = about
  const { size = null, bytes = null, times = 1, note = null } = about
  const isRecipient = by.kind === 'recipient'
  // Staff who view a link as a recipient are recorded as staff.
  const person = by.kind === 'staff' ? by : isRecipient ? by.previewer : undefined
  return {
    seq,
    at: at ?? deps.now().toISOString(),
    action,
    outcome: isRefused ? 'refused' : 'done',
    who: person ? 'staff' : by.kind,
    person_id: person?.userId ?? null,
    person: person ? formatName(person) : null,
    client: 'client' in by ? by.client : null,
    company_id: company ?? (isRecipient ? by.link.companyId : null),
    name: name?.slice(0, 300) ?? null,
    link_key: link ?? (isRecipient ? by.link.key : null),
    directory_id: directory,
    file_id: file,
    size,
    bytes,
    times,
    note: note?.slice(0, action === 'settings.changed' ? maxChangeLength : 300) ?? null,
  }
}

/** Returns the name of a staff member, with the token if a script acted for them. */
const formatName = ({ name, token }: Pick<Staff, 'name' | 'token'>) => (token ? `${name} (token ${token.name})` : name)

/** Computes the MAC of an entry and its predecessor. It can't be computed without the key. */
export function computeMac(deps: Deps, before: string, row: Omit<AuditRow, 'mac'>): string {
  const { seq, at, action, outcome, who, person_id, person, client, company_id, name, link_key, directory_id, file_id } = row
  const subjects = [person_id, person, client, company_id, name, link_key, directory_id, file_id]
  return sign(
    deps.keys.audit,
    JSON.stringify([before, seq, at, action, outcome, who, ...subjects, row.size, row.bytes, row.times, row.note]),
  )
}

export const isMacOf = (deps: Deps, before: string, row: AuditRow) => isSameSecret(row.mac, computeMac(deps, before, row))

/**
 * Queues an entry about an action that changes nothing, such as a download or a refusal. Queued entries are written in batches a
 * tenth of a second later, so that no request waits for them and response times don't reveal what was recorded. Frequent entries
 * with the same `foldKey` are folded: see `foldIfFrequent`.
 */
export function recordLater(deps: Deps, foldKey: string, entry: Entry, maxRows?: number): void {
  const queue = getQueue(deps)
  const timed = { at: deps.now().toISOString(), ...entry }
  if (!foldIfFrequent(deps, queue, foldKey, timed, maxRows)) queue.waiting.push(timed)
  queue.entryTimer ??= setTimeout(() => void writeQueuedEntries(deps, 'none'), flushAfterMs)
}

/** Records an action that the caller may repeat without limit, inside the action's transaction. Folds like `recordLater`. */
export async function recordFolded(deps: Deps, trx: Db, foldKey: string, entry: Entry): Promise<void> {
  const timed = { at: deps.now().toISOString(), ...entry }
  if (!foldIfFrequent(deps, getQueue(deps), foldKey, timed)) await record(deps, trx, [timed])
}

/**
 * Identifies the caller in a fold key: a recipient by link and client address, staff by account. Never by session or visit: starting
 * a new one is free, so repeating an action in new visits would add an entry each time.
 */
export function toCallerKey(actor: Exclude<Actor, { kind: 'anonymous' }>): string {
  if (actor.kind === 'staff') return `user ${actor.userId} ${actor.token?.name ?? ''}`
  const { previewer, link, client } = actor
  return previewer ? `user ${previewer.userId} ${link.key}` : `link ${link.key} ${client}`
}

/**
 * Adds an entry to the sum of its key if there are too many entries. Returns false if the entry gets a row of its own. The first twenty
 * entries of a key in an hour get one. All strangers together get a few hundred rows for an action in a minute. The rest are summed up in
 * one row every few seconds, later every few minutes, so that nobody can fill the database.
 */
function foldIfFrequent(deps: Deps, queue: EntryQueue, foldKey: string, entry: Entry, maxRows = maxRowsPerKey): boolean {
  const strangerWindow =
    entry.by.kind === 'stranger' ? countInWindow(deps, queue, `strangers ${entry.action}`, minuteMs) : undefined
  const hasManyStrangerEntries = strangerWindow && strangerWindow.count > maxStrangerRows
  const window = hasManyStrangerEntries ? strangerWindow : countInWindow(deps, queue, foldKey, hourMs)
  if (!hasManyStrangerEntries && window.count <= maxRows) return false
  if (!window.sum) window.sumDueAt = performance.now() + getSumDelayMs(window)
  window.sum = addToSum(window.sum, entry)
  queue.sumTimer ??= setTimeout(() => void writeQueuedEntries(deps, 'due'), minSumDelayMs)
  return true
}

/** Counts an entry in the current window of its key. Opens a new window if the last one has ended. */
function countInWindow(deps: Deps, queue: EntryQueue, foldKey: string, lengthMs: number): Window {
  const now = deps.now().getTime()
  const lastWindow = queue.windows.get(foldKey)
  const isOpen = lastWindow && lastWindow.until > now && lastWindow.until - now <= lengthMs
  const window = isOpen
    ? lastWindow
    : { until: now + lengthMs, count: 0, sum: lastWindow?.sum, sumsWritten: 0, sumDueAt: lastWindow?.sumDueAt ?? 0 }
  if (!isOpen) {
    queue.windows.set(foldKey, window)
    evictOldestWindow(queue)
  }
  window.count++
  return window
}

/** Bounds the memory for windows. An evicted window writes its sum and starts over. */
function evictOldestWindow(queue: EntryQueue) {
  const [oldest] = queue.windows
  if (!oldest || queue.windows.size <= maxWindows) return
  if (oldest[1].sum) queue.waiting.push(oldest[1].sum)
  queue.windows.delete(oldest[0])
}

/** Returns how long to collect entries before their sum is written: 5 s, 10 s, 20 s … 5 minutes. */
const getSumDelayMs = ({ sumsWritten }: Window) =>
  computeBackoffMs(sumsWritten + 1, { firstMs: minSumDelayMs, maxMs: maxSumDelayMs })

/** Adds an entry to a sum. Fields in which they differ become empty. */
function addToSum(sum: Entry | undefined, entry: Entry): Entry {
  if (!sum) return entry
  const keepIfEqual = (name: 'name' | 'note' | 'company' | 'link' | 'directory' | 'file') =>
    sum[name] === entry[name] ? (entry[name] ?? null) : null
  const ids = {
    company: keepIfEqual('company'),
    link: keepIfEqual('link'),
    directory: keepIfEqual('directory'),
    file: keepIfEqual('file'),
  }
  const bytes = sum.bytes == null && entry.bytes == null ? null : (sum.bytes ?? 0) + (entry.bytes ?? 0)
  const isSameClient = getClient(sum.by) === getClient(entry.by)
  const by = isSameClient || !('client' in entry.by) ? entry.by : { ...entry.by, client: 'several' }
  const note = keepIfEqual('note') ?? findCommonHash(sum.note, entry.note)
  return { ...entry, by, ...ids, name: keepIfEqual('name'), note, bytes, times: (sum.times ?? 1) + 1 }
}

/** Returns the hash of a file if all notes name the same one, so that whole and partial downloads of it are summed up together. */
function findCommonHash(...notes: (string | null | undefined)[]): string | null {
  const [hash, other] = notes.map((note) => /SHA-256 [0-9a-f]{64}$/.exec(note ?? '')?.[0])
  return hash !== undefined && hash === other ? hash : null
}

const getClient = (by: Performer) => ('client' in by ? by.client : undefined)

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const maxRowsPerKey = 20
const maxStrangerRows = 300
const flushAfterMs = 100
const minSumDelayMs = 5_000
const maxSumDelayMs = 5 * minuteMs
const maxWindows = 20_000
/** If more entries wait, the database has been unavailable for a long time: the oldest ones are dropped, and the log says so. */
const maxWaiting = 20_000

/** Counts the entries of one fold key. */
interface Window {
  until: number
  count: number
  /** The sum of the entries without a row of their own, when it is due, and how many sums were written before. */
  sum: Entry | undefined
  sumDueAt: number
  sumsWritten: number
}

interface EntryQueue {
  waiting: Entry[]
  windows: Map<string, Window>
  entryTimer?: NodeJS.Timeout | undefined
  sumTimer?: NodeJS.Timeout | undefined
  writing: Promise<void>
}

const queues = new WeakMap<Db, EntryQueue>()

function getQueue({ db }: Deps): EntryQueue {
  const queue = queues.get(db) ?? { waiting: [], windows: new Map(), writing: Promise.resolve() }
  queues.set(db, queue)
  return queue
}

/** Writes the waiting entries, and the sums of folded ones: all of them, those that are due, or none. */
export async function writeQueuedEntries(deps: Deps, sums: 'all' | 'due' | 'none' = 'all'): Promise<void> {
  const queue = getQueue(deps)
  clearTimeout(queue.entryTimer)
  queue.entryTimer = undefined
  if (sums !== 'none') queueSums(deps, queue, sums === 'due' ? performance.now() : Number.POSITIVE_INFINITY)
  queue.writing = queue.writing.then(() => writeWaiting(deps, queue))
  return queue.writing
}

function queueSums(deps: Deps, queue: EntryQueue, dueAt: number) {
  clearTimeout(queue.sumTimer)
  queue.sumTimer = undefined
  const now = deps.now().getTime()
  let hasPending = false
  for (const [foldKey, window] of queue.windows) {
    if (window.sum && window.sumDueAt > dueAt) hasPending = true
    else if (window.sum) {
      queue.waiting.push(window.sum)
      window.sum = undefined
      window.sumsWritten++
    }
    if (!window.sum && (window.until <= now || window.until - now > hourMs)) queue.windows.delete(foldKey)
  }
  if (hasPending) queue.sumTimer = setTimeout(() => void writeQueuedEntries(deps, 'due'), minSumDelayMs)
}

async function writeWaiting(deps: Deps, queue: EntryQueue): Promise<void> {
  const entries = queue.waiting.splice(0)
  if (entries.length === 0) return
  try {
    await deps.db.transaction().execute((trx) => record(deps, trx, entries))
  } catch (err) {
    const lost = Math.max(0, entries.length + queue.waiting.length - maxWaiting)
    queue.waiting.unshift(...entries.slice(lost)) // written with the next entries, or by the sweep
    deps.log.error({ err, waiting: queue.waiting.length, lost }, 'could not write entries to the audit log yet')
  }
}

/** Records missing permissions and exceeded rate limits. Called for every error reply; most are not recorded. */
export function recordRefusal(deps: Deps, actor: Actor, client: string, target: string, code: ErrorCode): void {
  const by: Performer = actor.kind === 'anonymous' ? { kind: 'stranger', client } : actor
  const refusal = { by, isRefused: true, name: target }
  if (code === 'session.too_many_tries')
    recordLater(deps, `throttled ${toClientKey(client)}`, { action: 'session.throttled', ...refusal })
  if (code === 'link.too_many_tries')
    recordLater(deps, `throttled ${toClientKey(client)}`, { action: 'link.throttled', ...refusal })
  if (!recordedCodes.includes(code) || actor.kind === 'anonymous') return
  const company = actor.kind === 'staff' ? actor.companyId : actor.link.companyId
  recordLater(deps, `refused ${toCallerKey(actor)}`, { action: 'access.refused', ...refusal, company })
}

const recordedCodes: ErrorCode[] = ['session.forbidden', 'token.forbidden', 'link.forbidden', 'mail.too_many']
