import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { newId } from '../../lib/secrets.ts'
import { describeBlobStore } from '../suites/blob-store.suite.ts'
import { collect, createSource, hasContent, sample } from '../suites/samples.ts'
import { getPartSize } from './parts.ts'
import { maxSize, put, useS3 } from './testing.ts'

const { openNew } = useS3()

describeBlobStore('S3', openNew, { canReadRemoved: false })

describe('a blob of many parts', () => {
  const full = getPartSize(0)

  it.each([full, full + 1, 2 * full + 1])('of %i bytes is stored unchanged, by put and in several requests', async (size) => {
    const { store, keys, objects } = await openNew()
    const [whole, pieces, bytes] = [newId(), newId(), sample(size)]
    const stored = await put(store, bytes, whole)
    expect(await hasContent(store, whole, bytes)).toBe(true)
    await store.create(pieces)
    for (let offset = 0; offset < size; offset += 7_000_000) {
      const end = Math.min(offset + 7_000_000, size)
      expect(await store.append(pieces, createSource(bytes.subarray(offset, end)), { offset, maxSize: size })).toBe(end)
      expect(await store.getReceivedSize(pieces)).toBe(end)
    }
    expect(await store.finish(pieces)).toEqual(stored)
    expect(await hasContent(store, pieces, bytes)).toBe(true)
    expect((await keys()).toSorted()).toEqual([whole, pieces].map((id) => `blobs/${id}`).toSorted())
    expect(await collect(objects.listUnfinished(''))).toEqual([])
  })

  it('leaves nothing behind when it fails', async () => {
    const { store, keys, objects } = await openNew()
    for (const end of ['cut', 'too_large', 'incomplete'] as const) {
      const source = new PassThrough()
      const completed = end === 'incomplete' ? Promise.reject(new Error('incomplete')) : Promise.resolve()
      completed.catch(() => {})
      const putting = store.put(newId(), source, { maxSize: end === 'too_large' ? full + 1 : maxSize, completed })
      const failing = expect(putting).rejects.toThrow(end === 'incomplete' ? end : undefined)
      createSource(sample(full + 600_000)).pipe(source, { end: end !== 'cut' })
      if (end === 'cut') {
        await expect.poll(() => collect(objects.listUnfinished(''))).toHaveLength(1)
        source.destroy()
      }
      await failing
      expect(await keys()).toEqual([])
      expect(await collect(objects.listUnfinished(''))).toEqual([])
    }
  })

  it('can be rewound to the start of the last append, and discarded', async () => {
    const { store, keys, objects } = await openNew()
    const [id, bytes] = [newId(), sample(10_000_000)]
    await store.create(id)
    await store.append(id, createSource(bytes.subarray(0, 9_000_000)), { offset: 0, maxSize })
    for (let n = 0; n < 2; n++) {
      await store.append(id, createSource(sample(8_000_000)), { offset: 9_000_000, maxSize })
      await store.rewind(id, 9_000_000)
      expect(await store.getReceivedSize(id)).toBe(9_000_000)
    }
    await store.append(id, createSource(bytes.subarray(9_000_000)), { offset: 9_000_000, maxSize })
    await store.finish(id)
    expect(await hasContent(store, id, bytes)).toBe(true)
    expect(await keys()).toEqual([`blobs/${id}`])

    const other = newId()
    await store.create(other)
    await store.append(other, createSource(bytes), { offset: 0, maxSize })
    await store.discard(other)
    expect(await keys()).toEqual([`blobs/${id}`])
    expect(await collect(objects.listUnfinished(''))).toEqual([])
  })
})

describe('several nodes', () => {
  it('resume each other’s uploads and return the same result', async () => {
    const { store, reopen, keys } = await openNew()
    const nodes = [store, await reopen(), await reopen()]
    const [id, bytes] = [newId(), sample(12_000_000)]
    await store.create(id)
    for (let offset = 0, n = 0; offset < bytes.length; offset += 5_000_000, n++) {
      await nodes[n % 3]?.append(id, createSource(bytes.subarray(offset, offset + 5_000_000)), { offset, maxSize })
    }
    const [stored, again] = [await nodes[1]?.finish(id), await nodes[2]?.finish(id)]
    expect(again).toEqual(stored)
    expect(stored).toEqual(await put(store, bytes))
    expect(await keys()).toHaveLength(2)
  })

  it('never use the checksums of bytes that another node replaced', async () => {
    const { store, reopen } = await openNew()
    const other = await reopen()
    const [id, bytes] = [newId(), sample(3000)]
    await store.create(id)
    await store.append(id, createSource(bytes.subarray(0, 1000)), { offset: 0, maxSize })
    await store.append(id, createSource(Buffer.alloc(2000)), { offset: 1000, maxSize })
    await other.rewind(id, 1000)
    await other.append(id, createSource(bytes.subarray(1000)), { offset: 1000, maxSize })
    expect(await store.finish(id)).toEqual(await put(store, bytes))
  })

  it('do not mix bytes when two write to the same upload: the first one is stopped', async () => {
    const { store, reopen, keys } = await openNew()
    const other = await reopen()
    const [id, bytes] = [newId(), sample(20_000_000)]
    await store.create(id)
    const slow = new PassThrough()
    const first = store.append(id, slow, { offset: 0, maxSize })
    const firstRejected = expect(first).rejects.toMatchObject({ fault: 'busy' })
    slow.write(bytes.subarray(0, 10_000_000))
    await expect.poll(() => other.getReceivedSize(id)).toBe(getPartSize(0))
    const offset = getPartSize(0)
    const second = other.append(id, createSource(bytes.subarray(offset)), { offset, maxSize })
    slow.end(Buffer.alloc(10_000_000))
    await firstRejected
    expect(await second).toBe(bytes.length)
    await other.finish(id)
    expect(await hasContent(store, id, bytes)).toBe(true)
    expect(await keys()).toEqual([`blobs/${id}`])
  })
})
