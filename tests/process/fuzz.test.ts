import { expect, it } from 'vitest'
import { fuzz } from '../fuzz/fuzz.ts'

/**
 * Sends one generated call per operation and role. The seed makes them the same in every run; `npm run fuzz` sends
 * thousands of random ones.
 */
it('responds to generated calls of every operation in every role as /openapi.json declares', async () => {
  const { calls, findings } = await fuzz({ seed: 1, rounds: 1, maxMs: 60_000 })
  expect(findings).toEqual([])
  expect(calls).toBeGreaterThan(300)
})
