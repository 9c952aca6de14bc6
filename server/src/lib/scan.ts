import { AppError } from './app-error.ts'
import { inTurn } from './in-turn.ts'
import { createSeats } from './seats.ts'

/** For whom rows are read. */
export interface Requester {
  /** The same for every request of a user, by whatever session or token, and for every visit to a link. */
  id: string
  /** Whether the client has closed its connection. */
  isGone: () => boolean
  /** How many rows may be read for one answer. */
  maxRows: number
  /** Has a seat already, so none is taken for a scan. */
  isSeated?: boolean
}

/** A request to read rows, with whoever sent it. */
export interface Requested {
  requester: Requester
}

/** Work of the server itself, which nobody waits for. */
export const nobody: Requester = { id: '', isGone: () => false, maxRows: Number.POSITIVE_INFINITY, isSeated: true }

/** A slice reads so many rows; how many it is within these bounds depends on how long the last one took. */
const sliceRows = { min: 250, max: 2000 }
const sliceMs = 8
/** After this long a caller gets what was found so far, however busy the others keep us. */
const maxMs = 5000

const takeSeat = createSeats({ all: 256, each: 16 }, () => new AppError('server.busy', { retryAfterSeconds: 1 }))

/** Runs a slice of a scan in its caller's turn. Throws `server.busy` when the caller has too many scans under way. */
export async function sliceOf<T>({ id, isSeated = false }: Requester, slice: () => Promise<T>): Promise<T> {
  using _seat = isSeated ? undefined : takeSeat(id)
  return inTurn(id, slice)
}

interface Slice<Row, Key> {
  rows: Row[]
  /** Where the next slice begins; undefined after the last row. */
  end: Key | undefined
}

/**
 * Reads rows that no index leads to: slice by slice, other requests being answered in between, until `want` are found, all are read, the
 * client is gone or a bound is reached. `end` is where to resume; it is undefined when everything was read. A first slice of `first` rows
 * does not wait for its turn: most lists need no other.
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
  using _seat = requester.isSeated ? undefined : takeSeat(requester.id)
  do {
    const { rows, end } = await inTurn(requester.id, readSlice)
    found.rows.push(...rows)
    found.end = end
  } while (!isDone())
  return found

  function isDone() {
    const isOver = requester.isGone() || scanned >= requester.maxRows || performance.now() - startedAt > maxMs
    return found.end === undefined || found.rows.length >= want || isOver
  }

  async function readSlice() {
    const begun = performance.now()
    const slice = await read(found.end, size, want - found.rows.length)
    scanned += size
    const fitting = Math.round((size * sliceMs) / Math.max(performance.now() - begun, 1))
    size = Math.min(Math.max(fitting, sliceRows.min), size * 2, sliceRows.max)
    return slice
  }
}
