import { isActive, type Obstacle, type UploadJob } from './upload-job.ts'
import { estimateSecondsLeft } from './upload-speed.ts'

/** Totals of uploads. Empty folders count only in `left`, `failed`, `paused` and `active`. */
export interface Totals {
  total: number
  done: number
  /** How many are not done. */
  left: number
  failed: number
  fileless: number
  /** How many of the uploads without a file can be read again once the user allows it. */
  askable: number
  paused: number
  active: number
  /** The bytes of all uploads that have not failed, and how many of these bytes were sent. */
  bytes: number
  sent: number
  /** What all active uploads wait for. Undefined if one is being sent. */
  waitsFor: Obstacle | undefined
  /** The share of bytes sent, without failed uploads. */
  percent: number
  secondsLeft: number | undefined
}

/** Sums up uploads in one pass. `speed` is the overall speed: small files are too short-lived to measure their own. */
export function computeTotals(jobs: readonly UploadJob[], speed: number): Totals {
  const sums = { total: 0, done: 0, left: 0, failed: 0, fileless: 0, askable: 0, paused: 0, active: 0, bytes: 0, sent: 0 }
  let waitsFor: Obstacle | undefined
  let isSending = false
  for (const job of jobs) {
    const { state, size, sent, kind } = job
    const isFile = kind !== 'folder'
    if (isFile) sums.total++
    if (state.kind === 'done') {
      if (isFile) sums.done++
    } else sums.left++
    if (state.kind === 'failed') sums.failed++
    else {
      sums.bytes += size
      sums.sent += sent
    }
    if (state.kind === 'fileless') {
      sums.fileless++
      if (state.canAsk) sums.askable++
    }
    if (state.kind === 'paused') sums.paused++
    if (isActive(job)) sums.active++
    if (state.kind === 'waiting') waitsFor ??= state.for
    isSending ||= state.kind === 'sending'
  }
  return {
    ...sums,
    waitsFor: isSending ? undefined : waitsFor,
    percent: computePercent(sums),
    secondsLeft: estimateSecondsLeft(sums.bytes - sums.sent, speed),
  }
}

/** Returns 100 only when every upload that has not failed is complete. */
function computePercent({
  total,
  done,
  left,
  failed,
  bytes,
  sent,
}: Omit<Totals, 'waitsFor' | 'percent' | 'secondsLeft'>): number {
  if (left === failed) return total === 0 || done > 0 ? 100 : 0
  const counted = Math.max(1, total - failed)
  return Math.min(99, Math.floor((bytes > 0 ? sent / bytes : done / counted) * 100))
}

/** Sorts uploads that need the user first, then active ones, then completed ones. Stable within each group. */
export const sortByUrgency = (jobs: readonly UploadJob[]) => jobs.toSorted((a, b) => rankUrgency(a) - rankUrgency(b))

export function rankUrgency({ state: { kind } }: UploadJob): number {
  if (kind === 'failed' || kind === 'fileless') return 0
  return kind === 'done' ? 2 : 1
}

/** Ranks a group of uploads as `rankUrgency` ranks one. */
export function rankTotals({ failed, fileless, left }: Totals): number {
  if (failed + fileless > 0) return 0
  return left === 0 ? 2 : 1
}
