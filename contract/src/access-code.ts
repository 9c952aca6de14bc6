/**
 * Access codes: twelve signs of Crockford's base32, the last of them a check. They can be read out over a telephone: there is no
 * I, L, O or U, and whoever hears or types one of those means 1, 1 or 0.
 */
export const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const codeLength = 12

/** As it is compared, however it was typed: case, spaces and dashes do not matter. */
export const normalCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')

/** As people read it: in three groups. */
export const readableCode = (code: string): string => code.replaceAll(/(.{4})(?=.)/g, '$1-')

/**
 * The last sign, from those before it. Each sign counts with another power of x in the field of 32, so that one wrong sign, or two
 * that changed places, never go unnoticed.
 */
export function checkSign(signs: string): string | undefined {
  let sum = 0
  for (const sign of signs) {
    const value = codeAlphabet.indexOf(sign)
    if (value < 0) return undefined
    sum = timesX(sum) ^ value
  }
  return codeAlphabet[timesX(sum)]
}

/** In the field of 32 made by x⁵ + x² + 1. */
const timesX = (value: number) => (value & 16 ? (value << 1) ^ 37 : value << 1)

/** False when it was mistyped: no code is like this. */
export function isPossibleCode(typed: string): boolean {
  const code = normalCode(typed)
  return code.length === codeLength && checkSign(code.slice(0, -1)) === code.at(-1)
}
