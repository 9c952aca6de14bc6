import { AppError } from '../app-error.ts'
import { createCallerLimits } from './caller-limits.ts'
import { runInTurn } from './run-in-turn.ts'

/** The caller that rows are read for. */
export interface Requester {
  /** The same for all sessions and tokens of a user, and for all visits to a link from one address. */
  id: string
  /** The company: its staff, or all recipients of its links. */
  group: string
  /** Whether the client has closed its connection. */
  isGone: () => boolean
  /** The maximum number of rows to read for one reply. */
  maxRows: number
  /** Whether the caller already has a slot, so that a scan takes none. */
  hasSlot?: boolean
}

/** The options of every function that scans rows for a caller. */
export interface WithRequester {
  requester: Requester
}

/** The server itself, for work that no client waits for. */
export const systemRequester: Requester = {
  id: '',
  group: '',
  isGone: () => false,
  maxRows: Number.POSITIVE_INFINITY,
  hasSlot: true,
}

/** The bounds for the size of a slice, which adapts to how long the last slice took. */
const sliceRows = { min: 250, max: 2000 }
const targetSliceMs = 8
/** After this long a caller gets what was found so far, however busy the server is. */
const scanTimeoutMs = 5000

const takeSlot = createCallerLimits(
  { total: 4096, perGroup: 32, perCaller: 16 },
  () => new AppError('server.busy', { retryAfterSeconds: 1 }),
)

/** Runs a slice of a scan in its caller's turn. Throws `server.busy` when the caller has too many running scans. */
export async function runSlice<T>({ id, group, hasSlot = false }: Requester, slice: () => Promise<T>): Promise<T> {
  using _slot = hasSlot ? undefined : takeSlot(id, group)
  return runInTurn(id, slice)
}

interface Slice<Row, Key> {
  rows: Row[]
  /** Where the next slice begins; undefined after the last row. */
  end: Key | undefined
}

/**
 * Reads rows that no index finds, slice by slice, so that other requests are served in between. Stops when `rowCount` rows are
 * found, all are read, the client is gone or a limit is reached. `end` is where to resume; it is undefined when everything was
 * read. With `firstSliceRows`, the first slice has this size and does not wait for its turn: most lists need only that one.
 */
export async function scan<Row, Key>(
  requester: Requester,
  { rowCount, firstSliceRows }: { rowCount: number; firstSliceRows?: number | undefined },
  read: (after: Key | undefined, size: number, rowCount: number) => Promise<Slice<Row, Key>>,
): Promise<Slice<Row, Key>> {
  const startedAt = performance.now()
  const found: Slice<Row, Key> =
    firstSliceRows === undefined ? { rows: [], end: undefined } : await read(undefined, firstSliceRows, rowCount)
  let scanned = firstSliceRows ?? 0
  let size = sliceRows.min
  if (firstSliceRows !== undefined && isDone()) return found
  using _slot = requester.hasSlot ? undefined : takeSlot(requester.id, requester.group)
  do {
    const { rows, end } = await runInTurn(requester.id, readSlice)
    found.rows.push(...rows)
    found.end = end
  } while (!isDone())
  return found

  function isDone() {
    const isOver = requester.isGone() || scanned >= requester.maxRows || performance.now() - startedAt > scanTimeoutMs
    return found.end === undefined || found.rows.length >= rowCount || isOver
  }

  async function readSlice() {
    const sliceStartedAt = performance.now()
    const slice = await read(found.end, size, rowCount - found.rows.length)
    scanned += size
    const adaptedSize = Math.round((size * targetSliceMs) / Math.max(performance.now() - sliceStartedAt, 1))
    size = Math.min(Math.max(adaptedSize, sliceRows.min), size * 2, sliceRows.max)
    return slice
  }
}
