/**
 * Access codes are 12 characters of Crockford's base32. The last one is a check character. Codes can be read out over the phone:
 * the alphabet has no I, L, O or U, and typed I, L and O are accepted as 1, 1 and 0.
 */
export const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const codeLength = 12

/** Normalizes a typed code for comparison: case, spaces and dashes don't matter. */
export const normalizeCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')

/** Formats a code for people, in three groups: `ABCD-EFGH-JKMN`. */
export const formatCode = (code: string): string => code.replaceAll(/(.{4})(?=.)/g, '$1-')

/**
 * Computes the check character of the characters before it. Each position is weighted with a different power of x in GF(32), so
 * one wrong character or two swapped characters are always detected. Returns undefined if a character is not in the alphabet.
 */
export function computeCheckCharacter(characters: string): string | undefined {
  let sum = 0
  for (const character of characters) {
    const value = codeAlphabet.indexOf(character)
    if (value < 0) return undefined
    sum = multiplyByX(sum) ^ value
  }
  return codeAlphabet[multiplyByX(sum)]
}

/** Multiplies by x in GF(32) with the polynomial x⁵ + x² + 1. */
const multiplyByX = (value: number) => (value & 16 ? (value << 1) ^ 37 : value << 1)

/** Returns whether a typed code has the right length and check character. If not, it was mistyped. */
export function isPossibleCode(typed: string): boolean {
  const code = normalizeCode(typed)
  return code.length === codeLength && computeCheckCharacter(code.slice(0, -1)) === code.at(-1)
}
