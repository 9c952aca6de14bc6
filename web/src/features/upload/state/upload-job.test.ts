import { beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import { loadAllTranslations } from '../../../i18n/t.ts'
import { computeFingerprint, findDifference } from '../files/file-identity.ts'
import { addConflictResolutions, getDistinctNames } from '../files/name-clashes.ts'
import type { PickedFile } from '../files/picked-files.ts'
import { getRetryDelayMs } from '../retry-timer.ts'
import { classifyError, FileChangedError, FileMissingError } from '../upload-errors.ts'
import { describeJob, formatTimeLeft, summarizeTotals } from '../upload-texts.ts'
import { createTestJob } from './testing.ts'
import type { UploadJob } from './upload-job.ts'
import { addSample, computeSpeed } from './upload-speed.ts'
import { computeTotals, sortByUrgency } from './upload-totals.ts'

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
    expect(summarize([done, createTestJob({ kind: 'fileless', canAsk: false })])).toBe('1 of 2 · 1 needs its file')
    expect(summarize([done, failed])).toBe('1 of 2 · 1 failed')
    expect(summarize([done, done])).toBe('2 uploaded')
  })
  it('reports 100 % only when complete, counts empty files, and ignores failed uploads', () => {
    expect(computeTotals([createTestJob({ kind: 'sending' }, { sent: 100 })], 0).percent).toBe(99)
    expect(
      computeTotals(
        [createTestJob({ kind: 'done', file: 'f1' }, { size: 0 }), createTestJob({ kind: 'sending' }, { size: 0 })],
        0,
      ).percent,
    ).toBe(50)
    expect(computeTotals([failed, sending], 0).percent).toBe(50)
    expect(computeTotals([done, failed], 0).percent).toBe(100)
    expect(computeTotals([failed], 0).percent).toBe(0)
  })
})

describe('describeJob', () => {
  it('shows the amount sent and the time left', () => {
    const sendingLarge = createTestJob({ kind: 'sending' }, { size: 40e6, sent: 12.4e6, speed: 230_000 })
    expect(describeJob(sendingLarge)).toBe('12.4 of 40.0 MB · 2 min left')
    expect(describeJob({ ...sendingLarge, sent: 900_000, speed: 0 })).toBe('900.0 KB of 40.0 MB')
  })
  it('rounds the time left', () => {
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

it('delays retries by 1, 2, 4 … 30 seconds, or as long as the server demands', () => {
  expect([1, 2, 3, 5, 6, 20].map((attempts) => getRetryDelayMs(attempts))).toEqual([1000, 2000, 4000, 16_000, 30_000, 30_000])
  expect(getRetryDelayMs(1, 60)).toBe(60_000)
})

describe('classifyError', () => {
  const classify = (status: number, code = 'reply' as ApiError['code'], attempts = 1) =>
    classifyError(new ApiError(code, 'Why.', { status }), attempts)

  it('retries temporary failures', () => {
    expect(classify(0)).toEqual({ kind: 'waiting', for: 'network' })
    expect(classify(401)).toEqual({ kind: 'waiting', for: 'session' })
    for (const status of [408, 409, 423, 429, 502, 503, 504, 500]) expect(classify(status)).toMatchObject({ for: 'server' })
  })
  it('fails after five server errors', () => {
    expect(classify(500, 'server.failed', 5)).toMatchObject({ kind: 'failed', canRetry: true })
  })
  it('describes permanent failures, and offers a retry where that can help', () => {
    expect(classify(507, 'storage.full')).toMatchObject({ canRetry: true })
    expect(classify(413, 'file.too_large')).toMatchObject({ canRetry: false })
    expect(classify(400, 'file.name_invalid')).toMatchObject({ message: 'Why. Rename it and upload it again.', canRetry: false })
    expect(classify(404, 'directory.not_found')).toMatchObject({ canRetry: true, isGone: false })
    expect(classifyError(new FileChangedError(), 1)).toMatchObject({ kind: 'failed', canRetry: false })
    expect(classifyError(new FileMissingError(), 1)).toEqual({ kind: 'fileless' })
  })
  it('does not send the file again by itself when the upload is gone', () => {
    expect(classify(404)).toMatchObject({ kind: 'failed', isGone: true, canRetry: true })
  })
})

describe('findDifference', () => {
  const file = (text: string, lastModified = 1) => new File([text], 'Offer.pdf', { lastModified })
  it('compares name, size, modification time and content', async () => {
    const known = { name: 'Offer.pdf', size: 3, lastModified: 1, fingerprint: await computeFingerprint(file('abc')) }
    expect(await findDifference(known, file('abc'))).toBeUndefined()
    expect(await findDifference(known, new File(['abc'], 'Other.pdf', { lastModified: 1 }))).toMatch('Other.pdf')
    expect(await findDifference(known, file('abcd'))).toMatch('4 B, not 3 B')
    expect(await findDifference(known, file('abc', 2))).toMatch('changed')
    expect(await findDifference(known, file('abd'))).toMatch('changed')
  })
  it('compares the last bytes of a large file', async () => {
    const large = 'x'.repeat(300_000)
    expect(await computeFingerprint(new Blob([large, 'a']))).not.toBe(await computeFingerprint(new Blob([large, 'b'])))
  })
})

describe('name conflicts', () => {
  const picked = (...names: string[]): PickedFile[] => names.map((name) => ({ file: new File([], name), path: name }))
  it('lists names once, ignoring case', () => {
    expect(getDistinctNames(picked('OFFER.pdf', 'offer.pdf', 'new.pdf'))).toEqual(['OFFER.pdf', 'new.pdf'])
  })
  it('replaces an existing file only once', () => {
    const chosen = addConflictResolutions(picked('a.txt', 'A.txt', 'b.txt'), { 'a.txt': 'replace', 'b.txt': 'keep' })
    expect(chosen.map(({ conflict }) => conflict)).toEqual(['replace', 'keep', 'keep'])
  })
})
