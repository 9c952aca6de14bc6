import { expect, it } from 'vitest'
import { nameKey } from './name-key.ts'

it.each([
  ['Report.PDF', 'report.pdf'],
  ['ÄRGER', 'ärger'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδος', 'ΟΔΟΣ'],
  ['u\u0308', 'Ü'],
])('treats %s and %s as the same name', (one, other) => {
  expect(nameKey(one)).toBe(nameKey(other))
})

it('treats ß and ss as different', () => {
  expect(nameKey('Maße')).not.toBe(nameKey('Masse'))
})
