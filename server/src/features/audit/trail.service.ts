import type { Deps } from '../../deps.ts'
import { runInTurn } from '../../lib/in-turn.ts'
import { isSameSecret, sign } from '../../lib/secrets.ts'
import {
  type AuditRow,
  cutBefore,
  findBefore,
  findCheckpoint,
  findFirst,
  findHead,
  findRow,
  type Link,
  listAfter,
  listPlaces,
} from './audit.repo.ts'
import { isMacOf, macOf, record } from './audit.service.ts'

interface Problem {
  seq: number
  what: 'altered' | 'missing' | 'inserted' | 'checkpoint'
  text: string
}

export interface Verdict {
  rows: number
  from: number
  to: number
  head: string
  problems: Problem[]
}

/** Small enough to be verified within about ten milliseconds. */
const pageSize = 500
const problemsTold = 100

/**
 * Verifies the chain, page by page, so that requests are served in between. With `before`, stops at the first entry at or after
 * that time. `checkpoints` are entries that were written to the server's log: someone who truncates the chain and hides that in
 * the database cannot change those.
 */
export async function verifyTrail(
  deps: Deps,
  { checkpoints = [], before: time }: { checkpoints?: Link[]; before?: string } = {},
): Promise<Verdict> {
  const problems: Problem[] = []
  const tell = (seq: number, what: Problem['what'], text: string) => {
    if (problems.length < problemsTold) problems.push({ seq, what, text })
  }
  const head = await findHead(deps.db) // first: what is added meanwhile comes after it
  const start = await findCheckpoint(deps.db)
  if (start && !isSameSecret(start.signature, signatureOf(deps, start)))
    tell(
      start.seq,
      'checkpoint',
      `The checkpoint at row ${start.seq}, where older rows were removed, is not the one that was written.`,
    )
  const kept = Map.groupBy(checkpoints, ({ seq }) => seq)
  const early = await findBefore(deps.db, start?.seq ?? 0)
  if (early !== undefined) tell(early, 'inserted', `Row ${early} was put in before the beginning of the trail.`)
  /** What a restored backup took back is in the log and not in the trail. */
  let restoredAt = Number.POSITIVE_INFINITY
  const from = (start?.seq ?? 0) + 1
  let [rows, last] = [0, start?.seq ?? 0]
  /** What the next row may follow: of an altered row what it says itself, and what it should say. */
  let before = [start?.mac ?? '']
  let isPart = false
  while (!isPart) {
    const { page, unreadable } = await runInTurn('', () => readAfter(deps, last))
    for (const seq of unreadable) tell(seq, 'altered', `Row ${seq} cannot be read: it was altered.`)
    for (const row of page) {
      isPart = time !== undefined && row.at >= time
      if (isPart) break
      if (row.action === 'backup.restored') restoredAt = Math.min(restoredAt, row.seq)
      const isGap = row.seq > last + 1
      if (isGap && !unreadable.includes(last + 1)) tell(last + 1, 'missing', missing(last + 1, row.seq - 1))
      if (!before.some((mac) => isMacOf(deps, mac, row))) {
        if (head && row.seq > head.seq) tell(row.seq, 'inserted', `Row ${row.seq} was put in behind the end of the trail.`)
        else if (!isGap) tell(row.seq, 'altered', `Row ${row.seq} is not as it was written: it was altered or put in.`)
      }
      if (row.seq < restoredAt && kept.get(row.seq)?.some(({ mac }) => mac !== row.mac))
        tell(row.seq, 'altered', `Row ${row.seq} is not the one that the log has a checkpoint of.`)
      before = [row.mac, ...before.map((mac) => macOf(deps, mac, row))].slice(0, 2)
      rows++
      last = row.seq
    }
    if (page.length + unreadable.length < pageSize) break
  }
  const ends = isPart
    ? []
    : [...(restoredAt < Number.POSITIVE_INFINITY ? [] : kept.keys()), head?.seq ?? 0].filter((seq) => seq > last)
  if (ends.length > 0) tell(last + 1, 'missing', missing(last + 1, Math.max(...ends)))
  if (!head) tell(last, 'altered', 'The end of the trail is not marked any more.')
  else if (head.seq <= last && head.seq >= from && (await findRow(deps.db, head.seq))?.mac !== head.mac && problems.length === 0)
    tell(head.seq, 'altered', `The end of the trail is marked at row ${head.seq}, which is not the row that was written there.`)
  const end = await findHead(deps.db) // never behind the rows that were there before
  if (end && end.seq < last && problems.length === 0)
    tell(end.seq, 'altered', `The end of the trail is marked at row ${end.seq}, but it goes on to row ${last}.`)
  problems.sort((a, b) => a.seq - b.seq)
  return { rows, from, to: last, head: `${head?.seq ?? 0}:${head?.mac ?? ''}`, problems }
}

