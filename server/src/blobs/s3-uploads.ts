import { BlobError } from './blob-store.ts'
import type { Exclusively } from './one-at-a-time.ts'
import type { S3Client } from './s3-client.ts'
import type { S3Objects } from './s3-objects.ts'
import { type Parts, partsAtOnce } from './s3-parts.ts'
import type { Tallies } from './tallies.ts'
import type { Tally } from './tally.ts'

/** What everything has that works on uploads. */
export interface S3 {
  client: S3Client
  objects: S3Objects
  states: UploadStates
  spoolDir: string
  /** Each marked with the version of the row that it is true of. */
  tallies: Tallies
  exclusively: Exclusively
}

/**
 * Where uploads stand: rows in the database, because every node must see the same at once, and a store may be slow to agree with itself.
 */
export interface UploadStates {
  /** Fails when there is one. */
  create(id: string, row: StateRow): Promise<void>
  find(id: string): Promise<(StateRow & { version: number; changedAt: Date }) | undefined>
  /** Makes it the next version. False when it has another version than this by now, or is gone. */
  save(id: string, version: number, row: StateRow): Promise<boolean>
  remove(id: string): Promise<void>
  /** Ids in their order, a page at a time. */
  list(after: string, count: number): Promise<string[]>
}

interface StateRow {
  size: number
  state: string
}

/** The last bytes of an upload, too few to be a part, as an object of their own. */
export interface Tail {
  key: string
  size: number
  sha256: string
}

interface State extends Parts {
  tail?: Tail | undefined
  /** Bytes that somebody else may be putting into the store, as an object of their own, to be a part. */
  awaited?: { number: number; key: string; size: number; offset: number } | undefined
  /** Where the last append began: that far an upload can be rewound. */
  before: { size: number; parts: number; tail?: Tail | undefined }
  /** Whoever wrote it last has not said that they are done. */
  isOpen: boolean
  /** Somebody once did not: there may be more at the store than is named here. */
  isTorn: boolean
}

/** An upload that is ours until somebody else claims it. */
export interface Claim {
  id: string
  version: number
  state: State
  /** A tail that is named no longer. */
  dropped: Tail | undefined
}

export const sizeOf = ({ parts, tail }: Pick<State, 'parts' | 'tail'>) =>
  parts.reduce((sum, part) => sum + part.size, tail?.size ?? 0)

export const tailsOf = ({ tail, before }: State): Tail[] => [tail, before.tail].filter((tail) => tail !== undefined)

export const newState = (): StateRow => rowOf({ parts: [], next: 1, before: { size: 0, parts: 0 }, isOpen: false, isTorn: false })

const rowOf = (state: State): StateRow => ({ size: sizeOf(state), state: JSON.stringify(state) })

/** Whoever had it before can save nothing from now on, and stops. With an `offset`, an append begins there, or fails. */
export async function claim(states: UploadStates, id: string, offset?: number): Promise<Claim> {
  const row = await states.find(id)
  if (!row) throw new BlobError('missing')
  if (offset !== undefined && offset !== row.size) throw new BlobError('wrong_offset')
  const state: State = JSON.parse(row.state)
  if (state.isOpen) {
    state.isTorn = true
    state.next += partsAtOnce // they may still have parts on their way, under these numbers
  }
  state.isOpen = true
  const dropped = offset === undefined || state.before.tail?.key === state.tail?.key ? undefined : state.before.tail
  if (offset !== undefined) state.before = { size: offset, parts: state.parts.length, tail: state.tail }
  const claimed = { id, version: row.version, state, dropped }
  await save(states, claimed)
  return claimed
}

export async function save(states: UploadStates, claimed: Claim): Promise<void> {
  if (!(await states.save(claimed.id, claimed.version, rowOf(claimed.state)))) throw new BlobError('busy')
  claimed.version++
}

/** The sums so far, if nobody else has written since. To be asked right after the upload was claimed. */
export const takeTally = (tallies: Tallies, { id, version, state }: Claim): Tally | undefined =>
  tallies.take(id, sizeOf(state), version - 1)

export function keepTally(tallies: Tallies, { id, version, state }: Claim, tally: Tally | undefined) {
  if (tally?.size === sizeOf(state)) tallies.keep(id, tally, version)
}
