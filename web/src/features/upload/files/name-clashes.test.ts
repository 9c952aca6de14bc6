import { describe, expect, it } from 'vitest'
import { addConflictResolutions, getDistinctNames } from './name-clashes.ts'
import type { PickedFile } from './picked-files.ts'

describe('name conflicts', () => {
  const picked = (...names: string[]): PickedFile[] => names.map((name) => ({ file: new File([], name), path: name }))
  it('lists names once, ignoring case', () => {
    expect(getDistinctNames(picked('OFFER.pdf', 'offer.pdf', 'new.pdf'))).toEqual(['OFFER.pdf', 'new.pdf'])
  })
  it('replaces an existing file only once', () => {
    const chosen = addConflictResolutions(picked('a.txt', 'A.txt', 'b.txt'), { 'a.txt': 'replace', 'b.txt': 'keep' })
    expect(chosen.map(({ conflict }) => conflict)).toEqual(['replace', 'keep', 'keep'])
  })
})