/** A page of rows. Where the database holds something that cannot be read as a row at all, its place is told instead. */
async function readAfter(deps: Deps, seq: number): Promise<{ page: AuditRow[]; unreadable: number[] }> {
  try {
    return { page: await listAfter(deps.db, seq, pageSize), unreadable: [] }
  } catch {
    const page: AuditRow[] = []
    const unreadable: number[] = []
    for (const place of await listPlaces(deps.db, seq, pageSize)) {
      const row = await findRow(deps.db, place).catch(() => undefined)
      if (row) page.push(row)
      else unreadable.push(place)
    }
    return { page, unreadable }
  }
}

const missing = (first: number, last: number) =>
  first === last ? `Row ${first} is missing: it was removed.` : `Rows ${first} to ${last} are missing: they were removed.`

const signatureOf = (deps: Deps, { seq, at, mac }: { seq: number; at: string; mac: string }) =>
  sign(deps.keys.audit, JSON.stringify(['checkpoint', seq, at, mac]))

const day = 24 * 60 * 60_000
const rowsAtOnce = 500

/**
 * Removes what is older than it has to be kept, once a day. In its place stays a signed checkpoint, from which the rest is verified; and a
 * row says what was removed. What was tampered with stays, to be seen.
 */
export async function pruneTrail(deps: Deps): Promise<void> {
  const days = deps.config.activityDays
  if (days === undefined) return
  const limit = new Date(deps.now().getTime() - days * day)
  const oldest = await findFirst(deps.db)
  if (!oldest || Date.parse(oldest.at) > limit.getTime() - day) return
  const { problems, to: end } = await verifyTrail(deps, { before: limit.toISOString() })
  if (problems.length > 0) {
    deps.log.error({ problem: problems[0]?.text }, 'the trail was tampered with: nothing of it is removed')
    return
  }
  for (let seq = Math.min(oldest.seq + rowsAtOnce - 1, end); ; seq = Math.min(seq + rowsAtOnce, end)) {
    await runInTurn('', async () => cutAt(deps, await findRow(deps.db, seq), oldest.seq, seq === end))
    if (seq === end) return
  }
}

async function cutAt(deps: Deps, row: AuditRow | undefined, first: number, isLast: boolean) {
  if (!row) return
  const at = deps.now().toISOString()
  const checkpoint = { seq: row.seq, at, mac: row.mac }
  await deps.db.transaction().execute(async (trx) => {
    await cutBefore(trx, { ...checkpoint, signature: signatureOf(deps, checkpoint) })
    if (isLast)
      await record(deps, trx, [{ action: 'activity.pruned', by: { kind: 'system' }, note: `rows ${first} to ${row.seq}` }])
  })
}

const told = new WeakMap<Deps['db'], number>()

/** Tells the log how far the chain goes whenever it went on, once a minute: so that cutting off its end shows outside the database. */
export async function tellCheckpoint(deps: Deps): Promise<void> {
  const head = await findHead(deps.db)
  if (!head || head.seq === 0 || head.seq === told.get(deps.db)) return
  told.set(deps.db, head.seq)
  deps.log.info({ checkpoint: head }, 'audit checkpoint')
}
