/** Where files go. */
export interface Target {
  id: string
  name: string
}

/** What to do with a name that is taken. */
export type Conflict = 'keep' | 'replace'

/** What is happening to a file on its way. */
export type TransferState =
  | { kind: 'queued' }
  | { kind: 'sending' }
  /** It goes on by itself. */
  | { kind: 'waiting'; for: 'network' | 'server' | 'session' }
  | { kind: 'paused' }
  /** The page was left meanwhile, and the browser did not keep the file for us. With `canAsk` a click and its permission do. */
  | { kind: 'fileless'; canAsk: boolean; problem?: string }
  | { kind: 'failed'; message: string; canRetry: boolean }
  /** `file` is the id of what it became. */
  | { kind: 'done'; file: string }

/** A file on its way to a directory. It is replaced, never changed, so that its row knows when to draw itself again. */
export interface Transfer {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly directory: Target
  /** Bytes that are there, as far as this page knows. */
  readonly sent: number
  /** Bytes a second, lately. */
  readonly speed: number
  readonly state: TransferState
}

/** Neither finished nor stopped: it moves, or will by itself. */
export const isActive = ({ state }: Transfer) => state.kind === 'queued' || state.kind === 'sending' || state.kind === 'waiting'

const isFailed = ({ state }: Transfer) => state.kind === 'failed'

export const canRetry = ({ state }: Transfer) => state.kind === 'failed' && state.canRetry

/** All transfers together. */
export interface Totals {
  total: number
  done: number
  failed: number
  fileless: number
  paused: number
  active: number
  /** None moves, because all that could are waiting. */
  waitsFor: 'network' | 'server' | 'session' | undefined
  /** Of the bytes of all but those that failed. */
  percent: number
  secondsLeft: number | undefined
}

/** `speed` is that of all together: small files come and go too fast to have one of their own. */
export function totalsOf(transfers: readonly Transfer[], speed: number): Totals {
  const count = (kind: TransferState['kind']) => transfers.filter(({ state }) => state.kind === kind).length
  const going = transfers.filter((transfer) => !isFailed(transfer))
  const sum = (of: (transfer: Transfer) => number) => going.reduce((total, transfer) => total + of(transfer), 0)
  const bytes = sum(({ size }) => size)
  const sent = sum((transfer) => transfer.sent)
  const done = count('done')
  const share = bytes > 0 ? sent / bytes : done / going.length
  const waiting = transfers.find(({ state }) => state.kind === 'waiting')?.state
  return {
    total: transfers.length,
    done,
    failed: count('failed'),
    fileless: count('fileless'),
    paused: count('paused'),
    active: transfers.filter(isActive).length,
    waitsFor: waiting?.kind === 'waiting' && count('sending') === 0 ? waiting.for : undefined,
    // 100 is said when all is there, not before.
    percent: going.length === 0 ? 0 : done === going.length ? 100 : Math.min(99, Math.floor(share * 100)),
    secondsLeft: secondsLeft(bytes - sent, speed),
  }
}

export const secondsLeft = (bytes: number, speed: number) => (speed > 0 ? bytes / speed : undefined)

/** What needs somebody first, then what is under way, then what is done; within each, as they were added. */
export const inOrder = (transfers: readonly Transfer[]) => transfers.toSorted((a, b) => rank(a) - rank(b))

function rank({ state: { kind } }: Transfer): number {
  if (kind === 'failed' || kind === 'fileless') return 0
  return kind === 'done' ? 2 : 1
}

/** 1, 2, 4 … 30 seconds; `asked` is what the server wants at least. */
export const waitFor = (tries: number, asked = 0) => Math.max(Math.min(2 ** (tries - 1), 30), asked) * 1000

/** How many bytes were there when. */
export type Sample = readonly [at: number, bytes: number]

const speedWindow = 4000

/** The samples that still count, with a new one. The oldest of them is at least as old as the window, if there are any that old. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const from = samples.findLastIndex(([at]) => at <= sample[0] - speedWindow)
  return [...samples.slice(Math.max(0, from)), sample]
}

export function speedOf(samples: readonly Sample[]): number {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last[0] - first[0] < 250) return 0
  return Math.max(0, ((last[1] - first[1]) * 1000) / (last[0] - first[0]))
}
