import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type ByteRange, formatContentRange } from '../../lib/net/byte-range.ts'
import { BlobError, type OpenBlob } from '../blob-store.ts'
import { computeRandomBackoffMs, isRetryable, type S3Client, S3Error } from './client/s3-client.ts'
import { writeChunk } from './spool.ts'

/** The size of the first request. */
const firstRangeBytes = 2 ** 20
/** The size of each request for a slow reader. */
const slowRangeBytes = 64 * 1024
const slowReadMs = 1000
/** How often in a row, and for how long, requests may fail without delivering at least `progressBytes`. */
const maxAttempts = 4
const retryForMs = 30_000
const progressBytes = 64 * 1024

export function openS3Blob(client: S3Client, key: string, size: number): OpenBlob {
  const whole = { start: 0, end: size }
  const close = async () => {}
  return {
    read(range = whole) {
      const disconnected = new AbortController()
      const stream = Readable.from(readObjectChunks(client, key, size, range, disconnected.signal), { objectMode: false })
      return stream.once('close', () => disconnected.abort())
    },

    async sendTo(to, range = whole) {
      const disconnected = new AbortController()
      const onClose = () => disconnected.abort()
      to.once('close', onClose)
      if (to.destroyed) onClose()
      try {
        for await (const chunk of readObjectChunks(client, key, size, range, disconnected.signal)) await writeChunk(to, chunk)
      } catch (error) {
        throw disconnected.signal.aborted ? new BlobError('cut', { cause: to.errored }) : error
      } finally {
        to.off('close', onClose)
      }
    },

    close,
    [Symbol.asyncDispose]: close,
  }
}

/**
 * Reads an object. A fast reader gets it in a few large requests. A slow one gets it in many small requests, so that thousands
 * of slow readers occupy neither memory nor connections. If a connection breaks, the next request resumes from there.
 */
export async function* readObjectChunks(
  client: S3Client,
  key: string,
  size: number,
  { start, end }: ByteRange,
  signal: AbortSignal,
) {
  let rangeBytes = firstRangeBytes
  let failures = 0
  let failingSince = 0
  for (let at = start; at < end; ) {
    const requestStart = at
    let receivedAt = performance.now()
    const range = { start: at, end: Math.min(end, at + rangeBytes) }
    let isSlow = false
    try {
      const chunks = requestRange(client, key, size, range, signal)
      for await (const chunk of rangeBytes === slowRangeBytes ? concatenate(chunks) : chunks) {
        at += chunk.length
        receivedAt = performance.now()
        yield chunk
        isSlow = performance.now() - receivedAt > slowReadMs
        if (isSlow) break
      }
      failures = 0
      rangeBytes = isSlow ? slowRangeBytes : rangeBytes * 8
    } catch (error) {
      if (signal.aborted || isFinal(error)) throw error
      if (failures === 0 || at - requestStart >= progressBytes) {
        failures = 0
        failingSince = receivedAt // not when the request started: a large range may have been arriving for minutes
      }
      if (++failures === maxAttempts || performance.now() - failingSince > retryForMs)
        throw new BlobError('unavailable', { cause: error })
      await wait(computeRandomBackoffMs(failures), undefined, { signal })
    }
  }
}

/** Reads a range of an object with one request. Throws if the store returns fewer bytes, more bytes or another range. */
async function* requestRange(client: S3Client, key: string, size: number, range: ByteRange, signal: AbortSignal) {
  const expected = formatContentRange(range, size)
  const headers = { range: `bytes=${range.start}-${range.end - 1}` }
  const response = await client.read({ method: 'GET', key, headers }, 206, signal).catch((error) => {
    const isDamaged = error instanceof S3Error && (damagedStatuses.includes(error.status) || error.code === 'InvalidObjectState')
    throw isDamaged ? new BlobError('damaged', { cause: error }) : error
  })
  let left = range.end - range.start
  if (response.headers['content-range'] !== expected) {
    response.destroy()
    throw new Error(`The store returned ${response.headers['content-range']} instead of ${expected}`)
  }
  for await (const chunk of response) {
    left -= chunk.length
    if (left < 0) throw new Error('The store returned more bytes than requested')
    yield chunk as Buffer
  }
  if (left > 0) throw new Error(`The store returned ${left} bytes too few`)
}

/** Yields all chunks as one. The connection is then free while a slow reader processes them. */
async function* concatenate(chunks: AsyncIterable<Buffer>) {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  yield Buffer.concat(all)
}

/** Statuses for an object that is missing, incomplete or shorter than before. Not 403: without permission, its state is unknown. */
const damagedStatuses = [404, 409, 410, 416]

const isFinal = (error: unknown) => error instanceof BlobError || (error instanceof S3Error && !isRetryable(error.status))
