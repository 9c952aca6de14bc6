import { expect, it } from 'vitest'
import { findCommonDirectory } from './item.ts'

const inFolder = (...ids: string[]) => ({
  path: ids.slice(0, -1).map((id) => ({ id, name: id })),
  directory_id: ids.at(-1) ?? '',
})

it('finds the lowest directory that contains all files', () => {
  expect(findCommonDirectory([inFolder('top', 'a')])).toBe('a')
  expect(findCommonDirectory([inFolder('top', 'a'), inFolder('top', 'a', 'deep')])).toBe('a')
  expect(findCommonDirectory([inFolder('top', 'a', 'x'), inFolder('top', 'b', 'y')])).toBe('top')
  expect(findCommonDirectory([inFolder('top'), inFolder('other')])).toBeUndefined()
  expect(findCommonDirectory([])).toBeUndefined()
})
