import { describe, expect, it } from 'vitest'
import { computeFingerprint, findDifference } from './file-identity.ts'

describe('the identity of a file', () => {
  const file = (text: string, lastModified = 1) => new File([text], 'Offer.pdf', { lastModified })
  it('compares name, size, modification time and content', async () => {
    const known = { name: 'Offer.pdf', size: 3, lastModified: 1, fingerprint: await computeFingerprint(file('abc')) }
    expect(await findDifference(known, file('abc'))).toBeUndefined()
    expect(await findDifference(known, new File(['abc'], 'Other.pdf', { lastModified: 1 }))).toMatch('Other.pdf')
    expect(await findDifference(known, file('abcd'))).toMatch('4 B, not 3 B')
    expect(await findDifference(known, file('abc', 2))).toMatch('changed')
    expect(await findDifference(known, file('abd'))).toMatch('changed')
  })
  it('compares the last bytes of a large file', async () => {
    const large = 'x'.repeat(300_000)
    expect(await computeFingerprint(new Blob([large, 'a']))).not.toBe(await computeFingerprint(new Blob([large, 'b'])))
  })
})
