import { expect, it } from 'vitest'
import { formatPath, getPathBelow } from './format-path.ts'

const path = ['Tax 2026', 'Receipts', 'January'].map((name) => ({ id: name, name }))

it('formats the folders of a path', () => {
  expect(formatPath(path)).toBe('Tax 2026 / Receipts / January')
  expect(formatPath([])).toBe('')
})

it('returns the part of a path below a folder', () => {
  expect(formatPath(getPathBelow(path, 'Tax 2026'))).toBe('Receipts / January')
  expect(formatPath(getPathBelow(path, 'January'))).toBe('')
  expect(formatPath(getPathBelow(path, 'another'))).toBe('Tax 2026 / Receipts / January')
})
