import { expect, it } from 'vitest'
import { fuzz } from '../fuzz/fuzz.ts'

/** One call of each operation in each role, always the same ones. `npm run fuzz` makes thousands, different ones each time. */
it('answers generated calls of every operation in every role as /openapi.json declares', async () => {
  const { calls, findings } = await fuzz({ seed: 1, rounds: 1, maxMs: 60_000 })
  expect(findings).toEqual([])
  expect(calls).toBeGreaterThan(300)
})
