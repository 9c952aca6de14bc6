import { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { newId } from '../../lib/secrets.ts'
import type { SuiteOptions } from './blob-store.suite.ts'
import { collect, computeChecksums, createCollector, createSource, hasContent, sample } from './samples.ts'

export function describeBlob({ name, open }: SuiteOptions) {
  describe(`${name}: a blob`, () => {
    it.each([0, 1, 65_537, 3_000_000])(
      'of %i bytes is stored unchanged, with its checksums and its first bytes',
      async (size) => {
        const { store } = await open()
        const [id, bytes] = [newId(), sample(size)]
        const stored = await store.put(id, createSource(bytes), { maxSize: size })
        expect(stored).toEqual({ ...computeChecksums(bytes), head: bytes.subarray(0, 4096) })
        expect(await hasContent(store, id, bytes)).toBe(true)
        expect(await collect(store.listBlobs())).toEqual([id])
        expect(await collect(store.listUploads())).toEqual([])
      },
    )

    it('does not contain bytes that were rewound before it was finished', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(100_000)]
      await store.create(id)
      await store.append(id, createSource(bytes.subarray(0, 60_000)), { offset: 0, maxSize: 1e6 })
      await store.append(id, createSource(sample(5_000)), { offset: 60_000, maxSize: 1e6 })
      await store.rewind(id, 60_000)
      expect(await store.getReceivedSize(id)).toBe(60_000)
      await store.append(id, createSource(bytes.subarray(60_000)), { offset: 60_000, maxSize: 1e6 })
      expect(await store.finish(id)).toMatchObject(computeChecksums(bytes))
    })

    it('has a size once it is finished and until it is removed', async () => {
      const { store } = await open()
      const id = newId()
      expect(await store.getSize(id)).toBeUndefined()
      await store.create(id)
      await store.append(id, createSource(sample(1000)), { offset: 0, maxSize: 1e6 })
      expect(await store.getSize(id)).toBeUndefined()
      await store.finish(id)
      expect(await store.getSize(id)).toBe(1000)
      expect(await collect(store.listStrays())).toEqual([])
      await store.remove(id)
      expect(await store.getSize(id)).toBeUndefined()
    })

    it('can be uploaded in many small chunks', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(4000)]
      const byteByByte = Readable.from([...bytes].map((byte) => Buffer.of(byte)))
      expect(await store.put(id, byteByByte, { maxSize: 1e6 })).toMatchObject(computeChecksums(bytes))
      expect(await hasContent(store, id, bytes)).toBe(true)
    })

    it('cannot have an invalid id', async () => {
      const { store } = await open()
      const id = 'x'.repeat(21)
      for (const name of ['', '..', '../../../../etc/passwd', 'a/b', id, `${id}/`, `${id}\0`]) {
        await expect(store.create(name)).rejects.toThrow('Invalid blob id')
        await expect(store.open(name, 1)).rejects.toThrow('Invalid blob id')
        await expect(store.remove(name)).rejects.toThrow('Invalid blob id')
      }
    })
  })
}

export function describeReading({ name, open, canReadRemoved }: SuiteOptions) {
  describe(`${name}: a blob`, () => {
    it('is read in any range, as a stream and into a response', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(2_000_000)]
      await store.put(id, createSource(bytes), { maxSize: 2e6 })
      for (const [start, end] of [
        [0, 1],
        [1_999_999, 2_000_000],
        [5, 5],
        [70_000, 1_500_000],
      ] as const) {
        await using blob = await store.open(id, bytes.length)
        const to = createCollector()
        await blob.sendTo(to, { start, end })
        expect(Buffer.concat(to.chunks).equals(bytes.subarray(start, end))).toBe(true)
        expect(to.writableEnded).toBe(false)
        expect((await buffer(blob.read({ start, end }))).equals(bytes.subarray(start, end))).toBe(true)
      }
    })

    it('reaches a slow reader unchanged', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(20_000_000)]
      await store.put(id, createSource(bytes), { maxSize: 2e7 })
      await using blob = await store.open(id, bytes.length)
      const slow = createCollector(() => setImmediate())
      await blob.sendTo(slow)
      expect(Buffer.concat(slow.chunks).equals(bytes)).toBe(true)
    })

    it('stops being sent when the reader disconnects, even during a write', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(1_000_000)]
      await store.put(id, createSource(bytes), { maxSize: 1e6 })
      await using blob = await store.open(id, bytes.length)
      const disconnecting = new Writable({ write: () => void process.nextTick(() => disconnecting.destroy()) })
      await expect(blob.sendTo(disconnecting)).rejects.toMatchObject({ fault: 'cut' })
      await expect(blob.sendTo(disconnecting)).rejects.toMatchObject({ fault: 'cut' })
    })

    it('is reported as damaged on opening if it is missing or has the wrong size', async () => {
      const { store } = await open()
      const id = newId()
      await expect(store.open(id, 5)).rejects.toMatchObject({ fault: 'damaged' })
      await store.put(id, createSource(sample(5)), { maxSize: 5 })
      await expect(store.open(id, 4)).rejects.toMatchObject({ fault: 'damaged' })
      await expect(store.open(id, 6)).rejects.toMatchObject({ fault: 'damaged' })
    })

    it(`is gone once removed${canReadRemoved ? ', except for readers that have it open' : ''}`, async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(1_000_000)]
      await store.put(id, createSource(bytes), { maxSize: 1e6 })
      const blob = await store.open(id, bytes.length)
      await store.remove(id)
      await store.remove(id)
      if (canReadRemoved) expect((await buffer(blob.read())).equals(bytes)).toBe(true)
      else await expect(buffer(blob.read())).rejects.toMatchObject({ fault: 'damaged' })
      await expect(store.open(id, bytes.length)).rejects.toMatchObject({ fault: 'damaged' })
      expect(await collect(store.listBlobs())).toEqual([])
    })
  })
}
