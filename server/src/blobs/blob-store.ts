import type { Readable, Writable } from 'node:stream'
import type { ByteRange } from '../lib/net/byte-range.ts'

/**
 * Stores the bytes of files under ids made by `newId`, never under user input. An upload grows until it is finished; from then
 * on it is a blob, which is immutable and can only be removed.
 *
 * Every implementation guarantees the following, and blob-store.suite.ts tests it:
 *
 * - A blob exists completely or not at all. `finish` resolves only once the bytes and their directory entry survive a power loss.
 * - Bytes that `append` acknowledged survive a killed process. `getReceivedSize` never returns more than is stored, even after a cut
 *   connection or a kill. After a power loss it may return less; the client then sends that part again.
 * - Memory use does not depend on the size of a file, in either direction. No descriptors leak when a client disconnects.
 * - Errors that a caller can handle are BlobErrors. Any other error, such as EIO, is rethrown unchanged.
 * - A remote store may throw `unavailable` from any call. The outcome is then unknown, and a retry settles it.
 *
 * Only one process may write to an upload at a time. The store rejects a second writer in the same process. With several nodes,
 * a caller must hold the lease on the upload's database row before it appends, finishes or discards.
 */
export interface BlobStore {
  /** Stores a complete upload in one call. If it fails, nothing is kept. Faults: those of `append` and `finish`. */
  put(id: string, source: Readable, options: PutOptions): Promise<StoredBlob>
  /**
   * Creates an empty upload. Throws if an upload with this id exists. If a blob with it exists, this or `finish` may throw, and the blob is
   * never replaced.
   */
  create(id: string): Promise<void>
  /**
   * Appends the bytes of a source to an upload and returns the new size. If it fails, the bytes received so far are kept. The
   * source stays open, so that the caller can still respond on the same connection.
   * Stops before the disk is full: see `getMinFreeBytes`.
   * Faults: `missing`, `busy`, `wrong_offset`, `too_large` (keeps the bytes that fit), `cut`, `no_space`.
   */
  append(id: string, source: Readable, options: AppendOptions): Promise<number>
  /** Truncates an upload to this size, to undo an append whose bytes turned out to be wrong. Faults: `missing`, `busy`. */
  rewind(id: string, size: number): Promise<void>
  /** Returns the current size of an upload, finished or not. It grows while an append runs. Faults: `missing`. */
  getReceivedSize(id: string): Promise<number>
  /**
   * Turns an upload into a blob. Idempotent: if the process dies before the caller has recorded the result, finishing again
   * returns the same. If fsync fails, the bytes are discarded, because a second fsync may succeed although they are lost.
   * Faults: `missing`, `busy`, `no_space` (which keeps the upload).
   */
  finish(id: string): Promise<StoredBlob>
  /** Removes an unfinished upload, if it exists. Faults: `busy`. */
  discard(id: string): Promise<void>
  /** Opens a blob. Faults: `damaged`, if it is missing or has a different size. */
  open(id: string, size: number): Promise<OpenBlob>
  /** Removes a blob, if it exists. On a disk, readers that have it open can still read it to its end. */
  remove(id: string): Promise<void>
  /** Returns the free and total bytes. Infinite for a store without a fixed capacity. */
  getSpace(): Promise<{ free: number; total: number }>
  /** Throws if the store is not writable: a failing disk turns read-only. */
  check(): Promise<void>
  /** Lists the ids of all unfinished uploads, for the sweep. */
  listUploads(): AsyncIterable<string>
  /** Lists the ids of all blobs, for the sweep and `neptune fsck`. */
  listBlobs(): AsyncIterable<string>
  /** Returns the size of a blob, or undefined if it doesn't exist. `neptune fsck` calls it for every blob. */
  getSize(id: string): Promise<number | undefined>
  /** Lists everything in the store that is neither an upload nor a blob, including blobs at the wrong path. */
  listStrays(): AsyncIterable<Stray>
  removeStray(path: string): Promise<void>
  /** Returns when an upload or a blob last grew or moved. Not part of the listings, because only unknown ids need it. */
  getChangeTime(id: string): Promise<Date | undefined>
  /** Returns the path of a blob within the store, for a proxy that sends the file itself. Only for files on a disk. */
  getRelativePath?(id: string): string
  /** Returns a presigned URL that downloads a blob directly from the store, under this name. Only for object stores. */
  presignDownload?(id: string, as: { name: string; type: string; seconds: number }): Promise<string>
  /**
   * Returns a presigned URL for uploading the next bytes directly to the store, and how many bytes it accepts. Returns undefined
   * if they must go through `append`. Only for object stores. Faults: those of `append`.
   */
  openPart?(id: string, part: { offset: number; maxSize: number; seconds: number }): Promise<OpenPart | undefined>
  /** Verifies that the bytes of a part are in the store, and returns the upload's new size. Faults: `missing`, `wrong_offset`. */
  closePart?(id: string, number: number): Promise<number>
}

interface OpenPart {
  number: number
  size: number
  url: string
}

export interface Stray {
  path: string
  /** Whether this is a symbolic link, which an operator created. It may point to a folder with blobs, so it must never be removed. */
  isLink: boolean
}

/** Returns how much of a disk stays free, so that people can still sign in and delete files when it is full. */
export const getMinFreeBytes = (total: number) => Math.min(2 ** 30, total / 20)

export interface AppendOptions {
  /** The size that the upload has according to the caller. If its actual size differs, the append fails with `wrong_offset`. */
  offset: number
  /** The maximum size of the upload. */
  maxSize: number
  /** Aborts the append as if the connection had been cut. */
  signal?: AbortSignal
  /** Called before the upload grows to this size. If it throws, the append fails with `cut`, with that error as its cause. */
  reserve?: (size: number) => Promise<void> | void
}

interface PutOptions extends Omit<AppendOptions, 'offset' | 'reserve'> {
  /** About how many bytes will follow, if the request says so. A large upload is hashed in a thread. */
  announcedBytes?: number
  /** Resolves once the request that contains the bytes, such as a form, has arrived completely. The blob is kept only then. */
  completed?: Promise<void>
}

export interface StoredBlob {
  size: number
  /** In hexadecimal. */
  sha256: string
  crc32: number
  /** The first bytes, for detecting the file's type. */
  head: Buffer
}

/** A blob opened for reading. Close it, or use `await using`. */
export interface OpenBlob extends AsyncDisposable {
  /** Returns a stream of these bytes, which closes the blob at its end. If bytes are missing, the stream fails. */
  read(range?: ByteRange): Readable
  /**
   * Writes these bytes to a socket, a response or a file, at a third of the cost of a stream. Doesn't end `to`. Fails with `cut` if
   * the other side disconnects. Buffers are reused after the write callback, so `to` must not keep them: sockets and files
   * don't, but a PassThrough does.
   */
  sendTo(to: Writable, range?: ByteRange): Promise<void>
  close(): Promise<void>
}

const faults = {
  busy: 'Another request is writing to this upload',
  missing: 'The upload does not exist',
  wrong_offset: 'The offset does not match the size of the upload',
  too_large: 'The upload exceeds its maximum size',
  no_space: 'No space left in the store',
  cut: 'The connection was cut before all bytes arrived',
  damaged: 'The stored bytes are missing or their number is wrong',
  unavailable: 'The store is unavailable, even after retries',
}

export type BlobFault = keyof typeof faults

export class BlobError extends Error {
  override name = 'BlobError'
  readonly fault: BlobFault

  constructor(fault: BlobFault, options?: ErrorOptions) {
    super(faults[fault], options)
    this.fault = fault
  }
}
