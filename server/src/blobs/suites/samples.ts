import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough, Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { expect } from 'vitest'
import { newId } from '../../lib/secrets.ts'
import type { BlobStore } from '../blob-store.ts'

/** Returns bytes without repetition, so that a chunk in the wrong position is noticed. */
export function sample(size: number): Buffer {
  const words = new Uint32Array(Math.ceil(size / 4))
  for (let i = 0; i < words.length; i++) words[i] = i + 1
  return Buffer.from(words.buffer).subarray(0, size)
}

/** Streams bytes in chunks, like a socket. */
export function createSource(bytes: Buffer): Readable {
  return Readable.from(splitIntoChunks(bytes), { objectMode: false })
}

export function createFailingSource(bytes: Buffer): Readable {
  const chunks = splitIntoChunks(bytes)
  return new Readable({
    read() {
      const { value } = chunks.next()
      if (value) this.push(value)
      else this.destroy(new Error('client gone'))
    },
  })
}

function* splitIntoChunks(bytes: Buffer): Generator<Buffer, undefined> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/**
 * Creates a writable stream that collects what is written. Copies each buffer only just before its callback, because the sender must not
 * change the buffer until then.
 */
export function createCollector(wait?: () => Promise<void>) {
  const chunks: Buffer[] = []
  const to = new Writable({
    async write(chunk: Buffer, _, done) {
      await wait?.()
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return Object.assign(to, { chunks })
}

export const computeChecksums = (bytes: Buffer) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  crc32: crc32(bytes),
})

export async function hasContent(store: BlobStore, id: string, bytes: Buffer): Promise<boolean> {
  const stored = await buffer((await store.open(id, bytes.length)).read())
  return stored.equals(bytes)
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

export async function waitUntil(isTrue: () => boolean) {
  while (!isTrue()) await setImmediate()
}

/** Disconnects during an upload, and then while reading a blob of a million bytes. The moment depends on `i`. */
export async function disconnectMidway(store: BlobStore, blob: string, i: number) {
  const source = new PassThrough().on('error', () => {})
  const putting = store.put(newId(), source, { maxSize: 1e9 })
  source.write(sample(1000 * i))
  for (let turn = 0; turn < i % 20; turn++) await setImmediate()
  if (i % 2) source.destroy(new Error('client gone'))
  else source.destroy()
  await expect(putting).rejects.toMatchObject({ fault: 'cut' })

  const stream = (await store.open(blob, 1_000_000)).read()
  if (i % 3) await once(stream, 'readable')
  stream.destroy()
  await once(stream, 'close')
}
