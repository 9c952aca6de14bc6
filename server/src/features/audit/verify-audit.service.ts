import type { Deps } from '../../deps.ts'
import { runInTurn } from '../../lib/concurrency/run-in-turn.ts'
import { isSameSecret, sign } from '../../lib/secrets.ts'
import {
  type AuditRow,
  type ChainLink,
  findCheckpoint,
  findEntry,
  findHead,
  findOldestEntry,
  findSeqAtOrBefore,
  listEntriesAfter,
  listSeqsAfter,
  replaceWithCheckpoint,
} from './audit.repo.ts'
import { computeMac, isMacOf, record } from './audit.service.ts'

interface Problem {
  seq: number
  kind: 'altered' | 'missing' | 'inserted' | 'checkpoint'
  text: string
}

export interface AuditVerdict {
  rows: number
  from: number
  to: number
  head: string
  problems: Problem[]
}

/** Small enough to verify within about 10 ms. */
const pageSize = 500
const maxProblems = 100

/**
 * Verifies the chain, page by page, so that requests are served in between. With `before`, stops at the first entry at or after
 * that time. `checkpoints` are ends of the chain that were written to the server's log. They reveal a truncated chain, because
 * someone who can change the database can't change the log.
 */
export async function verifyAuditLog(
  deps: Deps,
  { checkpoints = [], before }: { checkpoints?: ChainLink[]; before?: string } = {},
): Promise<AuditVerdict> {
  const problems: Problem[] = []
  const report = (seq: number, kind: Problem['kind'], text: string) => {
    if (problems.length < maxProblems) problems.push({ seq, kind, text })
  }
  const head = await findHead(deps.db) // read first, so that entries added meanwhile come after it
  const start = await findCheckpoint(deps.db)
  if (start && !isSameSecret(start.signature, signCheckpoint(deps, start)))
    report(start.seq, 'checkpoint', `The checkpoint at row ${start.seq}, which replaced the older rows, was altered.`)
  const loggedCheckpoints = Map.groupBy(checkpoints, ({ seq }) => seq)
  const earlySeq = await findSeqAtOrBefore(deps.db, start?.seq ?? 0)
  if (earlySeq !== undefined) report(earlySeq, 'inserted', `Row ${earlySeq} was inserted before the start of the audit log.`)
  /** The position of the first restore of a backup. It removed entries that have checkpoints in the log, so rows from there on are not compared. */
  let restoredSeq = Number.POSITIVE_INFINITY
  const from = (start?.seq ?? 0) + 1
  let [rows, last] = [0, start?.seq ?? 0]
  /** The MACs that the next entry may be chained to. After an altered entry: the MAC it has, and the one it should have. */
  let previousMacs = [start?.mac ?? '']
  let isPartial = false
  while (!isPartial) {
    const { page, unreadable } = await runInTurn('', () => readAfter(deps, last))
    for (const seq of unreadable) report(seq, 'altered', `Row ${seq} was altered and can’t be read.`)
    for (const row of page) {
      isPartial = before !== undefined && row.at >= before
      if (isPartial) break
      if (row.action === 'backup.restored') restoredSeq = Math.min(restoredSeq, row.seq)
      const isGap = row.seq > last + 1
      if (isGap && !unreadable.includes(last + 1)) report(last + 1, 'missing', describeMissing(last + 1, row.seq - 1))
      if (!previousMacs.some((mac) => isMacOf(deps, mac, row))) {
        if (head && row.seq > head.seq) report(row.seq, 'inserted', `Row ${row.seq} was inserted after the end of the audit log.`)
        else if (!isGap) report(row.seq, 'altered', `Row ${row.seq} was altered or inserted.`)
      }
      if (row.seq < restoredSeq && loggedCheckpoints.get(row.seq)?.some(({ mac }) => mac !== row.mac))
        report(row.seq, 'altered', `Row ${row.seq} does not match its checkpoint in the log.`)
      previousMacs = [row.mac, ...previousMacs.map((mac) => computeMac(deps, mac, row))].slice(0, 2)
      rows++
      last = row.seq
    }
    if (page.length + unreadable.length < pageSize) break
  }
  const expectedEnds = isPartial
    ? []
    : [...(restoredSeq < Number.POSITIVE_INFINITY ? [] : loggedCheckpoints.keys()), head?.seq ?? 0].filter((seq) => seq > last)
  if (expectedEnds.length > 0) report(last + 1, 'missing', describeMissing(last + 1, Math.max(...expectedEnds)))
  if (!head) report(last, 'altered', 'The record of the last row of the audit log is missing.')
  else if (
    head.seq <= last &&
    head.seq >= from &&
    (await findEntry(deps.db, head.seq))?.mac !== head.mac &&
    problems.length === 0
  )
    report(head.seq, 'altered', `Row ${head.seq} does not match the record of the last row of the audit log.`)
  const end = await findHead(deps.db) // read last, so that it is not older than the rows that were read
  if (end && end.seq < last && problems.length === 0)
    report(
      end.seq,
      'altered',
      `Row ${end.seq} is recorded as the last row of the audit log, but the log continues to row ${last}.`,
    )
  problems.sort((a, b) => a.seq - b.seq)
  return { rows, from, to: last, head: `${head?.seq ?? 0}:${head?.mac ?? ''}`, problems }
}

