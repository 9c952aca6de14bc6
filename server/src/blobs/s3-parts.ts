import { BlobError } from './blob-store.ts'
import { lengthOf, sliceOf } from './receive.ts'
import type { Part, S3Objects } from './s3-objects.ts'
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

export type PartSender = ReturnType<typeof partSender>

/** Cuts bytes into parts and sends each when it is full. What is not a full part yet is its `rest`. */
export function partSender({ objects, key, spoolDir, upload, rest, maxSize, tally, onPart }: Sending) {
  let size = upload.parts.reduce((sum, part) => sum + part.size, rest?.size ?? 0)
  let begun = upload.parts.length
  // Only the last part may be a small one, so nothing can come after it.
  const isWhole = begun > 0 && upload.parts[begun - 1]?.size !== partSize(begun - 1)
  const limit = isWhole ? size : Math.min(maxSize, objectMax)
  let last = Promise.resolve()
  const sending: Promise<void>[] = []

  /** What is left becomes the next part. */
  async function sendRest() {
    if (!rest) return
    upload.uploadId ??= await objects.begin(key)
    last = send(upload.uploadId, rest, last)
    rest = undefined
    begun++
    last.catch(() => {}) // seen where it is awaited, which may be later
    sending.push(last)
    if (sending.length === partsAtOnce) await sending.shift()
  }

  async function send(uploadId: string, spool: Spool, before: Promise<void>) {
    try {
      const sent = putPart(uploadId, upload.next++, spool)
      await Promise.allSettled([sent, before])
      await before
      upload.parts.push(await sent)
      await onPart?.()
    } finally {
      await spool.close()
    }
  }

  const putPart = async (uploadId: string, number: number, spool: Spool) =>
    objects.putPart(key, uploadId, number, await spool.body())

  return {
    /** How many bytes there are in all. */
    get size() {
      return size
    },
    get rest() {
      return rest
    },
    sendRest,
    /** Whether the rest is as large as a part may be. */
    isFull: () => rest?.size === partSize(begun),

    async take(batches: AsyncIterable<Buffer[]>) {
      for await (const batch of batches) {
        const fits = sliceOf(batch, 0, limit - size)
        tally?.add(fits)
        for (let left = fits; left.length > 0; ) {
          if (rest?.size === partSize(begun)) await sendRest()
          rest ??= await openSpool(spoolDir)
          const piece = sliceOf(left, 0, partSize(begun) - rest.size)
          left = sliceOf(left, lengthOf(piece))
          await rest.add(piece)
        }
        size += lengthOf(fits)
        if (lengthOf(fits) < lengthOf(batch)) throw new BlobError('too_large')
      }
    },

    /** Until all that was sent is safe. */
    settled: () => last,

    /** At the end, whichever it was. */
    async close() {
      await last.catch(() => {})
      await rest?.close()
      rest = undefined
    },
  }
}
