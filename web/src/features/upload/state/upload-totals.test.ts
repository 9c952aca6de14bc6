import { expect, it } from 'vitest'
import { createTestJob } from './testing.ts'
import { addSample, computeSpeed } from './upload-speed.ts'
import { computeTotals, sortByUrgency } from './upload-totals.ts'

const done = createTestJob({ kind: 'done', file: 'f1' }, { sent: 100 })
const sending = createTestJob({ kind: 'sending' }, { sent: 50 })
const failed = createTestJob({ kind: 'failed', message: 'No.', canRetry: true })

it('reports 100 % only when complete, counts empty files, and ignores failed uploads', () => {
  expect(computeTotals([createTestJob({ kind: 'sending' }, { sent: 100 })], 0).percent).toBe(99)
  expect(
    computeTotals([createTestJob({ kind: 'done', file: 'f1' }, { size: 0 }), createTestJob({ kind: 'sending' }, { size: 0 })], 0)
      .percent,
  ).toBe(50)
  expect(computeTotals([failed, sending], 0).percent).toBe(50)
  expect(computeTotals([done, failed], 0).percent).toBe(100)
  expect(computeTotals([failed], 0).percent).toBe(0)
})

it('sorts failed uploads first and completed ones last', () => {
  expect(sortByUrgency([done, sending, failed]).map(({ state }) => state.kind)).toEqual(['failed', 'sending', 'done'])
})

it('computes the speed over the last seconds', () => {
  let samples = addSample([], [0, 0])
  expect(computeSpeed(samples)).toBe(0)
  for (let second = 1; second <= 10; second++) samples = addSample(samples, [second * 1000, second * 1000])
  expect(computeSpeed(samples)).toBe(1000)
  expect(samples.length).toBeLessThan(7)
})
