import { formatCode, isPossibleCode, normalizeCode } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { openOffice } from '../link/testing.ts'

describe('an access code', () => {
  it('ignores case, spaces and dashes, takes I, L and O for digits, and is shown in groups of four', () => {
    expect(normalizeCode(' abcd-efgh – iloO ')).toBe('ABCDEFGH1100')
    expect(formatCode('ABCDEFGH1100')).toBe('ABCD-EFGH-1100')
  })

  it('is recognized as mistyped if one character is wrong, two are swapped, or its length is wrong', async () => {
    await using office = await openOffice()
    const code = normalizeCode((await office.reserve()).accessCode)
    expect(isPossibleCode(code)).toBe(true)
    const characters = [...code]
    for (let i = 0; i < characters.length; i++) {
      for (const character of '0123456789ABCDEFGHJKMNPQRSTVWXYZ') {
        if (character !== characters[i]) expect(isPossibleCode(characters.with(i, character).join(''))).toBe(false)
      }
      for (let j = 0; j < i; j++) {
        const [a = '', b = ''] = [characters[i], characters[j]]
        if (a !== b) expect(isPossibleCode(characters.with(i, b).with(j, a).join(''))).toBe(false)
      }
    }
    for (const invalid of ['', '0'.repeat(11), '0'.repeat(13), 'ÄÖÜ']) expect(isPossibleCode(invalid)).toBe(false)
  })
})
