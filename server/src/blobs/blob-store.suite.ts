import { createHash } from 'node:crypto'
import { PassThrough, Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { newId } from '../lib/secrets.ts'
import type { BlobFault, BlobStore } from './blob-store.ts'
import { sweep } from './sweep.ts'

/**
 * Everything a store promises. `open` gives one that is empty; `reopen` gives it as a process finds it that was started later.
 * `readsOn`: whoever has opened a blob reads it to its end, even if it is removed meanwhile.
 */
export function describeBlobStore(
  name: string,
  open: () => Promise<{ store: BlobStore; reopen: () => Promise<BlobStore> }>,
  { readsOn = true } = {},
) {
  describe(`${name}: a blob`, () => {
    it.each([0, 1, 65_537, 3_000_000])('of %i bytes comes back as it was, with its sums and its first bytes', async (size) => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(size)]
      const stored = await store.put(id, sourceOf(bytes), { maxSize: size })
      expect(stored).toEqual({ ...sumsOf(bytes), head: bytes.subarray(0, 4096) })
      expect(await holds(store, id, bytes)).toBe(true)
      expect(await listOf(store.blobs())).toEqual([id])
      expect(await listOf(store.uploads())).toEqual([])
    })

    it('leaves out what was taken back before it was finished', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(100_000)]
      await store.create(id)
      await store.append(id, sourceOf(bytes.subarray(0, 60_000)), { offset: 0, maxSize: 1e6 })
      await store.append(id, sourceOf(sample(5_000)), { offset: 60_000, maxSize: 1e6 })
      await store.rewind(id, 60_000)
      expect(await store.received(id)).toBe(60_000)
      await store.append(id, sourceOf(bytes.subarray(60_000)), { offset: 60_000, maxSize: 1e6 })
      expect(await store.finish(id)).toMatchObject(sumsOf(bytes))
    })

    it('has a size, from the moment it is one until it is removed', async () => {
      const { store } = await open()
      const id = newId()
      expect(await store.sizeOf(id)).toBeUndefined()
      await store.create(id)
      await store.append(id, sourceOf(sample(1000)), { offset: 0, maxSize: 1e6 })
      expect(await store.sizeOf(id)).toBeUndefined()
      await store.finish(id)
      expect(await store.sizeOf(id)).toBe(1000)
      expect(await listOf(store.strays())).toEqual([])
      await store.remove(id)
      expect(await store.sizeOf(id)).toBeUndefined()
    })

    it('comes in many small chunks as well as in a few large ones', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(10_000)]
      const byteByByte = Readable.from([...bytes].map((byte) => Buffer.of(byte)))
      expect(await store.put(id, byteByByte, { maxSize: 1e6 })).toMatchObject(sumsOf(bytes))
      expect(await holds(store, id, bytes)).toBe(true)
    })

    it('is read in any part, as a stream and into a response', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(2_000_000)]
      await store.put(id, sourceOf(bytes), { maxSize: 2e6 })
      for (const [start, end] of [
        [0, 1],
        [1_999_999, 2_000_000],
        [5, 5],
        [70_000, 1_500_000],
      ] as const) {
        await using blob = await store.open(id, bytes.length)
        const to = collector()
        await blob.sendTo(to, { start, end })
        expect(Buffer.concat(to.chunks).equals(bytes.subarray(start, end))).toBe(true)
        expect(to.writableEnded).toBe(false)
        expect((await buffer(blob.read({ start, end }))).equals(bytes.subarray(start, end))).toBe(true)
      }
    })

    it('reaches a reader that takes its time unchanged', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(20_000_000)]
      await store.put(id, sourceOf(bytes), { maxSize: 2e7 })
      await using blob = await store.open(id, bytes.length)
      const slow = collector(() => setImmediate())
      await blob.sendTo(slow)
      expect(Buffer.concat(slow.chunks).equals(bytes)).toBe(true)
    })

    it('stops when the reader goes away, even in the middle of a write', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(1_000_000)]
      await store.put(id, sourceOf(bytes), { maxSize: 1e6 })
      await using blob = await store.open(id, bytes.length)
      const gone = new Writable({ write: () => void process.nextTick(() => gone.destroy()) })
      await expect(blob.sendTo(gone)).rejects.toMatchObject({ fault: 'cut' })
      await expect(blob.sendTo(gone)).rejects.toMatchObject({ fault: 'cut' })
    })

    it('that is missing, or not of the size it should have, is damaged from the start', async () => {
      const { store } = await open()
      const id = newId()
      await expect(store.open(id, 5)).rejects.toMatchObject({ fault: 'damaged' })
      await store.put(id, sourceOf(sample(5)), { maxSize: 5 })
      await expect(store.open(id, 4)).rejects.toMatchObject({ fault: 'damaged' })
      await expect(store.open(id, 6)).rejects.toMatchObject({ fault: 'damaged' })
    })

    it(`is gone once removed${readsOn ? ', except for whoever reads it already' : ''}`, async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(1_000_000)]
      await store.put(id, sourceOf(bytes), { maxSize: 1e6 })
      const blob = await store.open(id, bytes.length)
      await store.remove(id)
      await store.remove(id)
      if (readsOn) expect((await buffer(blob.read())).equals(bytes)).toBe(true)
      else await expect(buffer(blob.read())).rejects.toMatchObject({ fault: 'damaged' })
      await expect(store.open(id, bytes.length)).rejects.toMatchObject({ fault: 'damaged' })
      expect(await listOf(store.blobs())).toEqual([])
    })

    it('has no name but one we made', async () => {
      const { store } = await open()
      const id = 'x'.repeat(21)
      for (const name of ['', '..', '../../../../etc/passwd', 'a/b', id, `${id}/`, `${id}\0`]) {
        await expect(store.create(name)).rejects.toThrow('not an id')
        await expect(store.open(name, 1)).rejects.toThrow('not an id')
        await expect(store.remove(name)).rejects.toThrow('not an id')
      }
    })
  })

  describe(`${name}: an upload in one go`, () => {
    const nothingIsLeft = async (store: BlobStore) => {
      expect(await listOf(store.uploads())).toEqual([])
      expect(await listOf(store.blobs())).toEqual([])
    }

    it('may be as large as allowed, and not a byte larger', async () => {
      const { store } = await open()
      await expect(store.put(newId(), sourceOf(sample(1_000_001)), { maxSize: 1_000_000 })).rejects.toMatchObject({
        fault: 'too_large',
      })
      await nothingIsLeft(store)
      expect(await store.put(newId(), sourceOf(sample(1_000_000)), { maxSize: 1_000_000 })).toMatchObject({
        size: 1_000_000,
      })
    })

    it('that is too large leaves the connection open for an answer', async () => {
      const { store } = await open()
      const source = new PassThrough()
      source.write(sample(600_000))
      await expect(store.put(newId(), source, { maxSize: 10 })).rejects.toMatchObject({ fault: 'too_large' })
      expect(source.destroyed).toBe(false)
      source.destroy(new Error('and may break later without harm'))
      await new Promise((resolve) => source.once('close', resolve))
    })

    it('leaves nothing behind when it breaks off', async () => {
      const { store } = await open()
      const broken = store.put(newId(), breaksAfter(sample(700_000)), { maxSize: 1e6 })
      await expect(broken).rejects.toMatchObject({ fault: 'cut', cause: { message: 'client gone' } })
      await nothingIsLeft(store)
    })

    it('leaves nothing behind when it had broken off before', async () => {
      const { store } = await open()
      const source = new PassThrough().on('error', () => {})
      source.destroy(new Error('client gone'))
      await expect(store.put(newId(), source, { maxSize: 1 })).rejects.toMatchObject({ fault: 'cut' })
      await nothingIsLeft(store)
    })

    it('leaves nothing behind when it is stopped', async () => {
      const { store } = await open()
      for (const wait of [0, 1, 5]) {
        const stop = new AbortController()
        const source = new PassThrough()
        const putting = store.put(newId(), source, { maxSize: 1e6, signal: stop.signal })
        source.write(sample(1000))
        for (let i = 0; i < wait; i++) await setImmediate()
        stop.abort()
        await expect(putting).rejects.toMatchObject({ fault: 'cut' })
        await nothingIsLeft(store)
      }
    })
  })

  describe(`${name}: an upload that resumes`, () => {
    const maxSize = 1e9

    it('in many parts is the same as in one', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(1_000_000)]
      await store.create(id)
      expect(await store.received(id)).toBe(0)
      for (let offset = 0; offset < bytes.length; offset += 300_000) {
        const end = Math.min(offset + 300_000, bytes.length)
        expect(await store.append(id, sourceOf(bytes.subarray(offset, end)), { offset, maxSize })).toBe(end)
        expect(await store.received(id)).toBe(end)
      }
      expect(await listOf(store.uploads())).toEqual([id])
      expect(await store.finish(id)).toEqual({ ...sumsOf(bytes), head: bytes.subarray(0, 4096) })
      expect(await holds(store, id, bytes)).toBe(true)
    })

    it('goes on after a restart', async () => {
      const { store, reopen } = await open()
      const [id, bytes] = [newId(), sample(1_000_000)]
      await store.create(id)
      await store.append(id, sourceOf(bytes.subarray(0, 600_000)), { offset: 0, maxSize })
      const later = await reopen()
      expect(await later.received(id)).toBe(600_000)
      await later.append(id, sourceOf(bytes.subarray(600_000)), { offset: 600_000, maxSize })
      expect(await later.finish(id)).toEqual({ ...sumsOf(bytes), head: bytes.subarray(0, 4096) })
      expect(await holds(later, id, bytes)).toBe(true)
    })

    it('keeps what came before the connection was cut', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(1_000_000)]
      await store.create(id)
      const cut = store.append(id, breaksAfter(bytes.subarray(0, 700_000)), { offset: 0, maxSize })
      await expect(cut).rejects.toMatchObject({ fault: 'cut' })
      const offset = await store.received(id)
      expect(offset).toBe(700_000)
      await store.append(id, sourceOf(bytes.subarray(offset)), { offset, maxSize })
      expect(await store.finish(id)).toMatchObject(sumsOf(bytes))
    })

    it('keeps what came before it was stopped', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(1000)]
      await store.create(id)
      const stop = new AbortController()
      const source = new PassThrough()
      const appending = store.append(id, source, { offset: 0, maxSize, signal: stop.signal })
      source.write(bytes)
      await until(() => source.readableLength === 0)
      stop.abort(new Error('too slow'))
      await expect(appending).rejects.toMatchObject({ fault: 'cut', cause: { message: 'too slow' } })
      expect(await store.received(id)).toBe(1000)
      expect(await store.finish(id)).toMatchObject(sumsOf(bytes))
    })

    it('keeps what fits when more comes than may', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(1000)]
      await store.create(id)
      await store.append(id, sourceOf(bytes.subarray(0, 500)), { offset: 0, maxSize: 900 })
      const appending = store.append(id, sourceOf(bytes.subarray(500)), { offset: 500, maxSize: 900 })
      await expect(appending).rejects.toMatchObject({ fault: 'too_large' })
      expect(await store.received(id)).toBe(900)
      expect(await store.finish(id)).toMatchObject(sumsOf(bytes.subarray(0, 900)))
    })

    it('is not added to by somebody who believes another size', async () => {
      const { store } = await open()
      const id = newId()
      await store.create(id)
      await store.append(id, sourceOf(sample(10)), { offset: 0, maxSize })
      for (const offset of [0, 9, 11]) {
        await expect(store.append(id, sourceOf(sample(10)), { offset, maxSize })).rejects.toMatchObject({ fault: 'wrong_offset' })
      }
      expect(await store.received(id)).toBe(10)
    })

    it('is written by one at a time', async () => {
      const { store } = await open()
      const id = newId()
      await store.create(id)
      const source = new PassThrough()
      const first = store.append(id, source, { offset: 0, maxSize })
      const busy = { fault: 'busy' satisfies BlobFault }
      await expect(store.append(id, sourceOf(sample(10)), { offset: 0, maxSize })).rejects.toMatchObject(busy)
      await expect(store.finish(id)).rejects.toMatchObject(busy)
      await expect(store.discard(id)).rejects.toMatchObject(busy)
      source.end(sample(5))
      expect(await first).toBe(5)
      expect(await store.append(id, sourceOf(sample(5)), { offset: 5, maxSize })).toBe(10)
    })

    it('gives the same answer when finished again, since the first may not have been heard', async () => {
      const { store, reopen } = await open()
      const [id, bytes] = [newId(), sample(100_000)]
      const stored = await store.put(id, sourceOf(bytes), { maxSize })
      expect(await store.finish(id)).toEqual(stored)
      const later = await reopen()
      expect(await later.received(id)).toBe(bytes.length)
      expect(await later.finish(id)).toEqual(stored)
      await expect(later.append(id, sourceOf(bytes), { offset: bytes.length, maxSize })).rejects.toMatchObject({
        fault: 'missing',
      })
      expect(await holds(later, id, bytes)).toBe(true)
    })

    it('is gone once thrown away', async () => {
      const { store } = await open()
      const id = newId()
      await store.create(id)
      await store.append(id, sourceOf(sample(10)), { offset: 0, maxSize })
      await store.discard(id)
      await store.discard(id)
      const missing = { fault: 'missing' satisfies BlobFault }
      await expect(store.received(id)).rejects.toMatchObject(missing)
      await expect(store.append(id, sourceOf(sample(10)), { offset: 10, maxSize })).rejects.toMatchObject(missing)
      await expect(store.finish(id)).rejects.toMatchObject(missing)
    })

    it('never takes the id of another', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(10)]
      await store.create(id)
      await expect(store.create(id)).rejects.toThrow()
      await store.append(id, sourceOf(bytes), { offset: 0, maxSize })
      await store.finish(id)
      await store.create(id).then(
        () => expect(store.finish(id)).rejects.toThrow('already'),
        () => {},
      )
      expect(await holds(store, id, bytes)).toBe(true)
    })
  })

  describe(`${name}: the sweep`, () => {
    it('removes old bytes that nobody knows, and nothing else', async () => {
      const { store } = await open()
      const [known, unknown, goesOn, leftBehind] = [newId(), newId(), newId(), newId()]
      await store.put(known, sourceOf(sample(1)), { maxSize: 1 })
      await store.put(unknown, sourceOf(sample(1)), { maxSize: 1 })
      await store.create(goesOn)
      await store.create(leftBehind)
      const wanted = async () => new Set([known, goesOn])

      const [longAgo, soon] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)]
      expect(await sweep(store, { before: longAgo, wanted })).toEqual({ uploads: [], blobs: [] })
      const found = { uploads: [leftBehind], blobs: [unknown] }
      expect(await sweep(store, { before: soon, wanted, dryRun: true })).toEqual(found)
      expect(await sweep(store, { before: soon, wanted })).toEqual(found)
      expect(await sweep(store, { before: soon, wanted })).toEqual({ uploads: [], blobs: [] })
      expect(await listOf(store.blobs())).toEqual([known])
      expect(await listOf(store.uploads())).toEqual([goesOn])
    })

    it('knows how much room there is', async () => {
      const { free, total } = await (await open()).store.space()
      expect(free).toBeGreaterThan(0)
      expect(total).toBeGreaterThanOrEqual(free)
    })
  })
}

