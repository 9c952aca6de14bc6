import { describe, expect, it } from 'vitest'
import { formatQuantity, fromEntered, type Quantity, toEntered } from './quantities.ts'

describe.each<[Quantity, number[]]>([
  ['bytes', [1, 999_999, 1_000_000, 20 * 2 ** 30, 1_500_000_000, 2 ** 50 + 1, Number.MAX_SAFE_INTEGER]],
  ['minutes', [0, 1, 59, 60, 90, 720, 1440, 43_200, 6_000_000]],
  ['days', [1, 30, 3650]],
  ['count', [25, 587]],
])('converting a stored value in %s to a form entry and back', (quantity, values) => {
  it.each(values)('keeps %d exactly', (value) => {
    expect(fromEntered(quantity, toEntered(quantity, value))).toBe(value)
  })
})

it('uses the unit that people would choose', () => {
  expect(toEntered('minutes', 720)).toEqual({ number: '12', unit: 'hour' })
  expect(toEntered('minutes', 43_200)).toEqual({ number: '30', unit: 'day' })
  expect(toEntered('minutes', 90)).toEqual({ number: '90', unit: 'minute' })
  expect(toEntered('bytes', 20_000_000_000)).toEqual({ number: '20', unit: 'GB' })
  expect(toEntered('bytes', 1_500_000_000)).toEqual({ number: '1.5', unit: 'GB' })
  expect(toEntered('bytes', 20 * 2 ** 30)).toEqual({ number: '20', unit: 'GiB' })
  expect(toEntered('bytes', 1.5 * 2 ** 30)).toEqual({ number: '1536', unit: 'MiB' })
  expect(toEntered('bytes', 20 * 2 ** 30 + 1)).toEqual({ number: '21.474836481', unit: 'GB' })
  expect(toEntered('bytes', null)).toEqual({ number: '', unit: 'GB' })
})

it('accepts a decimal comma and rejects invalid numbers', () => {
  expect(fromEntered('minutes', { number: '1,5', unit: 'hour' })).toBe(90)
  expect(fromEntered('bytes', { number: ' 0,5 ', unit: 'TB' })).toBe(500_000_000_000)
  expect(fromEntered('bytes', { number: '0,5', unit: 'GiB' })).toBe(2 ** 29)
  expect(fromEntered('days', { number: '', unit: 'day' })).toBeNull()
  for (const number of ['-1', '1e3', '1.2.3', 'ten', '1 000']) expect(fromEntered('days', { number, unit: 'day' })).toBeNaN()
})

it('formats a size in a binary unit exactly, and others with one decimal', () => {
  expect(formatQuantity('bytes', 20 * 2 ** 30)).toBe('20 GiB')
  expect(formatQuantity('bytes', 2_000_000_000)).toBe('2.0 GB')
})
