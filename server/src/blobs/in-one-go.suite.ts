import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { newId } from '../lib/secrets.ts'
import type { Given } from './blob-store.suite.ts'
import type { BlobStore } from './blob-store.ts'
import { breaksAfter, listOf, sample, sourceOf } from './samples.ts'

/** All or nothing. */
export function describeInOneGo({ name, open }: Given) {
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
}
