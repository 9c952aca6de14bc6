import { BlobError } from '../blob-store.ts'
import type { UploadChecksums } from './checksums.ts'

interface WritableFile {
  writev(chunks: Buffer[], position: number): Promise<{ bytesWritten: number }>
}

export interface WriteOptions {
  file: WritableFile
  /** The current size of the file. */
  offset: number
  maxSize: number
  checksums: UploadChecksums | undefined
  /** `run` is called every `intervalBytes`. It throws if there is no space for more. */
  spaceCheck: { run: () => Promise<void>; intervalBytes: number }
  /** The position at which the caller has already checked the space. */
  spaceCheckedAt?: number
}

/**
 * Appends batches to a file and returns its new size. Writes one batch at a time: with two concurrent writes, a kill could leave
 * a hole, and the size of the file would be wrong. Each batch is hashed while the previous one is written, or after it in a thread.
 */
export async function writeBatches(
  batches: AsyncIterable<Buffer[]>,
  { file, offset, maxSize, checksums, spaceCheck, spaceCheckedAt = Number.NEGATIVE_INFINITY }: WriteOptions,
): Promise<number> {
  let position = offset
  let writing = Promise.resolve()
  let lastCheckAt = spaceCheckedAt
  try {
    for await (const batch of batches) {
      const accepted = sliceChunks(batch, 0, maxSize - position)
      checksums?.add(accepted)
      await writing
      if (position - lastCheckAt >= spaceCheck.intervalBytes) {
        await spaceCheck.run()
        lastCheckAt = position
      }
      const end = position + sumLengths(accepted)
      writing = writeAll(file, accepted, position).then(() => checksums?.follow?.(end))
      writing.catch(() => {}) // handled where it is awaited, which may be later
      position = end
      if (sumLengths(accepted) < sumLengths(batch)) throw new BlobError('too_large')
    }
  } finally {
    await writing
  }
  return position
}

/** Writes all chunks. A single write may be short, for example on a nearly full disk; then the next one throws the error. */
export async function writeAll(file: WritableFile, chunks: Buffer[], position: number): Promise<void> {
  if (chunks.length === 0) return
  const { bytesWritten } = await file.writev(chunks, position)
  await writeAll(file, sliceChunks(chunks, bytesWritten), position + bytesWritten)
}

export const sumLengths = (chunks: readonly Buffer[]) => chunks.reduce((sum, chunk) => sum + chunk.length, 0)

/** Works like `slice()`, for bytes that are split over several buffers. */
export function sliceChunks(chunks: Buffer[], start: number, end = Infinity): Buffer[] {
  let at = 0
  return chunks.flatMap((chunk) => {
    const piece = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at))
    at += chunk.length
    return piece.length > 0 ? [piece] : []
  })
}
