import { BlobError } from '../blob-store.ts'
import type { ChecksumCache } from '../streaming/checksum-cache.ts'
import { Checksums } from '../streaming/checksums.ts'
import type { UploadLock } from '../streaming/upload-lock.ts'
import type { S3Client } from './client/s3-client.ts'
import type { S3Objects } from './objects.ts'
import { type MultipartState, maxConcurrentParts } from './parts.ts'

/** What the methods of the S3 store share. */
export interface S3 {
  client: S3Client
  objects: S3Objects
  states: UploadStates
  spoolDir: string
  /** Keeps checksums together with the version of the row they belong to. */
  checksumCache: ChecksumCache<Checksums>
  withLock: UploadLock
}

/** The states of uploads. They are in the database, because all nodes must agree, and a store may be eventually consistent. */
export interface UploadStates {
  /** Throws if the id exists. */
  create(id: string, row: StateRow): Promise<void>
  find(id: string): Promise<(StateRow & { version: number; changedAt: Date }) | undefined>
  /** Saves the next version. Returns false if the version has changed or the row is gone. */
  save(id: string, version: number, row: StateRow): Promise<boolean>
  remove(id: string): Promise<void>
  /** Lists a page of ids, in order. */
  list(after: string, count: number): Promise<string[]>
}

interface StateRow {
  size: number
  state: string
}

/** An object with the last bytes of an upload, which don't fill a part yet. */
export interface Tail {
  key: string
  size: number
  sha256: string
}

/** Saved as JSON, so its fields must not be renamed. */
interface State extends MultipartState {
  tail?: Tail | undefined
  /** A part that a client may be uploading directly, to an object of its own. */
  awaited?: { number: number; key: string; size: number; offset: number } | undefined
  /** The state at the start of the last append, to which the upload can be rewound. */
  before: { size: number; parts: number; tail?: Tail | undefined }
  /** Whether a writer has claimed the upload and has not finished yet. */
  isOpen: boolean
  /**
   * Whether the store may contain objects that this state doesn't list: after a writer that never finished, a rewind, or a failed removal.
   */
  isTorn: boolean
}

/** An upload that this process may write to, until another process claims it. */
export interface Claim {
  id: string
  version: number
  state: State
  /** A tail that the state no longer references. */
  dropped: Tail | undefined
}

export const computeUploadSize = ({ parts, tail }: Pick<State, 'parts' | 'tail'>) =>
  parts.reduce((sum, part) => sum + part.size, tail?.size ?? 0)

export const listTails = ({ tail, before }: State): Tail[] => [tail, before.tail].filter((tail) => tail !== undefined)

export const createStateRow = (): StateRow =>
  toRow({ parts: [], next: 1, before: { size: 0, parts: 0 }, isOpen: false, isTorn: false })

const toRow = (state: State): StateRow => ({ size: computeUploadSize(state), state: JSON.stringify(state) })

/** Claims an upload. The previous writer can no longer save, and stops. With an `offset`, throws if the size differs. */
export async function claimUpload(states: UploadStates, id: string, offset?: number): Promise<Claim> {
  const row = await states.find(id)
  if (!row) throw new BlobError('missing')
  if (offset !== undefined && offset !== row.size) throw new BlobError('wrong_offset')
  const state: State = JSON.parse(row.state)
  if (state.isOpen) {
    state.isTorn = true
    state.next += maxConcurrentParts // the previous writer may still be sending parts with these numbers
  }
  state.isOpen = true
  const dropped = offset === undefined || state.before.tail?.key === state.tail?.key ? undefined : state.before.tail
  if (offset !== undefined) state.before = { size: offset, parts: state.parts.length, tail: state.tail }
  const claimed = { id, version: row.version, state, dropped }
  await saveClaim(states, claimed)
  return claimed
}

export async function saveClaim(states: UploadStates, claimed: Claim): Promise<void> {
  if (!(await states.save(claimed.id, claimed.version, toRow(claimed.state)))) throw new BlobError('busy')
  claimed.version++
}

/** Returns the checksums so far, if nobody has written since. Call it right after claiming the upload. */
export const takeChecksums = (checksumCache: S3['checksumCache'], { id, version, state }: Claim): Checksums | undefined =>
  checksumCache.take(id, version - 1) ?? (computeUploadSize(state) === 0 ? new Checksums() : undefined)

export function keepChecksums(
  checksumCache: S3['checksumCache'],
  { id, version, state }: Claim,
  checksums: Checksums | undefined,
) {
  if (checksums?.size === computeUploadSize(state)) checksumCache.keep(id, checksums, version)
}
