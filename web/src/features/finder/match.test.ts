import { expect, it } from 'vitest'
import { hasAllWords, rankMatch } from './match.ts'

it('matches texts that contain every typed word, in any case and order', () => {
  expect(hasAllWords('Create link', 'cre')).toBe(true)
  expect(hasAllWords('Create link', 'LINK create')).toBe(true)
  expect(hasAllWords('Create link', 'link delete')).toBe(false)
  expect(hasAllWords('Create link', '  ')).toBe(true)
})

it('ranks texts that start with the search first, then those with a word that does', () => {
  const labels = ['Unlinked', 'Create link', 'Links']
  expect(labels.toSorted((a, b) => rankMatch(a, 'link') - rankMatch(b, 'link'))).toEqual(['Links', 'Create link', 'Unlinked'])
})
