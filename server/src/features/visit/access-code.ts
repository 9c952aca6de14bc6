import { randomBytes } from 'node:crypto'
import { checkCharacter, codeAlphabet, codeLength, normalizeCode } from '@neptune/contract'
import { isSameSecret, type Keys, seal, sign, unseal } from '../../lib/secrets.ts'

/** 55 random bits, and a sign that shows when it was mistyped. */
export function newCode(): string {
  const signs = Array.from(randomBytes(codeLength - 1), (byte) => codeAlphabet[byte % codeAlphabet.length]).join('')
  return signs + checkCharacter(signs)
}

/** What a code is compared by. It belongs to one link: the same code elsewhere looks different. */
export const codeMac = (keys: Keys, key: string, typed: string) => sign(keys.code, `${key}.${normalizeCode(typed)}`)

export const isCodeOf = (keys: Keys, { key, code_mac }: { key: string; code_mac: string }, typed: string) =>
  isSameSecret(codeMac(keys, key, typed), code_mac)

interface Sealed {
  key: string
  generation: number
}

export const sealCode = (keys: Keys, { key, generation }: Sealed, code: string) =>
  seal(keys.seal, `${key}.${generation}`, normalizeCode(code))

export const unsealCode = (keys: Keys, { key, generation, code_sealed }: Sealed & { code_sealed: string }) =>
  unseal(keys.seal, `${key}.${generation}`, code_sealed)
