import { formatCode, isPossibleCode, normalizeCode } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { openOffice } from './testing.ts'

describe('an access code', () => {
  it('is read however it was typed', () => {
    expect(normalizeCode(' abcd-efgh – iloO ')).toBe('ABCDEFGH1100')
    expect(formatCode('ABCDEFGH1100')).toBe('ABCD-EFGH-1100')
  })

  it('shows every wrong sign and every two that changed places', async () => {
    await using office = await openOffice()
    const code = normalizeCode((await office.reserve()).accessCode)
    expect(isPossibleCode(code)).toBe(true)
    const signs = [...code]
    for (let i = 0; i < signs.length; i++) {
      for (const sign of '0123456789ABCDEFGHJKMNPQRSTVWXYZ') {
        if (sign !== signs[i]) expect(isPossibleCode(signs.with(i, sign).join(''))).toBe(false)
      }
      for (let j = 0; j < i; j++) {
        const [a = '', b = ''] = [signs[i], signs[j]]
        if (a !== b) expect(isPossibleCode(signs.with(i, b).with(j, a).join(''))).toBe(false)
      }
    }
    for (const none of ['', '0'.repeat(11), '0'.repeat(13), 'ÄÖÜ']) expect(isPossibleCode(none)).toBe(false)
  })
})
