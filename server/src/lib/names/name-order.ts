import { toNameKey } from './name-key.ts'

/** The maximum length of a key in bytes of UTF-8. It must fit into a cursor, even if JSON escapes every character. */
const maxBytes = 320

/** Letters that Unicode doesn't decompose, and the letters that they are sorted next to. */
const similarLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
  þ: 'th',
  ґ: 'г',
  є: 'е',
  і: 'и',
}
const similarLetter = new RegExp(`[${Object.keys(similarLetters).join('')}]`, 'g')

/**
 * Returns the key by which lists sort names: numbers by their value, and letters with accents next to those without. Databases compare it
 * byte by byte. Names with different keys (see `toNameKey`) have different sort keys, unless they are very long.
 */
export function toNameOrder(name: string): string {
  const key = toNameKey(name)
  const letters = /^[\x20-\x7e]*$/.test(key) ? key : removeAccents(key)
  const bare = letters.replaceAll(/(?<!\d)0+(?=\d)/g, '')
  const order = bare.replaceAll(/\d+/g, (digits) => formatLength(digits) + digits)
  // For names that are otherwise equal, the part that was left out decides. The separator sorts before all other characters.
  return truncate(bare === key ? order : `${order}\u0001${key.slice(countEqualCharacters(bare, key))}`)
}

/** Returns the columns of a row that derive from its name. */
export const toNameColumns = (name: string) => ({ name_key: toNameKey(name), name_order: toNameOrder(name) })

/** Returns the name without accents, and with ASCII digits. й is a letter of its own, not и with an accent. */
const removeAccents = (key: string) =>
  key
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/(?!(?<=и)\u0306)\p{Script=Inherited}/gu, '')
    .normalize('NFC')
    .replaceAll(similarLetter, (letter) => similarLetters[letter] ?? letter)
    .replaceAll(/(?![0-9])\p{Nd}/gu, readDigit)

/** Reads a digit of any script. Unicode lists the ten digits of a script in a row, from a code point that ends in 0 or 6. */
function readDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const isFromZero = /\p{Nd}/u.test(String.fromCodePoint(code & ~15))
  return String((code & 15) - (isFromZero ? 0 : 6))
}

/** Formats the length of a number, so that a longer number sorts after a shorter one. Starts with a digit, because the number does, too. */
function formatLength({ length }: string): string {
  return length < 9 ? `${length}` : `9${String(Math.min(length, 999)).padStart(3, '0')}`
}

function countEqualCharacters(one: string, other: string): number {
  let count = 0
  while (count < one.length && one[count] === other[count]) count++
  return count
}

const encoder = new TextEncoder()
const buffer = new Uint8Array(maxBytes)

/** Cuts between two characters. */
const truncate = (text: string) => (text.length * 3 <= maxBytes ? text : text.slice(0, encoder.encodeInto(text, buffer).read))
