import type { TransferDay } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { CompanyScope } from '../../lib/actor.ts'
import { runInTurn } from '../../lib/concurrency/run-in-turn.ts'
import { findHead } from '../audit/audit.repo.ts'
import { addNews } from './news.service.ts'
import {
  addTransfers,
  deleteOldTransfers,
  everyCompany,
  findLastCountedSeq,
  findSeqBefore,
  listTransfers,
  listUncountedEntries,
  lockLastCountedSeq,
  setLastCountedSeq,
  type Transfer,
  type UncountedEntry,
} from './transfer.repo.ts'

const dayMs = 24 * 60 * 60_000
const daysShown = 30
/** About as many entries as a minute adds, and few enough to count in one slice. */
const sliceRows = 1000
/** The maximum number of entries to count while a user waits for the dashboard. */
export const maxRowsPerView = 500

/** Returns the day of a time in UTC, so that days are the same for everyone. */
const toDay = (instant: string) => instant.slice(0, 10)
const getDayBefore = (deps: Deps, days: number) => toDay(new Date(deps.now().getTime() - days * dayMs).toISOString())

/** Returns the transfers of the last thirty days, oldest first, including today. */
export async function readTransfers(deps: Deps, scope: CompanyScope): Promise<TransferDay[]> {
  const days = Array.from({ length: daysShown }, (_, index) => getDayBefore(deps, daysShown - 1 - index))
  const rows = await listTransfers(deps.db, scope, days[0] ?? '')
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return days.map((day) => {
    const { uploads = 0, downloads = 0, bytes_in = 0, bytes_out = 0 } = byDay.get(day) ?? {}
    const [up, down, received, sent] = [uploads, downloads, bytes_in, bytes_out].map(Number) as [number, number, number, number]
    return { day, uploads: up, downloads: down, bytes_in: received, bytes_out: sent }
  })
}

/** Counts all uncounted entries, in slices. Runs once a minute; the first run after an update counts the last thirty days. */
export async function countAllTransfers(deps: Deps): Promise<void> {
  while (await countTransfers(deps));
}

/**
 * Counts the next audit entries after the last counted one. The audit log has no gaps and its entries never change, so every entry is
 * counted exactly once, by any process, and uploads and downloads need not update a counter. Also adds what recipients did to the news.
 * Returns true if there may be more.
 */
export async function countTransfers(deps: Deps, maxRows = sliceRows): Promise<boolean> {
  const [head, lastCounted] = [await findHead(deps.db), await findLastCountedSeq(deps.db)]
  if (!head || head.seq === (lastCounted ?? 0)) return false
  // Leaves a longer backlog to the scheduled job, because the caller would have to wait while it is counted.
  if (maxRows < sliceRows && head.seq - (lastCounted ?? 0) > maxRows) return true
  const start =
    lastCounted === undefined ? ((await findSeqBefore(deps.db, getDayBefore(deps, daysShown))) ?? head.seq) : lastCounted
  const count = async (trx: Deps['db']) => {
    const counted = (await lockLastCountedSeq(trx)) ?? start
    const rows = await listUncountedEntries(trx, counted, maxRows)
    const last = rows.at(-1)
    await addTransfers(trx, sumTransfers(rows))
    await addNews(deps, trx, rows)
    await deleteOldTransfers(trx, getDayBefore(deps, daysShown + 1))
    await setLastCountedSeq(trx, last ? Number(last.seq) : counted)
    return rows.length === maxRows
  }
  return runInTurn('', () => deps.db.transaction().execute(count))
}

/** Sums up transfers by company and day, and by day for all companies. */
function sumTransfers(rows: UncountedEntry[]): Transfer[] {
  const sums = new Map<string, Transfer>()
  for (const row of rows) {
    const amounts = readAmounts(row)
    if (!amounts) continue
    for (const company_id of new Set([row.company_id ?? everyCompany, everyCompany])) {
      const day = toDay(row.at)
      const sum = sums.get(`${company_id} ${day}`) ?? { company_id, day, uploads: 0, downloads: 0, bytes_in: 0, bytes_out: 0 }
      for (const name of ['uploads', 'downloads', 'bytes_in', 'bytes_out'] as const) sum[name] += amounts[name]
      sums.set(`${company_id} ${day}`, sum)
    }
  }
  // In a fixed order, so that two transactions cannot deadlock.
  return [...sums.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

/**
 * Returns what an audit entry adds to the totals; undefined if it is not about an upload or download. A long download has two
 * entries; the one for its start (`begun`) does not count.
 */
function readAmounts({ action, outcome, size, bytes, times, note }: UncountedEntry) {
  if (outcome !== 'done') return undefined
  const none = { uploads: 0, downloads: 0, bytes_in: 0, bytes_out: 0 }
  if (action === 'file.uploaded') return { ...none, uploads: Number(times), bytes_in: Number(size ?? 0) }
  const isDownload = action === 'file.downloaded' || action === 'directory.downloaded'
  return isDownload && !/^begun\b/.test(note ?? '')
    ? { ...none, downloads: Number(times), bytes_out: Number(bytes ?? 0) }
    : undefined
}
