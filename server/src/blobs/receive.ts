import { BlobError } from './blob-store.ts'
import type { Tally } from './tally.ts'

/** What is needed of a file to write to it. */
interface Writable {
  writev(chunks: Buffer[], position: number): Promise<{ bytesWritten: number }>
}

export interface Receiving {
  file: Writable
  /** Where the file ends now. */
  offset: number
  maxSize: number
  tally: Tally | undefined
  /** Asked again every so many bytes. Throws when there is no room for more. */
  room: { check: () => Promise<void>; every: number }
  /** Up to where there is room, as was asked before. */
  checkedAt?: number
}

/**
 * Adds batches to the end of a file and returns its new size. One write at a time, each behind the last: two at once could leave a hole
 * if the process is killed, and the size of the file would lie. Sums are taken of one batch while the one before is written.
 */
export async function receive(
  batches: AsyncIterable<Buffer[]>,
  { file, offset, maxSize, tally, room, checkedAt = Number.NEGATIVE_INFINITY }: Receiving,
): Promise<number> {
  let position = offset
  let writing = Promise.resolve()
  let roomAt = checkedAt
  try {
    for await (const batch of batches) {
      const fits = sliceOf(batch, 0, maxSize - position)
      tally?.add(fits)
      await writing
      if (position - roomAt >= room.every) {
        await room.check()
        roomAt = position
      }
      writing = writeAll(file, fits, position)
      writing.catch(() => {}) // seen where it is awaited, which may be later
      position += lengthOf(fits)
      if (lengthOf(fits) < lengthOf(batch)) throw new BlobError('too_large')
    }
  } finally {
    await writing
  }
  return position
}

/** A write may take less than it was given, when the disk is nearly full, say. The next one then tells why. */
export async function writeAll(file: Writable, chunks: Buffer[], position: number): Promise<void> {
  if (chunks.length === 0) return
  const { bytesWritten } = await file.writev(chunks, position)
  await writeAll(file, sliceOf(chunks, bytesWritten), position + bytesWritten)
}

export const lengthOf = (chunks: Buffer[]) => chunks.reduce((sum, chunk) => sum + chunk.length, 0)

/** As slice(), of bytes that lie in several buffers. */
export function sliceOf(chunks: Buffer[], start: number, end = Infinity): Buffer[] {
  let at = 0
  return chunks.flatMap((chunk) => {
    const piece = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at))
    at += chunk.length
    return piece.length > 0 ? [piece] : []
  })
}
