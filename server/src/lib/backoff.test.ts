import { expect, it } from 'vitest'
import { computeBackoffMs } from './backoff.ts'

it('grows by its factor up to a maximum', () => {
  const delays = (options: Parameters<typeof computeBackoffMs>[1]) =>
    [1, 2, 3, 4, 5, 2000].map((failures) => computeBackoffMs(failures, options))
  expect(delays({ firstMs: 1000, maxMs: 10_000 })).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000])
  expect(delays({ firstMs: 5000, factor: 3, maxMs: 100_000 })).toEqual([5000, 15_000, 45_000, 100_000, 100_000, 100_000])
})

it('is zero without failures', () => {
  expect(computeBackoffMs(0, { firstMs: 1000, maxMs: 30_000 })).toBe(0)
})
