import { expect, it } from 'vitest'
import { toNameKey } from './name-key.ts'

it.each([
  ['Report.PDF', 'report.pdf'],
  ['ÄRGER', 'ärger'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδος', 'ΟΔΟΣ'],
  ['u\u0308', 'Ü'],
])('treats %s and %s as the same name', (one, other) => {
  expect(toNameKey(one)).toBe(toNameKey(other))
})

it('treats ß and ss as different', () => {
  expect(toNameKey('Maße')).not.toBe(toNameKey('Masse'))
})
