/** The directory that files are uploaded to. */
export interface Target {
  id: string
  name: string
}

/** How to handle a name that is taken. */
export type Conflict = 'keep' | 'replace'

/** The state of an upload. */
export type TransferState =
  | { kind: 'queued' }
  | { kind: 'sending' }
  /** Retries by itself. */
  | { kind: 'waiting'; for: 'network' | 'server' | 'session' }
  | { kind: 'paused' }
  /** After a reload the page can’t read the file. With `canAsk`, the user can grant access with a click; otherwise they choose it again. */
  | { kind: 'fileless'; canAsk: boolean; problem?: string }
  | { kind: 'failed'; message: string; canRetry: boolean }
  /** `file` is the id of the resulting file. */
  | { kind: 'done'; file: string }

/** An upload, as the screen shows it. Immutable, so that its row renders only when it changes. */
export interface Transfer {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly directory: Target
  /** Bytes sent, as far as this page knows. */
  readonly sent: number
  /** Bytes per second, recently. */
  readonly speed: number
  readonly state: TransferState
}

/** Returns whether an upload is running, or will run without the user’s help. */
export const isActive = ({ state }: Transfer) => state.kind === 'queued' || state.kind === 'sending' || state.kind === 'waiting'

const isFailed = ({ state }: Transfer) => state.kind === 'failed'

export const canRetry = ({ state }: Transfer) => state.kind === 'failed' && state.canRetry

/** Sums of all transfers. */
export interface Totals {
  total: number
  done: number
  failed: number
  fileless: number
  paused: number
  active: number
  /** What all active transfers wait for. Undefined if one is being sent. */
  waitsFor: 'network' | 'server' | 'session' | undefined
  /** The share of bytes sent, without failed transfers. */
  percent: number
  secondsLeft: number | undefined
}

/** Sums up transfers. `speed` is the overall speed: small files are too short-lived to measure their own. */
export function computeTotals(transfers: readonly Transfer[], speed: number): Totals {
  const count = (kind: TransferState['kind']) => transfers.filter(({ state }) => state.kind === kind).length
  const counted = transfers.filter((transfer) => !isFailed(transfer))
  const sum = (getValue: (transfer: Transfer) => number) => counted.reduce((total, transfer) => total + getValue(transfer), 0)
  const bytes = sum(({ size }) => size)
  const sent = sum((transfer) => transfer.sent)
  const done = count('done')
  const share = bytes > 0 ? sent / bytes : done / counted.length
  const waiting = transfers.find(({ state }) => state.kind === 'waiting')?.state
  return {
    total: transfers.length,
    done,
    failed: count('failed'),
    fileless: count('fileless'),
    paused: count('paused'),
    active: transfers.filter(isActive).length,
    waitsFor: waiting?.kind === 'waiting' && count('sending') === 0 ? waiting.for : undefined,
    // 100 % only when every transfer is complete.
    percent: counted.length === 0 ? 0 : done === counted.length ? 100 : Math.min(99, Math.floor(share * 100)),
    secondsLeft: estimateSecondsLeft(bytes - sent, speed),
  }
}

export const estimateSecondsLeft = (bytes: number, speed: number) => (speed > 0 ? bytes / speed : undefined)

/** Sorts transfers that need the user first, then active ones, then completed ones. Stable within each group. */
export const sortByUrgency = (transfers: readonly Transfer[]) => transfers.toSorted((a, b) => rank(a) - rank(b))

function rank({ state: { kind } }: Transfer): number {
  if (kind === 'failed' || kind === 'fileless') return 0
  return kind === 'done' ? 2 : 1
}

/** Returns the delay before the next attempt: 1, 2, 4 … 30 seconds, and at least what the server’s `Retry-After` demands. */
export const retryDelayMs = (attempts: number, retryAfterSeconds = 0) =>
  Math.max(Math.min(2 ** (attempts - 1), 30), retryAfterSeconds) * 1000

/** How many bytes were sent at a point in time. */
export type Sample = readonly [at: number, bytes: number]

const speedWindowMs = 4000

/** Adds a sample and drops old ones, but keeps one that is at least as old as the window. */
export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const from = samples.findLastIndex(([at]) => at <= sample[0] - speedWindowMs)
  return [...samples.slice(Math.max(0, from)), sample]
}

export function computeSpeed(samples: readonly Sample[]): number {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last[0] - first[0] < 250) return 0
  return Math.max(0, ((last[1] - first[1]) * 1000) / (last[0] - first[0]))
}
