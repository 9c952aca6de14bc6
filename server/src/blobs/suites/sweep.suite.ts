import { describe, expect, it } from 'vitest'
import { newId } from '../../lib/secrets.ts'
import { sweep } from '../sweep.ts'
import type { SuiteOptions } from './blob-store.suite.ts'
import { collect, createSource, sample } from './samples.ts'

export function describeSweep({ name, open }: SuiteOptions) {
  describe(`${name}: the sweep`, () => {
    it('removes old bytes that are not referenced, and nothing else', async () => {
      const longAgo = new Date(Date.now() - 60_000) // independent of how long the test takes
      const { store } = await open()
      const [referenced, orphan, unfinished, abandoned] = [newId(), newId(), newId(), newId()]
      await store.put(referenced, createSource(sample(1)), { maxSize: 1 })
      await store.put(orphan, createSource(sample(1)), { maxSize: 1 })
      await store.create(unfinished)
      await store.create(abandoned)
      const findReferenced = async () => new Set([referenced, unfinished])

      const soon = new Date(Date.now() + 60_000)
      expect(await sweep(store, { before: longAgo, findReferenced })).toEqual({ uploads: [], blobs: [] })
      const found = { uploads: [abandoned], blobs: [orphan] }
      expect(await sweep(store, { before: soon, findReferenced, dryRun: true })).toEqual(found)
      expect(await sweep(store, { before: soon, findReferenced })).toEqual(found)
      expect(await sweep(store, { before: soon, findReferenced })).toEqual({ uploads: [], blobs: [] })
      expect(await collect(store.listBlobs())).toEqual([referenced])
      expect(await collect(store.listUploads())).toEqual([unfinished])
    })
  })
}
