import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type ByteRange, contentRange } from '../lib/byte-range.ts'
import { BlobError, type OpenBlob } from './blob-store.ts'
import { isTemporary, pauseAfter, Refusal, type S3Client } from './s3-client.ts'
import { write } from './s3-spool.ts'

/** How much is asked for at first, and how much of a reader who takes more than a second for it. */
const first = 2 ** 20
const small = 64 * 1024
const slowAfter = 1000
/** How often in a row a store may fail to give at least a little, and for how long. */
const tries = 4
const patience = 30_000
const little = 64 * 1024

export function openS3Blob(client: S3Client, key: string, size: number): OpenBlob {
  const whole = { start: 0, end: size }
  const close = async () => {}
  return {
    read(range = whole) {
      const gone = new AbortController()
      const stream = Readable.from(chunksOf(client, key, size, range, gone.signal), { objectMode: false })
      return stream.once('close', () => gone.abort())
    },

    async sendTo(to, range = whole) {
      const gone = new AbortController()
      const onClose = () => gone.abort()
      to.once('close', onClose)
      if (to.destroyed) onClose()
      try {
        for await (const chunk of chunksOf(client, key, size, range, gone.signal)) await write(to, chunk)
      } catch (error) {
        throw gone.signal.aborted ? new BlobError('cut', { cause: to.errored }) : error
      } finally {
        to.off('close', onClose)
      }
    },

    close,
    [Symbol.asyncDispose]: close,
  }
}

/**
 * The bytes of an object. Whoever keeps taking them gets them by few and large requests; who is slow, by many small ones, so that
 * thousands of them hold neither memory nor connections. Where a connection breaks, the next request goes on.
 */
export async function* chunksOf(client: S3Client, key: string, size: number, { start, end }: ByteRange, signal: AbortSignal) {
  let window = first
  let failures = 0
  let failingSince = 0
  for (let at = start; at < end; ) {
    const from = at
    let heardAt = performance.now()
    const range = { start: at, end: Math.min(end, at + window) }
    let isSlow = false
    try {
      const piece = pieceOf(client, key, size, range, signal)
      for await (const chunk of window === small ? gathered(piece) : piece) {
        at += chunk.length
        heardAt = performance.now()
        yield chunk
        isSlow = performance.now() - heardAt > slowAfter
        if (isSlow) break
      }
      failures = 0
      window = isSlow ? small : window * 8
    } catch (error) {
      if (signal.aborted || isFinal(error)) throw error
      if (failures === 0 || at - from >= little) {
        failures = 0
        failingSince = heardAt // not when it was asked: a large piece may have come for minutes
      }
      if (++failures === tries || performance.now() - failingSince > patience)
        throw new BlobError('unavailable', { cause: error })
      await wait(pauseAfter(failures), undefined, { signal })
    }
  }
}

/** A part of an object by one request. Never fewer bytes, nor others, without an error. */
async function* pieceOf(client: S3Client, key: string, size: number, range: ByteRange, signal: AbortSignal) {
  const expected = contentRange(range, size)
  const headers = { range: `bytes=${range.start}-${range.end - 1}` }
  const response = await client.read({ method: 'GET', key, headers }, 206, signal).catch((error) => {
    const isGone = error instanceof Refusal && (gone.includes(error.status) || error.code === 'InvalidObjectState')
    throw isGone ? new BlobError('damaged', { cause: error }) : error
  })
  let left = range.end - range.start
  if (response.headers['content-range'] !== expected) {
    response.destroy()
    throw new Error(`The store was asked for ${expected} and gave ${response.headers['content-range']}`)
  }
  for await (const chunk of response) {
    left -= chunk.length
    if (left < 0) throw new Error('The store gave more bytes than it was asked for')
    yield chunk as Buffer
  }
  if (left > 0) throw new Error(`The store gave ${left} bytes too few`)
}

/** In one chunk, and the connection is free for others. */
async function* gathered(chunks: AsyncIterable<Buffer>) {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  yield Buffer.concat(all)
}

/** Of this one object: not there, its parts are not, or it is shorter than it was. Who may not read at all learns nothing about it. */
const gone = [404, 409, 410, 416]

const isFinal = (error: unknown) => error instanceof BlobError || (error instanceof Refusal && !isTemporary(error.status))
