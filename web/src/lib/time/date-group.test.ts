import { expect, it } from 'vitest'
import { getDateGroup } from './date-group.ts'

it('groups by today, yesterday, the last 7 days, and by month before that', () => {
  const now = new Date(2026, 10, 19, 9, 30).getTime()
  const group = (month: number, day: number, hour = 12) => getDateGroup(new Date(2026, month, day, hour).toISOString(), now)
  expect(group(10, 19, 8)).toBe('Today')
  expect(group(10, 19, 23)).toBe('Today') // the clocks of server and browser differ
  expect(group(10, 18, 23)).toBe('Yesterday')
  expect(group(10, 17)).toBe('Last 7 days')
  expect(group(10, 13)).toBe('Last 7 days')
  expect(group(10, 12)).toBe('November 2026')
  expect(group(1, 3)).toBe('February 2026')
  expect(getDateGroup('', now)).toBe('Unknown')
})
