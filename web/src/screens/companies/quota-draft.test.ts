import { describe, expect, it } from 'vitest'
import { toBytes, toQuotaDraft } from './quota-draft.ts'

describe('the quota form', () => {
  it('shows a quota in the unit that people would choose', () => {
    expect(toQuotaDraft(null)).toEqual({ quota: '', unit: 'GB' })
    expect(toQuotaDraft(50_000_000_000)).toEqual({ quota: '50', unit: 'GB' })
    expect(toQuotaDraft(1_500_000_000_000)).toEqual({ quota: '1.5', unit: 'TB' })
    expect(toQuotaDraft(20 * 2 ** 30)).toEqual({ quota: '20', unit: 'GiB' })
    expect(toQuotaDraft(5000)).toEqual({ quota: '0.005', unit: 'MB' })
  })

  it('keeps every byte of a quota that is not changed', () => {
    for (const bytes of [1, 5000, 999_999, 1_073_741_824, 1_099_511_627_776, 123_456_789_012_345])
      expect(toBytes(toQuotaDraft(bytes))).toBe(bytes)
  })

  it('accepts a decimal point or comma, and an empty field for the default', () => {
    expect(toBytes({ quota: ' 1.5 ', unit: 'GB' })).toBe(1_500_000_000)
    expect(toBytes({ quota: '1,5', unit: 'GB' })).toBe(1_500_000_000)
    expect(toBytes({ quota: ' ', unit: 'TB' })).toBeNull()
  })

  it('rejects anything but a positive number, and fewer than one byte or more bytes than a number represents exactly', () => {
    for (const quota of ['0', '-1', 'five', '1e3', '1.2.3', '1,000,000', '99999999'])
      expect(toBytes({ quota, unit: 'TB' }), quota).toBeUndefined()
    expect(toBytes({ quota: '0.0000001', unit: 'MB' })).toBeUndefined()
  })
})
