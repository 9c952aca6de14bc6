import { randomInt } from 'node:crypto'
import { sign } from '../../lib/secrets.ts'

const codeCount = 10
const codeLength = 10
/** Excludes characters that are easily confused, such as 0 and o. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Returns new recovery codes, such as `k7m2p-x9r4t`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: codeCount }, newCode)

function newCode(): string {
  const characters = Array.from({ length: codeLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
  return `${characters.slice(0, codeLength / 2)}-${characters.slice(codeLength / 2)}`
}

/** Normalizes a code as typed, so that it can be compared. */
export const normalizeFactorCode = (code: string) => code.toLowerCase().replaceAll(/[\s-]/g, '')

/** Computes a keyed hash. The key is not in the database: a plain hash of such a short code could be reversed by trying all codes. */
export const hashRecoveryCode = (key: Buffer, userId: string, code: string) => sign(key, `${userId} ${normalizeFactorCode(code)}`)
