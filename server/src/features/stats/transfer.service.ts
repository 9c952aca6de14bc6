import type { TransferDay } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { runInTurn } from '../../lib/in-turn.ts'
import { findHead } from '../audit/audit.repo.ts'
import {
  addTransfers,
  deleteOldTransfers,
  findCounted,
  findStart,
  listTransfers,
  listUncounted,
  lockCounted,
  setCounted,
  type Transfer,
} from './transfer.repo.ts'

const dayLength = 24 * 60 * 60_000
const daysShown = 30
/** About as many as a minute adds, and few enough to count in one slice. */
const rowsAtOnce = 1000
/** As many as somebody may wait for. */
export const maxRowsPerView = 500
/** What stands for all companies together, and for what belongs to none: so that admins are answered from thirty rows, too. */
const everyCompany = ''

/** A day is one of UTC: it is the same for everybody who looks. */
const dayOf = (instant: string) => instant.slice(0, 10)
const dayBefore = (deps: Deps, days: number) => dayOf(new Date(deps.now().getTime() - days * dayLength).toISOString())

/** The last thirty days, the oldest first, today included. */
export async function readTransfers(deps: Deps, within: string | undefined): Promise<TransferDay[]> {
  const days = Array.from({ length: daysShown }, (_, index) => dayBefore(deps, daysShown - 1 - index))
  const rows = await listTransfers(deps.db, within ?? everyCompany, days[0] ?? '')
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return days.map((day) => {
    const { uploads = 0, downloads = 0, bytes_in = 0, bytes_out = 0 } = byDay.get(day) ?? {}
    const [up, down, received, sent] = [uploads, downloads, bytes_in, bytes_out].map(Number) as [number, number, number, number]
    return { day, uploads: up, downloads: down, bytes_in: received, bytes_out: sent }
  })
}

/** Counts all uncounted entries, in slices: once a minute, and after an update from the beginning of the month. */
export async function countAllTransfers(deps: Deps): Promise<void> {
  while (await countTransfers(deps));
}

/**
 * Counts on from where the last count ended. The trail is one chain without gaps, and what is in it never changes: so every row is counted
 * once, by whichever process, and no upload or download waits for a counter. True when there may be more.
 */
export async function countTransfers(deps: Deps, most = rowsAtOnce): Promise<boolean> {
  const [head, known] = [await findHead(deps.db), await findCounted(deps.db)]
  if (!head || head.seq === (known ?? 0)) return false
  if (most < rowsAtOnce && head.seq - (known ?? 0) > most) return true // the sweep is at it, and would have to be waited for
  const start = known === undefined ? ((await findStart(deps.db, dayBefore(deps, daysShown))) ?? head.seq) : known
  const count = async (trx: Deps['db']) => {
    const counted = (await lockCounted(trx)) ?? start
    const rows = await listUncounted(trx, counted, most)
    const last = rows.at(-1)
    await addTransfers(trx, sumsOf(rows))
    await deleteOldTransfers(trx, dayBefore(deps, daysShown + 1))
    await setCounted(trx, last ? Number(last.seq) : counted)
    return rows.length === most
  }
  return runInTurn('', () => deps.db.transaction().execute(count))
}

type Row = Awaited<ReturnType<typeof listUncounted>>[number]

/** By company and day, and by day alone. */
function sumsOf(rows: Row[]): Transfer[] {
  const sums = new Map<string, Transfer>()
  for (const row of rows) {
    const amounts = amountsOf(row)
    if (!amounts) continue
    for (const company_id of new Set([row.company_id ?? everyCompany, everyCompany])) {
      const day = dayOf(row.at)
      const sum = sums.get(`${company_id} ${day}`) ?? { company_id, day, uploads: 0, downloads: 0, bytes_in: 0, bytes_out: 0 }
      for (const name of ['uploads', 'downloads', 'bytes_in', 'bytes_out'] as const) sum[name] += amounts[name]
      sums.set(`${company_id} ${day}`, sum)
    }
  }
  // In one order, so that two never wait for each other.
  return [...sums.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

/** A download that takes long is told of twice: when it has begun, and when it has ended. */
function amountsOf({ action, outcome, size, bytes, times, note }: Row) {
  if (outcome !== 'done') return undefined
  const none = { uploads: 0, downloads: 0, bytes_in: 0, bytes_out: 0 }
  if (action === 'file.uploaded') return { ...none, uploads: Number(times), bytes_in: Number(size ?? 0) }
  const isDownload = action === 'file.downloaded' || action === 'directory.downloaded'
  return isDownload && note !== 'begun' ? { ...none, downloads: Number(times), bytes_out: Number(bytes ?? 0) } : undefined
}
