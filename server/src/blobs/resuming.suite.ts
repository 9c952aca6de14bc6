import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { newId } from '../lib/secrets.ts'
import type { Given } from './blob-store.suite.ts'
import type { BlobFault } from './blob-store.ts'
import { breaksAfter, holds, listOf, sample, sourceOf, sumsOf, until } from './samples.ts'

const maxSize = 1e9

/** It goes on from what came before. */
export function describeGoingOn({ name, open }: Given) {
  describe(`${name}: an upload that resumes`, () => {
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
  })
}

/** It takes what it may, from one at a time. */
export function describeRefusing({ name, open }: Given) {
  describe(`${name}: an upload that resumes`, () => {
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
  })
}

/** It ends as a blob, or not at all. */
export function describeEnding({ name, open }: Given) {
  describe(`${name}: an upload that resumes`, () => {
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
}
