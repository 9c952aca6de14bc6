import { BlobError } from '../blob-store.ts'
import type { Checksums } from '../streaming/checksums.ts'
import { sliceChunks, sumLengths } from '../streaming/write-batches.ts'
import type { Part } from './client/multipart.ts'
import type { S3Objects } from './objects.ts'
import { openSpool, type Spool } from './spool.ts'

/** The state of a multipart upload. Resumable uploads save it as JSON, so its fields must not be renamed. */
export interface MultipartState {
  /** The id that S3 assigned. Undefined before the first part. */
  uploadId?: string
  parts: Part[]
  /** The next part number. No number is used twice, because an eventually consistent store might return the older bytes. */
  next: number
}

/** The maximum size of an S3 object. */
const maxObjectBytes = 5 * 2 ** 40

/**
 * Returns the size of a part. It doubles after every thousand parts, so that S3's limit of ten thousand parts suffices for
 * the largest object.
 */
export const getPartSize = (index: number) => 8 * 2 ** 20 * 2 ** Math.floor(index / 1000)

/** The maximum number of parts in flight. At this number, collecting pauses until the oldest part is stored. */
export const maxConcurrentParts = 2

interface PartSenderOptions {
  objects: S3Objects
  key: string
  spoolDir: string
  upload: MultipartState
  /** The bytes of earlier requests that are not a part yet. */
  rest?: Spool | undefined
  maxSize: number
  checksums: Checksums | undefined
  /** Called after each stored part, in the order of the parts, one call at a time. */
  onPart?: () => Promise<void>
}

/** Splits bytes into parts and sends each one when it is full. The bytes collected for the next part are in `rest`. */
export class PartSender {
  readonly #options: PartSenderOptions
  readonly #maxSize: number
  readonly #sending: Promise<void>[] = []
  #size: number
  #startedParts: number
  #rest: Spool | undefined
  #lastSend = Promise.resolve()

  constructor(options: PartSenderOptions) {
    const { upload, rest, maxSize } = options
    this.#options = options
    this.#rest = rest
    this.#size = upload.parts.reduce((sum, part) => sum + part.size, rest?.size ?? 0)
    this.#startedParts = upload.parts.length
    // Only the last part may be shorter than its full size, so a short part means that the upload is complete.
    const isComplete =
      this.#startedParts > 0 && upload.parts[this.#startedParts - 1]?.size !== getPartSize(this.#startedParts - 1)
    this.#maxSize = isComplete ? this.#size : Math.min(maxSize, maxObjectBytes)
  }

  /** The total size so far, including the rest. */
  get size() {
    return this.#size
  }

  get rest() {
    return this.#rest
  }

  /** Returns whether `rest` has the full size of a part. */
  isFull() {
    return this.#rest?.size === getPartSize(this.#startedParts)
  }

  async sendBatches(batches: AsyncIterable<Buffer[]>) {
    for await (const batch of batches) {
      const accepted = sliceChunks(batch, 0, this.#maxSize - this.#size)
      this.#options.checksums?.add(accepted)
      for (let left = accepted; left.length > 0; ) {
        if (this.isFull()) await this.sendRest()
        this.#rest ??= await openSpool(this.#options.spoolDir)
        const piece = sliceChunks(left, 0, getPartSize(this.#startedParts) - this.#rest.size)
        left = sliceChunks(left, sumLengths(piece))
        await this.#rest.add(piece)
      }
      this.#size += sumLengths(accepted)
      if (sumLengths(accepted) < sumLengths(batch)) throw new BlobError('too_large')
    }
  }

  /** Sends the rest as the next part. */
  async sendRest() {
    if (!this.#rest) return
    const { objects, key, upload } = this.#options
    upload.uploadId ??= await objects.begin(key)
    this.#lastSend = this.#send(upload.uploadId, this.#rest, this.#lastSend)
    this.#rest = undefined
    this.#startedParts++
    this.#lastSend.catch(() => {}) // handled where it is awaited, which may be later
    this.#sending.push(this.#lastSend)
    if (this.#sending.length === maxConcurrentParts) await this.#sending.shift()
  }

  async #send(uploadId: string, spool: Spool, previous: Promise<void>) {
    const { upload, onPart } = this.#options
    try {
      const sent = this.#putPart(uploadId, upload.next++, spool)
      await Promise.allSettled([sent, previous])
      await previous
      upload.parts.push(await sent)
      await onPart?.()
    } finally {
      await spool.close()
    }
  }

  async #putPart(uploadId: string, number: number, spool: Spool) {
    const { objects, key } = this.#options
    return objects.putPart(key, uploadId, number, await spool.body())
  }

  /** Resolves when all parts that were sent are stored. */
  whenStored() {
    return this.#lastSend
  }

  /** Waits for running requests and removes the spool. Always call it at the end. */
  async close() {
    await this.#lastSend.catch(() => {})
    await this.#rest?.close()
    this.#rest = undefined
  }
}
