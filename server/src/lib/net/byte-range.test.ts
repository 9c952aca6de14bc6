import { describe, expect, it } from 'vitest'
import { formatContentRange, resolveRange } from './byte-range.ts'

const etag = '"abc"'
const resolveOf1000 = (range?: string) => resolveRange({ range }, { size: 1000, etag })

describe('a range of a thousand bytes', () => {
  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-499', 0, 500],
    ['bytes=500-', 500, 1000],
    ['bytes=999-999', 999, 1000],
    ['bytes=-1', 999, 1000],
    ['bytes=-5000', 0, 1000],
    ['bytes=900-99999999999999999999999', 900, 1000],
    ['Bytes = 1-2 ', 1, 3],
  ])('resolves %s to %i up to %i', (header, start, end) => {
    expect(resolveOf1000(header)).toEqual({ start, end })
  })

  it.each(['bytes=1000-', 'bytes=1000-2000', 'bytes=-0', 'bytes=9999999999999999999999-'])(
    'is unsatisfiable for %s',
    (header) => {
      expect(resolveOf1000(header)).toBe('unsatisfiable')
    },
  )

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-4',
    'bytes=a-b',
    'bytes=1.5-2',
    'bytes=0x1-2',
    'bytes=--1',
    'bytes=0-1,5-6',
    'bytes=0-1, 2000-',
    'lines=0-1',
    '0-1',
  ])('is the whole representation for %s', (header) => {
    expect(resolveOf1000(header)).toBe('whole')
  })
})

it('never resolves a range of an empty representation', () => {
  const ofEmpty = (range: string) => resolveRange({ range }, { size: 0, etag })
  expect(ofEmpty('bytes=0-')).toBe('unsatisfiable')
  expect(ofEmpty('bytes=-5')).toBe('whole')
})

it('parses a hostile header quickly', () => {
  expect(resolveOf1000(`bytes=${' '.repeat(30_000)}x`)).toBe('whole')
  expect(resolveOf1000(`bytes=${'1'.repeat(30_000)}-x`)).toBe('whole')
})

describe('a client that resumes with If-Range', () => {
  const lastModified = new Date('2026-12-01T09:00:00.789Z')
  const getsRange = (ifRange: string, currentEtag = etag) =>
    resolveRange({ range: 'bytes=5-', ifRange }, { size: 10, etag: currentEtag, lastModified }) !== 'whole'

  it('gets the range if the ETag matches', () => expect(getsRange('"abc"')).toBe(true))
  it('gets the range if the date matches to the second', () => expect(getsRange('Tue, 01 Dec 2026 09:00:00 GMT')).toBe(true))
  it.each(['"other"', 'W/"abc"', 'abc', 'Tue, 01 Dec 2026 09:00:01 GMT', 'Tue, 01 Dec 2026', ''])(
    'gets the whole representation for %s',
    (ifRange) => expect(getsRange(ifRange)).toBe(false),
  )
  it('gets the whole representation if the ETag is weak', () => expect(getsRange('W/"abc"', 'W/"abc"')).toBe(false))
})

it('writes Content-Range with an inclusive end', () => {
  expect(formatContentRange({ start: 0, end: 500 }, 1000)).toBe('bytes 0-499/1000')
  expect(formatContentRange(undefined, 1000)).toBe('bytes */1000')
})