/** Bytes that differ everywhere, so that a piece in the wrong place is noticed. */
export function sample(size: number): Buffer {
  const words = new Uint32Array(Math.ceil(size / 4))
  for (let i = 0; i < words.length; i++) words[i] = i + 1
  return Buffer.from(words.buffer).subarray(0, size)
}

/** As a socket delivers it. */
export function sourceOf(bytes: Buffer): Readable {
  return Readable.from(chunksOf(bytes), { objectMode: false })
}

function breaksAfter(bytes: Buffer): Readable {
  const chunks = chunksOf(bytes)
  return new Readable({
    read() {
      const { value } = chunks.next()
      if (value) this.push(value)
      else this.destroy(new Error('client gone'))
    },
  })
}

function* chunksOf(bytes: Buffer): Generator<Buffer, undefined> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/** Keeps copies, taken at the last moment: until it calls back, a buffer must not change. */
function collector(wait?: () => Promise<void>) {
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

const sumsOf = (bytes: Buffer) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  crc32: crc32(bytes),
})

async function holds(store: BlobStore, id: string, bytes: Buffer): Promise<boolean> {
  const kept = await buffer((await store.open(id, bytes.length)).read())
  return kept.equals(bytes)
}

export async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

async function until(isTrue: () => boolean) {
  while (!isTrue()) await setImmediate()
}
