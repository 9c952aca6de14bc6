import { beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { loadAllWords } from '../../words/t.ts'
import { distinctNames, withConflicts } from './clashes.ts'
import type { PickedFile } from './picked-files.ts'
import { differenceOf, fingerprintOf } from './same-file.ts'
import { inOrder, speedOf, type Transfer, type TransferState, totalsOf, waitFor, withSample } from './transfer.ts'
import { stateWords, summaryOf, timeLeft } from './transfer-words.ts'
import { FileChanged, FileMissing, verdictOn } from './verdict.ts'

beforeAll(loadAllWords)

const transfer = (state: TransferState, facts: Partial<Transfer> = {}): Transfer => ({
  id: 'a',
  name: 'Offer.pdf',
  size: 100,
  directory: { id: 'd', name: 'Contracts' },
  sent: 0,
  speed: 0,
  state,
  ...facts,
})
const done = transfer({ kind: 'done', file: 'f1' }, { sent: 100 })
const sending = transfer({ kind: 'sending' }, { sent: 50 })
const failed = transfer({ kind: 'failed', message: 'No.', canRetry: true })
const summary = (transfers: Transfer[], speed = 0) => summaryOf(totalsOf(transfers, speed))

describe('the one line of the tray', () => {
  it('says how many, how far and how long', () => {
    expect(summary([done, sending, transfer({ kind: 'queued' })], 1)).toBe('1 of 3 · 50 % · 3 min left')
  })
  it('says what all wait for, and not while one still moves', () => {
    const waiting = transfer({ kind: 'waiting', for: 'network' })
    expect(summary([done, waiting])).toBe('1 of 2 · 50 % · Waiting for the network')
    expect(summary([sending, waiting], 5)).toBe('0 of 2 · 25 % · 30 s left')
  })
  it('says what is left for somebody to do', () => {
    expect(summary([done, transfer({ kind: 'paused' })])).toBe('1 of 2 · 50 % · Paused')
    expect(summary([done, transfer({ kind: 'fileless', canAsk: false })])).toBe('1 of 2 · 1 needs its file')
    expect(summary([done, failed])).toBe('1 of 2 · 1 failed')
    expect(summary([done, done])).toBe('2 uploaded')
  })
  it('says 100 only when all is there, counts files where there are no bytes, and leaves out what failed', () => {
    expect(totalsOf([transfer({ kind: 'sending' }, { sent: 100 })], 0).percent).toBe(99)
    expect(
      totalsOf([transfer({ kind: 'done', file: 'f1' }, { size: 0 }), transfer({ kind: 'sending' }, { size: 0 })], 0).percent,
    ).toBe(50)
    expect(totalsOf([failed, sending], 0).percent).toBe(50)
    expect(totalsOf([done, failed], 0).percent).toBe(100)
    expect(totalsOf([failed], 0).percent).toBe(0)
  })
})

describe('the words of a file', () => {
  it('say how much of it is there and how long the rest takes', () => {
    const going = transfer({ kind: 'sending' }, { size: 40e6, sent: 12.4e6, speed: 230_000 })
    expect(stateWords(going)).toBe('12.4 of 40.0 MB · 2 min left')
    expect(stateWords({ ...going, sent: 900_000, speed: 0 })).toBe('900.0 KB of 40.0 MB')
  })
  it('round the time, so that it does not flicker', () => {
    expect([2, 31, 70, 3600, 4900, 400_000, undefined].map(timeLeft)).toEqual([
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

it('puts first what needs somebody and last what is done', () => {
  expect(inOrder([done, sending, failed]).map(({ state }) => state.kind)).toEqual(['failed', 'sending', 'done'])
})

it('measures the speed of the last seconds', () => {
  let samples = withSample([], [0, 0])
  expect(speedOf(samples)).toBe(0)
  for (let second = 1; second <= 10; second++) samples = withSample(samples, [second * 1000, second * 1000])
  expect(speedOf(samples)).toBe(1000)
  expect(samples.length).toBeLessThan(7)
})

it('waits 1, 2, 4 … 30 seconds, and as long as the server asks', () => {
  expect([1, 2, 3, 5, 6, 20].map((tries) => waitFor(tries))).toEqual([1000, 2000, 4000, 16_000, 30_000, 30_000])
  expect(waitFor(1, 60)).toBe(60_000)
})

describe('a failure', () => {
  const verdict = (status: number, code = 'reply' as ApiError['code'], tries = 1) =>
    verdictOn(new ApiError(code, 'Why.', { status }), tries)

  it('that passes by itself is waited for', () => {
    expect(verdict(0)).toEqual({ kind: 'waiting', for: 'network' })
    expect(verdict(401)).toEqual({ kind: 'waiting', for: 'session' })
    for (const status of [408, 409, 423, 429, 502, 503, 504, 500]) expect(verdict(status)).toMatchObject({ for: 'server' })
  })
  it('of the server is final after five tries', () => {
    expect(verdict(500, 'server.failed', 5)).toMatchObject({ kind: 'failed', canRetry: true })
  })
  it('says what to do, and offers a second try where it can help', () => {
    expect(verdict(507, 'storage.full')).toMatchObject({ canRetry: true })
    expect(verdict(413, 'file.too_large')).toMatchObject({ canRetry: false })
    expect(verdict(400, 'file.name_invalid')).toMatchObject({ message: 'Why. Rename it and upload it again.', canRetry: false })
    expect(verdict(404, 'directory.not_found')).toMatchObject({ canRetry: true, isGone: false })
    expect(verdictOn(new FileChanged(), 1)).toMatchObject({ kind: 'failed', canRetry: false })
    expect(verdictOn(new FileMissing(), 1)).toEqual({ kind: 'fileless' })
  })
  it('to find an upload is never answered by sending the file once more unasked', () => {
    expect(verdict(404)).toMatchObject({ kind: 'failed', isGone: true, canRetry: true })
  })
})

describe('a file chosen again', () => {
  const file = (text: string, lastModified = 1) => new File([text], 'Offer.pdf', { lastModified })
  it('is known by its name, size, date and ends', async () => {
    const known = { name: 'Offer.pdf', size: 3, lastModified: 1, fingerprint: await fingerprintOf(file('abc')) }
    expect(await differenceOf(known, file('abc'))).toBeUndefined()
    expect(await differenceOf(known, new File(['abc'], 'Other.pdf', { lastModified: 1 }))).toMatch('Other.pdf')
    expect(await differenceOf(known, file('abcd'))).toMatch('4 B, not 3 B')
    expect(await differenceOf(known, file('abc', 2))).toMatch('changed')
    expect(await differenceOf(known, file('abd'))).toMatch('changed')
  })
  it('is told apart by its last bytes, however large', async () => {
    const large = 'x'.repeat(300_000)
    expect(await fingerprintOf(new Blob([large, 'a']))).not.toBe(await fingerprintOf(new Blob([large, 'b'])))
  })
})

describe('names that are taken', () => {
  const picked = (...names: string[]): PickedFile[] => names.map((name) => ({ file: new File([], name), path: name }))
  it('are found whatever their case, each once', () => {
    expect(distinctNames(picked('OFFER.pdf', 'offer.pdf', 'new.pdf'))).toEqual(['OFFER.pdf', 'new.pdf'])
  })
  it('are replaced once: the second file of the same name keeps the first', () => {
    const chosen = withConflicts(picked('a.txt', 'A.txt', 'b.txt'), { 'a.txt': 'replace', 'b.txt': 'keep' })
    expect(chosen.map(({ conflict }) => conflict)).toEqual(['replace', 'keep', 'keep'])
  })
})
