import type { Readable } from 'node:stream'
import { createTinyChunkDetector } from '../lib/crumbs.ts'
import { type AppendOptions, BlobError } from './blob-store.ts'
import { chunkPassed } from './passed-chunks.ts'

/** Larger ones gain nothing (measured from 256 KiB to 2 MiB). */
const fullBytes = 512 * 1024
/** As many buffers as one writev takes. A client that sends byte by byte shall not fill the memory with buffers. */
const fullChunks = 1024
/** What a slow client sent should not wait in memory for long: it would be lost with the process. */
const fullAfter = 1000

/**
 * The bytes of a source, many chunks at a time, as one write to a disk likes them. While the reader is busy with one batch, the next
 * one gathers; when that is full too, the source is paused. It ends where the source ends. Where the source breaks off, what came
 * is handed out first, and then it throws `cut`.
 *
 * It listens from the first moment, so that no error of the source goes unheard, and leaves the source as it is when done.
 */
export function batchesOf(source: Readable, signal?: AbortSignal) {
  let batch: Buffer[] = []
  let bytes = 0
  let startedAt = 0
  let isFull = false
  let isOver = source.readableEnded
  let failure: BlobError | undefined
  let wake = () => {}

  const isCrumbled = createTinyChunkDetector()
  const onData = (chunk: Buffer) => {
    if (isCrumbled(chunk)) return void source.destroy()
    if (batch.length === 0) startedAt = Date.now()
    batch.push(chunk)
    bytes += chunk.length
    chunkPassed(chunk)
    isFull = bytes >= fullBytes || batch.length >= fullChunks || Date.now() - startedAt >= fullAfter
    if (!isFull) return
    source.pause()
    wake()
  }
  const onEnd = () => {
    isOver = true
    wake()
  }
  const onCut = (cause?: unknown) => {
    if (isOver) return
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
      while (!isOver || batch.length > 0) {
        if (!isOver && !isFull) await new Promise<void>((resolve) => (wake = resolve))
        const full = batch
        batch = []
        bytes = 0
        isFull = false
        if (!isOver) source.resume()
        if (full.length > 0) yield full
      }
      if (failure) throw failure
    },
    /** To be called at the end, whichever it was. A source that fails later on fails for its owner; nobody here needs to know. */
    stop() {
      source.pause()
      source.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut).on('error', ignore)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

/** Yields the same batches. Before each one, calls `reserve` with the size of the upload after that batch. */
export async function* reservedBatches(batches: AsyncIterable<Buffer[]>, offset: number, reserve: AppendOptions['reserve']) {
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
