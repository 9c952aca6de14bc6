import { isActive, type Obstacle, type UploadJob, type UploadState } from './upload-job.ts'
import { estimateSecondsLeft } from './upload-speed.ts'

/** Sums of all uploads. */
export interface Totals {
  total: number
  done: number
  failed: number
  fileless: number
  paused: number
  active: number
  /** What all active uploads wait for. Undefined if one is being sent. */
  waitsFor: Obstacle | undefined
  /** The share of bytes sent, without failed uploads. */
  percent: number
  secondsLeft: number | undefined
}

/** Sums up uploads. `speed` is the overall speed: small files are too short-lived to measure their own. */
export function computeTotals(jobs: readonly UploadJob[], speed: number): Totals {
  const countByState = (kind: UploadState['kind']) => jobs.filter(({ state }) => state.kind === kind).length
  const countedJobs = jobs.filter(({ state }) => state.kind !== 'failed')
  const sum = (getValue: (job: UploadJob) => number) => countedJobs.reduce((total, job) => total + getValue(job), 0)
  const bytes = sum(({ size }) => size)
  const sent = sum((job) => job.sent)
  const done = countByState('done')
  const share = bytes > 0 ? sent / bytes : done / countedJobs.length
  const waiting = jobs.find(({ state }) => state.kind === 'waiting')?.state
  return {
    total: jobs.length,
    done,
    failed: countByState('failed'),
    fileless: countByState('fileless'),
    paused: countByState('paused'),
    active: jobs.filter(isActive).length,
    waitsFor: waiting?.kind === 'waiting' && countByState('sending') === 0 ? waiting.for : undefined,
    // 100 % only when every upload is complete.
    percent: countedJobs.length === 0 ? 0 : done === countedJobs.length ? 100 : Math.min(99, Math.floor(share * 100)),
    secondsLeft: estimateSecondsLeft(bytes - sent, speed),
  }
}

/** Sorts uploads that need the user first, then active ones, then completed ones. Stable within each group. */
export const sortByUrgency = (jobs: readonly UploadJob[]) => jobs.toSorted((a, b) => rank(a) - rank(b))

function rank({ state: { kind } }: UploadJob): number {
  if (kind === 'failed' || kind === 'fileless') return 0
  return kind === 'done' ? 2 : 1
}
