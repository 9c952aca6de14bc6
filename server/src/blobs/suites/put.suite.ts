import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { newId } from '../../lib/secrets.ts'
import type { BlobStore } from '../blob-store.ts'
import type { SuiteOptions } from './blob-store.suite.ts'
import { collect, createFailingSource, createSource, sample } from './samples.ts'

export function describePut({ name, open }: SuiteOptions) {
  describe(`${name}: an upload in a single request`, () => {
    const expectEmpty = async (store: BlobStore) => {
      expect(await collect(store.listUploads())).toEqual([])
      expect(await collect(store.listBlobs())).toEqual([])
    }

    it('may have the maximum size, and not a byte more', async () => {
      const { store } = await open()
      await expect(store.put(newId(), createSource(sample(1_000_001)), { maxSize: 1_000_000 })).rejects.toMatchObject({
        fault: 'too_large',
      })
      await expectEmpty(store)
      expect(await store.put(newId(), createSource(sample(1_000_000)), { maxSize: 1_000_000 })).toMatchObject({
        size: 1_000_000,
      })
    })

    it('leaves the connection open for a response when it is too large', async () => {
      const { store } = await open()
      const source = new PassThrough()
      source.write(sample(600_000))
      await expect(store.put(newId(), source, { maxSize: 10 })).rejects.toMatchObject({ fault: 'too_large' })
      expect(source.destroyed).toBe(false)
      source.destroy(new Error('a later error does no harm'))
      await new Promise((resolve) => source.once('close', resolve))
    })

    it('leaves nothing behind when the connection breaks', async () => {
      const { store } = await open()
      const broken = store.put(newId(), createFailingSource(sample(700_000)), { maxSize: 1e6 })
      await expect(broken).rejects.toMatchObject({ fault: 'cut', cause: { message: 'client gone' } })
      await expectEmpty(store)
    })

    it('leaves nothing behind when the connection was broken before it started', async () => {
      const { store } = await open()
      const source = new PassThrough().on('error', () => {})
      source.destroy(new Error('client gone'))
      await expect(store.put(newId(), source, { maxSize: 1 })).rejects.toMatchObject({ fault: 'cut' })
      await expectEmpty(store)
    })

    it('leaves nothing behind when it is aborted', async () => {
      const { store } = await open()
      for (const wait of [0, 1, 5]) {
        const controller = new AbortController()
        const source = new PassThrough()
        const putting = store.put(newId(), source, { maxSize: 1e6, signal: controller.signal })
        source.write(sample(1000))
        for (let i = 0; i < wait; i++) await setImmediate()
        controller.abort()
        await expect(putting).rejects.toMatchObject({ fault: 'cut' })
        await expectEmpty(store)
      }
    })
  })
}
