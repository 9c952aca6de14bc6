import { expect, it } from 'vitest'
import { formatDaysLeft } from './dates.ts'

const createDate = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes)

it.each([
  [createDate(16, 0, 52), 'in less than a minute'],
  [createDate(17, 1, 40), 'in 48 min'],
  [createDate(17, 23), 'in 22 h'],
  [createDate(18, 0, 40), 'in 24 h'],
  [createDate(18, 0, 52), 'tomorrow'],
  [createDate(18, 23, 59), 'tomorrow'],
  [createDate(19, 0), 'in 2 days'],
  [createDate(30, 12), 'in 13 days'],
])('formats %s as “%s”, seen from the 17th at 0:52', (end, text) => {
  expect(formatDaysLeft(end.toISOString(), createDate(17, 0, 52).getTime())).toBe(text)
})
