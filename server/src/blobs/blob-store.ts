import type { Readable, Writable } from 'node:stream'
import type { ByteRange } from '../lib/byte-range.ts'

/**
 * Where the bytes of files live, by ids that `newId` made: never by anything a person typed. An upload grows until it is finished;
 * from then on it is a blob, which is never changed, only removed.
 *
 * What every implementation promises, and blob-store.suite.ts checks:
 *
 * - A blob is there whole or not at all. `finish` answers only when the bytes and the way to them survive a loss of power.
 * - What `append` acknowledged survives a kill of the process, and `received` never tells more than is really kept: not after
 *   a cut connection, not after a kill. After a loss of power it may tell less; then the client sends that part again.
 * - Memory stays flat whatever the size, in both directions, and nothing is left open whenever a client goes away.
 * - What goes wrong is a BlobError where the caller can do something about it. Anything else (EIO, say) is thrown as it came.
 * - A store that is not on this machine may be `unavailable` at any call. Nobody knows then what became of it, and another try settles it.
 *
 * One process at a time works on an upload, and the store refuses a second one that comes by the same process. Once there is more
 * than one node, whoever appends, finishes or discards must first hold a lease on the upload's row in the database.
 */
export interface BlobStore {
  /**
   * A whole upload in one go: a blob at the end, or nothing at all. `whole` settles when everything around the bytes came to its proper
   * end, too. Faults: those of `append` and `finish`.
   */
  put(id: string, source: Readable, options: PutOptions): Promise<Stored>
  /** Begins an upload. An id is used once: beginning a second time with it fails. */
  create(id: string): Promise<void>
  /**
   * Adds what the source brings to the end of an upload, and returns how many bytes it has now. Whatever ends it, the bytes that
   * came before are kept. The source is left open, so that the caller can still answer on the same connection.
   * It stops before the last of the space is used up: see `reserveOf`.
   * Faults: `missing`, `busy`, `wrong_offset`, `too_large` (what fits is kept), `cut`, `no_space`.
   */
  append(id: string, source: Readable, options: AppendOptions): Promise<number>
  /** Takes back what was added beyond this size, because it turned out to be wrong. Faults: `missing`, `busy`. */
  rewind(id: string, size: number): Promise<void>
  /** How many bytes an upload has; also one that was finished already. While an append runs, this number grows. Faults: `missing`. */
  received(id: string): Promise<number>
  /**
   * Makes an upload a blob. If the process dies before the caller has noted that down, finishing again gives the same answer.
   * When the disk refuses to say that the bytes are safe, they are thrown away: asking twice could get a false yes.
   * Faults: `missing`, `busy`, `no_space` (which keeps the upload).
   */
  finish(id: string): Promise<Stored>
  /** Throws an upload away; one that is not there is fine. Faults: `busy`. */
  discard(id: string): Promise<void>
  /** Opens a blob of this size. Faults: `damaged`, if it is not there or its size is another. */
  open(id: string, size: number): Promise<OpenBlob>
  /** Removes a blob; one that is not there is fine. Who is reading it reads on to its end where the store can do that: a disk can. */
  remove(id: string): Promise<void>
  /** How much may still be stored. Infinite where the store has no walls. */
  space(): Promise<{ free: number; total: number }>
  /** Throws when nothing can be stored any more: a disk that fails turns read-only. */
  check(): Promise<void>
  /** The id of every upload that is not finished. For the sweep. */
  uploads(): AsyncIterable<string>
  /** The id of every blob. For the sweep and the check. */
  blobs(): AsyncIterable<string>
  /** How many bytes a blob has; undefined when it is not there. For the check, which asks it of every one. */
  sizeOf(id: string): Promise<number | undefined>
  /** Whatever else lies where uploads and blobs are, by its place there: nothing of ours, or ours in the wrong place. */
  strays(): AsyncIterable<Stray>
  removeStray(place: string): Promise<void>
  /** When an upload or a blob last grew or moved. Asked only of what nobody knows, so listing a million stays cheap. */
  changedAt(id: string): Promise<Date | undefined>
  /** Where a blob is among all of them, for somebody else who can read them. Only where they are files. */
  placeOf?(id: string): string
  /**
   * An address from which anybody may download a blob for a while, under this name, without passing through us. Only where the store
   * can do that.
   */
  link?(id: string, as: { name: string; type: string; seconds: number }): Promise<string>
  /**
   * An address to which the next bytes of an upload may be put without passing through us, and how many; undefined when they must come by
   * `append`. Only where the store can do that. Faults: those of `append`.
   */
  openPart?(id: string, part: { offset: number; maxSize: number; seconds: number }): Promise<OpenPart | undefined>
  /** Told that they are there, asks the store, and returns how many bytes the upload has now. Faults: `missing`, `wrong_offset`. */
  closePart?(id: string, number: number): Promise<number>
}

interface OpenPart {
  number: number
  size: number
  url: string
}

export interface Stray {
  place: string
  /** An operator made it, and it may lead to where blobs are: never to be removed. */
  isLink: boolean
}

/** A little is kept free, so that a full disk does not keep people from signing in and deleting. */
export const reserveOf = (total: number) => Math.min(2 ** 30, total / 20)

export interface AppendOptions {
  /** How many bytes the caller believes are there. Anything else is `wrong_offset`. */
  offset: number
  /** How many bytes the upload may have in all. */
  maxSize: number
  /** Stops it like a cut connection. */
  signal?: AbortSignal
  /**
   * Called before the upload grows to this size. If it throws, the append ends like one whose connection was cut, with the
   * error as its cause.
   */
  reserve?: (size: number) => Promise<void> | void
}

interface PutOptions extends Omit<AppendOptions, 'offset' | 'reserve'> {
  whole?: Promise<void>
}

/** What is known of a blob once it is finished. */
export interface Stored {
  size: number
  /** In hexadecimal. */
  sha256: string
  crc32: number
  /** The first bytes, by which the type of a file is told. */
  head: Buffer
}

/** A blob found whole. Close it, or let `await using` do so. */
export interface OpenBlob extends AsyncDisposable {
  /** These bytes as a stream, which closes the blob at its end. One that turns out shorter is an error, never an early end. */
  read(range?: ByteRange): Readable
  /**
   * Writes these bytes into a socket, a response or a file, at a third of the cost of a stream, and does not end it. Fails with `cut`
   * if the other side goes away. The buffers are used again once their write has called back, so `to` must not keep them:
   * sockets and files do not, a PassThrough does.
   */
  sendTo(to: Writable, range?: ByteRange): Promise<void>
  close(): Promise<void>
}

const faults = {
  busy: 'Somebody else is writing this upload',
  missing: 'There is no such upload',
  wrong_offset: 'The upload has another size than the caller believes',
  too_large: 'The upload is larger than it may be',
  no_space: 'There is no space left to store this',
  cut: 'The connection ended before everything was sent',
  damaged: 'The stored bytes are missing or not as many as they were',
  unavailable: 'The store does not answer as it should, though it was asked more than once',
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
