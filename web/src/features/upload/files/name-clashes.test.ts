import { describe, expect, it } from 'vitest'
import { addConflictResolutions, groupNames } from './name-clashes.ts'
import type { PickedFile } from './picked-files.ts'

describe('name conflicts', () => {
  const picked = (...paths: string[]): PickedFile[] =>
    paths.map((path) => ({ file: new File([], path.slice(path.lastIndexOf('/') + 1)), path }))
  it('lists the names of each folder once, ignoring case', () => {
    const names = groupNames(picked('OFFER.pdf', 'offer.pdf', 'new.pdf', 'a/offer.pdf', 'a/Offer.pdf'))
    expect(Object.fromEntries(names)).toEqual({ '': ['OFFER.pdf', 'new.pdf'], a: ['offer.pdf'] })
  })
  it('replaces an existing file only once, in its folder', () => {
    const choices = new Map([
      ['a.txt', 'replace'],
      ['b.txt', 'keep'],
      ['x/a.txt', 'replace'],
    ] as const)
    const chosen = addConflictResolutions(picked('a.txt', 'A.txt', 'b.txt', 'X/A.txt', 'y/a.txt'), choices)
    expect(chosen.map(({ conflict }) => conflict)).toEqual(['replace', 'keep', 'keep', 'replace', 'keep'])
  })
})
