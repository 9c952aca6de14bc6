import { AppError } from '../app-error.ts'
import { createSeats } from './caller-limits.ts'
import { runInTurn } from './run-in-turn.ts'

/** The caller that rows are read for. */
export interface Requester {
  /** The same for all sessions and tokens of a user, and for all visits to a link from one address. */
  id: string
  /** The company: its staff, or all recipients of its links. */
  group: string
  /** Whether the client has closed its connection. */
  isGone: () => boolean
  /** The most rows to read for one reply. */
  maxRows: number
  /** Whether the caller already has a seat, so that a scan takes none. */
  isSeated?: boolean
}

/** Part of every request that reads rows. */
export interface WithRequester {
  requester: Requester
}

/** The server itself, for work that no client waits for. */
export const systemRequester: Requester = {
  id: '',
  group: '',
  isGone: () => false,
  maxRows: Number.POSITIVE_INFINITY,
  isSeated: true,
}

/** The size of a slice. Within these bounds it adapts to how long the last slice took. */
const sliceRows = { min: 250, max: 2000 }
const sliceMs = 8
/** After this long a caller gets what was found so far, however busy the server is. */
const maxMs = 5000

const takeSeat = createSeats({ all: 4096, group: 32, each: 16 }, () => new AppError('server.busy', { retryAfterSeconds: 1 }))

/** Runs a slice of a scan in its caller's turn. Throws `server.busy` when the caller has too many running scans. */
export async function runSlice<T>({ id, group, isSeated = false }: Requester, slice: () => Promise<T>): Promise<T> {
  using _seat = isSeated ? undefined : takeSeat(id, group)
  return runInTurn(id, slice)
}

interface Slice<Row, Key> {
  rows: Row[]
  /** Where the next slice begins; undefined after the last row. */
  end: Key | undefined
}

/**
 * Reads rows that no index finds, slice by slice, so that other requests are served in between. Stops when `want` rows are
 * found, all are read, the client is gone or a limit is reached. `end` is where to resume; it is undefined when everything was
 * read. A first slice of `first` rows does not wait for its turn: most lists need only that one.
 */
export async function scan<Row, Key>(
  requester: Requester,
  { want, first }: { want: number; first?: number | undefined },
  read: (after: Key | undefined, size: number, want: number) => Promise<Slice<Row, Key>>,
): Promise<Slice<Row, Key>> {
  const startedAt = performance.now()
  const found: Slice<Row, Key> = first === undefined ? { rows: [], end: undefined } : await read(undefined, first, want)
  let scanned = first ?? 0
  let size = sliceRows.min
  if (first !== undefined && isDone()) return found
  using _seat = requester.isSeated ? undefined : takeSeat(requester.id, requester.group)
  do {
    const { rows, end } = await runInTurn(requester.id, readSlice)
    found.rows.push(...rows)
    found.end = end
  } while (!isDone())
  return found

  function isDone() {
    const isOver = requester.isGone() || scanned >= requester.maxRows || performance.now() - startedAt > maxMs
    return found.end === undefined || found.rows.length >= want || isOver
  }

  async function readSlice() {
    const sliceStartedAt = performance.now()
    const slice = await read(found.end, size, want - found.rows.length)
    scanned += size
    const fitting = Math.round((size * sliceMs) / Math.max(performance.now() - sliceStartedAt, 1))
    size = Math.min(Math.max(fitting, sliceRows.min), size * 2, sliceRows.max)
    return slice
  }
}
