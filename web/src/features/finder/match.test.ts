import { expect, it } from 'vitest'
import { partsOf } from '../../lib/parts.ts'
import { hasWords, nearness } from './match.ts'

it('finds what has every word that was typed, whatever their case and order', () => {
  expect(hasWords('Create link', 'cre')).toBe(true)
  expect(hasWords('Create link', 'LINK create')).toBe(true)
  expect(hasWords('Create link', 'link delete')).toBe(false)
  expect(hasWords('Create link', '  ')).toBe(true)
})

it('puts what begins with it before what has it somewhere', () => {
  const labels = ['Unlinked', 'Create link', 'Links']
  expect(labels.toSorted((a, b) => nearness(a, 'link') - nearness(b, 'link'))).toEqual(['Links', 'Create link', 'Unlinked'])
})

it('marks the first place of what was typed, as it is written there', () => {
  expect(partsOf('Annual Accounts.pdf', 'accounts')).toEqual(['Annual ', 'Accounts', '.pdf'])
  expect(partsOf('Offer.pdf', ' offer ')).toEqual(['', 'Offer', '.pdf'])
  expect(partsOf('Offer.pdf', 'plan')).toEqual(['Offer.pdf', '', ''])
  expect(partsOf('Offer.pdf', '')).toEqual(['Offer.pdf', '', ''])
  expect(partsOf('İstanbul.txt', 'bul')).toEqual(['İstan', 'bul', '.txt']) // whose small letters are longer
})
