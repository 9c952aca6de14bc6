import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { newId } from '../../lib/secrets.ts'
import type { BlobFault } from '../blob-store.ts'
import type { SuiteOptions } from './blob-store.suite.ts'
import { collect, computeChecksums, createFailingSource, createSource, hasContent, sample, waitUntil } from './samples.ts'

const maxSize = 1e9

export function describeResuming({ name, open }: SuiteOptions) {
  describe(`${name}: resuming an upload`, () => {
    it('produces the same blob from several requests as from one', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(1_000_000)]
      await store.create(id)
      expect(await store.getReceivedSize(id)).toBe(0)
      for (let offset = 0; offset < bytes.length; offset += 300_000) {
        const end = Math.min(offset + 300_000, bytes.length)
        expect(await store.append(id, createSource(bytes.subarray(offset, end)), { offset, maxSize })).toBe(end)
        expect(await store.getReceivedSize(id)).toBe(end)
      }
      expect(await collect(store.listUploads())).toEqual([id])
      expect(await store.finish(id)).toEqual({ ...computeChecksums(bytes), head: bytes.subarray(0, 4096) })
      expect(await hasContent(store, id, bytes)).toBe(true)
    })

    it('resumes after a restart', async () => {
      const { store, reopen } = await open()
      const [id, bytes] = [newId(), sample(1_000_000)]
      await store.create(id)
      await store.append(id, createSource(bytes.subarray(0, 600_000)), { offset: 0, maxSize })
      const reopened = await reopen()
      expect(await reopened.getReceivedSize(id)).toBe(600_000)
      await reopened.append(id, createSource(bytes.subarray(600_000)), { offset: 600_000, maxSize })
      expect(await reopened.finish(id)).toEqual({ ...computeChecksums(bytes), head: bytes.subarray(0, 4096) })
      expect(await hasContent(reopened, id, bytes)).toBe(true)
    })

    it('keeps the bytes that arrived before the connection was cut', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(1_000_000)]
      await store.create(id)
      const cut = store.append(id, createFailingSource(bytes.subarray(0, 700_000)), { offset: 0, maxSize })
      await expect(cut).rejects.toMatchObject({ fault: 'cut' })
      const offset = await store.getReceivedSize(id)
      expect(offset).toBe(700_000)
      await store.append(id, createSource(bytes.subarray(offset)), { offset, maxSize })
      expect(await store.finish(id)).toMatchObject(computeChecksums(bytes))
    })

    it('keeps the bytes that arrived before it was aborted', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(1000)]
      await store.create(id)
      const controller = new AbortController()
      const source = new PassThrough()
      const appending = store.append(id, source, { offset: 0, maxSize, signal: controller.signal })
      source.write(bytes)
      await waitUntil(() => source.readableLength === 0)
      controller.abort(new Error('too slow'))
      await expect(appending).rejects.toMatchObject({ fault: 'cut', cause: { message: 'too slow' } })
      expect(await store.getReceivedSize(id)).toBe(1000)
      expect(await store.finish(id)).toMatchObject(computeChecksums(bytes))
    })
  })
}

export function describeWriteChecks({ name, open }: SuiteOptions) {
  describe(`${name}: writing to an upload`, () => {
    it('keeps the bytes that fit when it exceeds its maximum size', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(1000)]
      await store.create(id)
      await store.append(id, createSource(bytes.subarray(0, 500)), { offset: 0, maxSize: 900 })
      const appending = store.append(id, createSource(bytes.subarray(500)), { offset: 500, maxSize: 900 })
      await expect(appending).rejects.toMatchObject({ fault: 'too_large' })
      expect(await store.getReceivedSize(id)).toBe(900)
      expect(await store.finish(id)).toMatchObject(computeChecksums(bytes.subarray(0, 900)))
    })

    it('rejects an append at the wrong offset', async () => {
      const { store } = await open()
      const id = newId()
      await store.create(id)
      await store.append(id, createSource(sample(10)), { offset: 0, maxSize })
      for (const offset of [0, 9, 11]) {
        await expect(store.append(id, createSource(sample(10)), { offset, maxSize })).rejects.toMatchObject({
          fault: 'wrong_offset',
        })
      }
      expect(await store.getReceivedSize(id)).toBe(10)
    })

    it('accepts only one writer at a time', async () => {
      const { store } = await open()
      const id = newId()
      await store.create(id)
      const source = new PassThrough()
      const first = store.append(id, source, { offset: 0, maxSize })
      const busy = { fault: 'busy' satisfies BlobFault }
      await expect(store.append(id, createSource(sample(10)), { offset: 0, maxSize })).rejects.toMatchObject(busy)
      await expect(store.finish(id)).rejects.toMatchObject(busy)
      await expect(store.discard(id)).rejects.toMatchObject(busy)
      source.end(sample(5))
      expect(await first).toBe(5)
      expect(await store.append(id, createSource(sample(5)), { offset: 5, maxSize })).toBe(10)
    })
  })
}

export function describeFinishing({ name, open }: SuiteOptions) {
  describe(`${name}: finishing or discarding an upload`, () => {
    it('returns the same result when it is finished again, because the first response may have been lost', async () => {
      const { store, reopen } = await open()
      const [id, bytes] = [newId(), sample(100_000)]
      const stored = await store.put(id, createSource(bytes), { maxSize })
      expect(await store.finish(id)).toEqual(stored)
      const reopened = await reopen()
      expect(await reopened.getReceivedSize(id)).toBe(bytes.length)
      expect(await reopened.finish(id)).toEqual(stored)
      await expect(reopened.append(id, createSource(bytes), { offset: bytes.length, maxSize })).rejects.toMatchObject({
        fault: 'missing',
      })
      expect(await hasContent(reopened, id, bytes)).toBe(true)
    })

    it('leaves nothing of a discarded upload', async () => {
      const { store } = await open()
      const id = newId()
      await store.create(id)
      await store.append(id, createSource(sample(10)), { offset: 0, maxSize })
      await store.discard(id)
      await store.discard(id)
      const missing = { fault: 'missing' satisfies BlobFault }
      await expect(store.getReceivedSize(id)).rejects.toMatchObject(missing)
      await expect(store.append(id, createSource(sample(10)), { offset: 10, maxSize })).rejects.toMatchObject(missing)
      await expect(store.finish(id)).rejects.toMatchObject(missing)
    })

    it('never overwrites an upload or a blob with the same id', async () => {
      const { store } = await open()
      const [id, bytes] = [newId(), sample(10)]
      await store.create(id)
      await expect(store.create(id)).rejects.toThrow()
      await store.append(id, createSource(bytes), { offset: 0, maxSize })
      await store.finish(id)
      // A store may notice the existing blob only when the upload is finished.
      await store.create(id).then(
        () => expect(store.finish(id)).rejects.toThrow('already'),
        () => {},
      )
      expect(await hasContent(store, id, bytes)).toBe(true)
    })
  })
}
