import { expect, it } from 'vitest'
import { splitAtMatch } from './split-at-match.ts'

it('splits a text at the first match, ignoring case, and keeps its original case', () => {
  expect(splitAtMatch('Annual Accounts.pdf', 'accounts')).toEqual(['Annual ', 'Accounts', '.pdf'])
  expect(splitAtMatch('Offer.pdf', ' offer ')).toEqual(['', 'Offer', '.pdf'])
  expect(splitAtMatch('Offer.pdf', 'plan')).toEqual(['Offer.pdf', '', ''])
  expect(splitAtMatch('Offer.pdf', '')).toEqual(['Offer.pdf', '', ''])
  expect(splitAtMatch('İstanbul.txt', 'bul')).toEqual(['İstan', 'bul', '.txt']) // its lower case is longer
})
