import { describe, expect, it } from 'vitest'
import { newId } from '../lib/secrets.ts'
import type { Given } from './blob-store.suite.ts'
import { listOf, sample, sourceOf } from './samples.ts'
import { sweep } from './sweep.ts'

/** What nobody knows does not stay for ever. */
export function describeSweep({ name, open }: Given) {
  describe(`${name}: the sweep`, () => {
    it('removes old bytes that nobody knows, and nothing else', async () => {
      const longAgo = new Date(Date.now() - 60_000) // independent of how long the test takes
      const { store } = await open()
      const [known, unknown, goesOn, leftBehind] = [newId(), newId(), newId(), newId()]
      await store.put(known, sourceOf(sample(1)), { maxSize: 1 })
      await store.put(unknown, sourceOf(sample(1)), { maxSize: 1 })
      await store.create(goesOn)
      await store.create(leftBehind)
      const wanted = async () => new Set([known, goesOn])

      const soon = new Date(Date.now() + 60_000)
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
