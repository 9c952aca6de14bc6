import { computeCheckCharacter, formatCode } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { findCodeFault } from './code-fault.ts'

const characters = '7YQFT0PEX3K'
const key = 'Zx81Qm4TtW0pLr6NvB2cYd'
const code = formatCode(characters + computeCheckCharacter(characters))

describe('findCodeFault', () => {
  it('accepts a valid code in any case and with any separators', () => {
    for (const typed of [code, code.toLowerCase(), ` ${code.replaceAll('-', ' ')} `, code.replace('0', 'o')])
      expect(findCodeFault(typed, key), typed).toBeUndefined()
  })

  it('reports a missing, too short, too long or mistyped code', () => {
    expect(findCodeFault(' - ', key)).toBe('Enter the access code.')
    expect(findCodeFault(code.slice(0, -1), key)).toBe('A code has 12 letters and digits. This one has 11.')
    expect(findCodeFault(`${code}7`, key)).toBe('A code has 12 letters and digits. This one has 13.')
    expect(findCodeFault(code.replace('Q', 'R'), key)).toMatch(/^That code has a typo/)
    expect(findCodeFault(code.replace('T', '!'), key)).toMatch(/^That code has a typo/)
  })

  it('recognizes the key of the link', () => {
    expect(findCodeFault(` ${key} `, key)).toMatch(/^This is the link’s key, not its access code/)
  })
})
