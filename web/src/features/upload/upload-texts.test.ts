import { beforeAll, describe, expect, it } from 'vitest'
import { loadAllTranslations } from '../../i18n/t.ts'
import { createTestJob } from './state/testing.ts'
import type { UploadJob } from './state/upload-job.ts'
import { computeTotals } from './state/upload-totals.ts'
import { describeJob, formatTimeLeft, summarizeTotals } from './upload-texts.ts'

beforeAll(loadAllTranslations)

const done = createTestJob({ kind: 'done', file: 'f1' }, { sent: 100 })
const sending = createTestJob({ kind: 'sending' }, { sent: 50 })
const failed = createTestJob({ kind: 'failed', message: 'No.', canRetry: true })
const summarize = (jobs: UploadJob[], speed = 0) => summarizeTotals(computeTotals(jobs, speed))

describe('summarizeTotals', () => {
  it('shows the count, the percentage and the time left', () => {
    expect(summarize([done, sending, createTestJob({ kind: 'queued' })], 1)).toBe('1 of 3 · 50 % · 3 min left')
  })
  it('shows what all uploads wait for, unless one is being sent', () => {
    const waiting = createTestJob({ kind: 'waiting', for: 'network' })
    expect(summarize([done, waiting])).toBe('1 of 2 · 50 % · Waiting for the network')
    expect(summarize([sending, waiting], 5)).toBe('0 of 2 · 25 % · 30 s left')
  })
  it('shows paused, fileless, failed and completed uploads', () => {
    expect(summarize([done, createTestJob({ kind: 'paused' })])).toBe('1 of 2 · 50 % · Paused')
    expect(summarize([done, createTestJob({ kind: 'fileless', canAsk: false })])).toBe('1 of 2 · 1 to choose again')
    expect(summarize([done, failed])).toBe('1 of 2 · 1 failed')
    expect(summarize([done, done])).toBe('2 uploaded')
  })
})

describe('describeJob', () => {
  it('shows the amount sent and the time left', () => {
    const sendingLarge = createTestJob({ kind: 'sending' }, { size: 40e6, sent: 12.4e6, speed: 230_000 })
    expect(describeJob(sendingLarge)).toBe('12.4 of 40.0 MB · 2 min left')
    expect(describeJob({ ...sendingLarge, sent: 900_000, speed: 0 })).toBe('900.0 KB of 40.0 MB')
  })
})

it('rounds the time left, and leaves it out if it is unknown', () => {
  expect([2, 31, 70, 3600, 4900, 400_000, undefined].map(formatTimeLeft)).toEqual([
    '5 s left',
    '35 s left',
    '1 min left',
    '1 h left',
    '1 h 22 min left',
    '5 days left',
    '',
  ])
})
