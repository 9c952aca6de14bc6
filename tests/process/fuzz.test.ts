import { expect, it } from 'vitest'
import { fuzz } from '../fuzz/fuzz.ts'

/** Sends one call of each operation in each role, always the same ones. `npm run fuzz` sends thousands of random ones. */
it('responds to generated calls of every operation in every role as /openapi.json declares', async () => {
  const { calls, findings } = await fuzz({ seed: 1, rounds: 1, maxMs: 60_000 })
  expect(findings).toEqual([])
  expect(calls).toBeGreaterThan(300)
})
