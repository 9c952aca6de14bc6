import { checkCharacter, formatCode } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { codeFault } from './code-fault.ts'

const signs = '7YQFT0PEX3K'
const code = formatCode(signs + checkCharacter(signs))

describe('a code, before it is sent', () => {
  it('is right however it is written', () => {
    for (const typed of [code, code.toLowerCase(), ` ${code.replaceAll('-', ' ')} `, code.replace('0', 'o')])
      expect(codeFault(typed), typed).toBeUndefined()
  })

  it('is told apart when it is missing, too short or long, or mistyped', () => {
    expect(codeFault(' - ')).toBe('Enter the access code.')
    expect(codeFault(code.slice(0, -1))).toBe('A code has 12 letters and digits. This one has 11.')
    expect(codeFault(`${code}7`)).toBe('A code has 12 letters and digits. This one has 13.')
    expect(codeFault(code.replace('Q', 'R'))).toMatch(/^That code has a typo/)
    expect(codeFault(code.replace('T', '!'))).toMatch(/^That code has a typo/)
  })
})
