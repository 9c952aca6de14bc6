import type { Readable } from 'node:stream'
import { createTinyChunkDetector } from '../../lib/net/tiny-chunks.ts'
import { type AppendOptions, BlobError } from '../blob-store.ts'
import { countReceivedChunk } from './count-received-chunk.ts'

/** Larger batches are not faster (measured from 256 KiB to 2 MiB). */
const maxBatchBytes = 512 * 1024
/** The number of buffers one `writev` call takes. Also limits the memory used by a client that sends byte by byte. */
const maxBatchChunks = 1024
/** A batch that is older than this is complete when its next chunk arrives. Limits how much of a slow upload a crash can lose. */
const maxBatchAgeMs = 1000

/**
 * Reads a source in batches of chunks, each large enough for one efficient disk write. The next batch is collected while the
 * consumer works on the current one; once that is full too, the source is paused. If the source breaks off, the bytes received
 * so far are yielded first, and then a `cut` error is thrown.
 *
 * Attaches its listeners immediately, so that no error of the source is missed. Leaves the source open when done.
 */
export function readBatches(source: Readable, signal?: AbortSignal) {
  let batch: Buffer[] = []
  let bytes = 0
  let startedAt = 0
  let isFull = false
  let hasEnded = source.readableEnded
  let failure: BlobError | undefined
  let wake = () => {}

  const isTooFragmented = createTinyChunkDetector()
  const onData = (chunk: Buffer) => {
    if (isTooFragmented(chunk)) return void source.destroy()
    if (batch.length === 0) startedAt = Date.now()
    batch.push(chunk)
    bytes += chunk.length
    countReceivedChunk(chunk)
    isFull = bytes >= maxBatchBytes || batch.length >= maxBatchChunks || Date.now() - startedAt >= maxBatchAgeMs
    if (!isFull) return
    source.pause()
    wake()
  }
  const onEnd = () => {
    hasEnded = true
    wake()
  }
  const onCut = (cause?: unknown) => {
    if (hasEnded) return
    failure = new BlobError('cut', { cause })
    onEnd()
  }
  const onAbort = () => {
    source.pause()
    onCut(signal?.reason)
  }

  source.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut)
  signal?.addEventListener('abort', onAbort)
  if (source.destroyed) onCut(source.errored)
  if (signal?.aborted) onAbort()

  return {
    async *[Symbol.asyncIterator]() {
      while (!hasEnded || batch.length > 0) {
        if (!hasEnded && !isFull) await new Promise<void>((resolve) => (wake = resolve))
        const completed = batch
        batch = []
        bytes = 0
        isFull = false
        if (!hasEnded) source.resume()
        if (completed.length > 0) yield completed
      }
      if (failure) throw failure
    },
    /** Detaches from the source. Always call it at the end. Ignores later errors of the source, so that they don't crash the process. */
    stop() {
      source.pause()
      source.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut).on('error', ignore)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

/** Yields the same batches. Before each one, calls `reserve` with the size of the upload after that batch. */
export async function* reserveBatches(batches: AsyncIterable<Buffer[]>, offset: number, reserve: AppendOptions['reserve']) {
  let size = offset
  for await (const batch of batches) {
    for (const chunk of batch) size += chunk.length
    try {
      await reserve?.(size)
    } catch (cause) {
      throw new BlobError('cut', { cause })
    }
    yield batch
  }
}

const ignore = () => {}