/** Reads a page of entries. Returns only the positions of those that can't be read, because they were tampered with. */
async function readAfter(deps: Deps, seq: number): Promise<{ page: AuditRow[]; unreadable: number[] }> {
  try {
    return { page: await listEntriesAfter(deps.db, seq, pageSize), unreadable: [] }
  } catch {
    const page: AuditRow[] = []
    const unreadable: number[] = []
    for (const position of await listSeqsAfter(deps.db, seq, pageSize)) {
      const row = await findEntry(deps.db, position).catch(() => undefined)
      if (row) page.push(row)
      else unreadable.push(position)
    }
    return { page, unreadable }
  }
}

const describeMissing = (first: number, last: number) =>
  first === last ? `Row ${first} is missing.` : `Rows ${first} to ${last} are missing.`

const signCheckpoint = (deps: Deps, { seq, at, mac }: { seq: number; at: string; mac: string }) =>
  sign(deps.keys.audit, JSON.stringify(['checkpoint', seq, at, mac]))

const dayMs = 24 * 60 * 60_000
const rowsPerStep = 500

/**
 * Removes entries that are older than `days`, once a day. A signed checkpoint replaces them, so that the rest can
 * still be verified, and a new entry records what was removed. If the audit log was tampered with, nothing is removed.
 */
export async function pruneAuditLog(deps: Deps, days: number | null): Promise<void> {
  if (days === null) return
  const cutoff = new Date(deps.now().getTime() - days * dayMs)
  const oldest = await findOldestEntry(deps.db)
  if (!oldest || Date.parse(oldest.at) > cutoff.getTime() - dayMs) return
  const { problems, to: end } = await verifyAuditLog(deps, { before: cutoff.toISOString() })
  if (problems.length > 0) {
    deps.log.error({ problem: problems[0]?.text }, 'the audit log was tampered with: nothing is removed from it')
    return
  }
  for (let seq = Math.min(oldest.seq + rowsPerStep - 1, end); ; seq = Math.min(seq + rowsPerStep, end)) {
    await runInTurn('', async () => pruneTo(deps, await findEntry(deps.db, seq), oldest.seq, seq === end))
    if (seq === end) return
  }
}

async function pruneTo(deps: Deps, row: AuditRow | undefined, first: number, isLast: boolean) {
  if (!row) return
  const at = deps.now().toISOString()
  const checkpoint = { seq: row.seq, at, mac: row.mac }
  await deps.db.transaction().execute(async (trx) => {
    await replaceWithCheckpoint(trx, { ...checkpoint, signature: signCheckpoint(deps, checkpoint) })
    if (isLast)
      await record(deps, trx, [{ action: 'activity.pruned', by: { kind: 'system' }, note: `rows ${first} to ${row.seq}` }])
  })
}

const lastLoggedSeqs = new WeakMap<Deps['db'], number>()

/**
 * Logs the end of the chain once a minute, if it has changed, so that truncating the chain can be detected outside the database.
 */
export async function logCheckpoint(deps: Deps): Promise<void> {
  const head = await findHead(deps.db)
  if (!head || head.seq === 0 || head.seq === lastLoggedSeqs.get(deps.db)) return
  lastLoggedSeqs.set(deps.db, head.seq)
  deps.log.info({ checkpoint: head }, 'audit checkpoint')
}
