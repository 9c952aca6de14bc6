import { BlobError } from './blob-store.ts'
import { lengthOf, sliceOf } from './receive.ts'
import type { Part } from './s3-multipart.ts'
import type { S3Objects } from './s3-objects.ts'
import { openSpool, type Spool } from './s3-spool.ts'
import type { Tally } from './tally.ts'

/** What is known of an object whose parts are on their way. */
export interface Parts {
  /** By which the store knows it. There is none until the first part is full. */
  uploadId?: string
  parts: Part[]
  /** The number of the next part. None is used twice: a store that is slow to agree with itself might give back the bytes before. */
  next: number
}

/** The largest object of S3. */
const objectMax = 5 * 2 ** 40

/** Twice as large after every thousand, so that ten thousand, the most there may be, are enough for the largest object. */
export const partSize = (index: number) => 8 * 2 ** 20 * 2 ** Math.floor(index / 1000)

/** How many parts are on their way at a time: while they are sent, the next one gathers. */
export const partsAtOnce = 2

interface Sending {
  objects: S3Objects
  key: string
  spoolDir: string
  upload: Parts
  /** Bytes that were there before, not yet a part. */
  rest?: Spool | undefined
  maxSize: number
  tally: Tally | undefined
  /** Called whenever another part is safe, one after the other, in their order. */
  onPart?: () => Promise<void>
}

/** Cuts bytes into parts and sends each when it is full. What is not a full part yet is its `rest`. */
export class PartSender {
  readonly #options: Sending
  readonly #limit: number
  readonly #sending: Promise<void>[] = []
  #size: number
  #begun: number
  #rest: Spool | undefined
  #last = Promise.resolve()

  constructor(options: Sending) {
    const { upload, rest, maxSize } = options
    this.#options = options
    this.#rest = rest
    this.#size = upload.parts.reduce((sum, part) => sum + part.size, rest?.size ?? 0)
    this.#begun = upload.parts.length
    // Only the last part may be a small one, so nothing can come after it.
    const isWhole = this.#begun > 0 && upload.parts[this.#begun - 1]?.size !== partSize(this.#begun - 1)
    this.#limit = isWhole ? this.#size : Math.min(maxSize, objectMax)
  }

  /** How many bytes there are in all. */
  get size() {
    return this.#size
  }

  get rest() {
    return this.#rest
  }

  /** Whether the rest is as large as a part may be. */
  isFull() {
    return this.#rest?.size === partSize(this.#begun)
  }

  async take(batches: AsyncIterable<Buffer[]>) {
    for await (const batch of batches) {
      const fits = sliceOf(batch, 0, this.#limit - this.#size)
      this.#options.tally?.add(fits)
      for (let left = fits; left.length > 0; ) {
        if (this.isFull()) await this.sendRest()
        this.#rest ??= await openSpool(this.#options.spoolDir)
        const piece = sliceOf(left, 0, partSize(this.#begun) - this.#rest.size)
        left = sliceOf(left, lengthOf(piece))
        await this.#rest.add(piece)
      }
      this.#size += lengthOf(fits)
      if (lengthOf(fits) < lengthOf(batch)) throw new BlobError('too_large')
    }
  }

  /** What is left becomes the next part. */
  async sendRest() {
    if (!this.#rest) return
    const { objects, key, upload } = this.#options
    upload.uploadId ??= await objects.begin(key)
    this.#last = this.#send(upload.uploadId, this.#rest, this.#last)
    this.#rest = undefined
    this.#begun++
    this.#last.catch(() => {}) // seen where it is awaited, which may be later
    this.#sending.push(this.#last)
    if (this.#sending.length === partsAtOnce) await this.#sending.shift()
  }

  async #send(uploadId: string, spool: Spool, before: Promise<void>) {
    const { upload, onPart } = this.#options
    try {
      const sent = this.#putPart(uploadId, upload.next++, spool)
      await Promise.allSettled([sent, before])
      await before
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

  /** Until all that was sent is safe. */
  settled() {
    return this.#last
  }

  /** At the end, whichever it was. */
  async close() {
    await this.#last.catch(() => {})
    await this.#rest?.close()
    this.#rest = undefined
  }
}
