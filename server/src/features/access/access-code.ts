import { randomBytes } from 'node:crypto'
import { codeAlphabet, codeLength, computeCheckCharacter, normalizeCode } from '@neptune/contract'
import { isSameSecret, type Keys, seal, sign, unseal } from '../../lib/secrets.ts'

/** Generates a code with 55 random bits and a check character. */
export function generateCode(): string {
  const characters = Array.from(randomBytes(codeLength - 1), (byte) => codeAlphabet[byte % codeAlphabet.length]).join('')
  return characters + computeCheckCharacter(characters)
}

/** Computes the MAC that a code is compared by. It includes the link's key, so equal codes of two links have different MACs. */
export const computeCodeMac = (keys: Keys, key: string, typed: string) => sign(keys.code, `${key}.${normalizeCode(typed)}`)

export const isCodeOf = (keys: Keys, { key, code_mac }: { key: string; code_mac: string }, typed: string) =>
  isSameSecret(computeCodeMac(keys, key, typed), code_mac)

interface CodeVersion {
  key: string
  generation: number
}

export const sealCode = (keys: Keys, { key, generation }: CodeVersion, code: string) =>
  seal(keys.seal, `${key}.${generation}`, normalizeCode(code))

export const unsealCode = (keys: Keys, { key, generation, code_sealed }: CodeVersion & { code_sealed: string }) =>
  unseal(keys.seal, `${key}.${generation}`, code_sealed)
