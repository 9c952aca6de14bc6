const maxBytes = 255

/** What no name may hold, in words for whoever chose it. Joiners (U+200C, U+200D) stay: Persian and many emoji need them. */
const refusals: [RegExp, string][] = [
  [/[/\\]/, 'This name contains a slash or a backslash.'],
  [/[\p{Cc}\u2028\u2029]/u, 'This name contains control characters.'],
  [/[\u202a-\u202e\u2066-\u2069]/, 'This name contains characters that turn the direction of writing around.'],
  [/[\u200b\u2060\ufeff]/, 'This name contains invisible characters.'],
]

/**
 * The name under which a file is kept: one Unicode form, no dots and spaces at the end. Or what is wrong with it.
 *
 * Names that only Windows reserves (CON, NUL, `a:b`) are allowed. A name is never part of a path of ours, browsers change it where
 * their system cannot keep it, and `aux.c` is a fine name for everybody else.
 */
export function checkFileName(raw: string): { name: string } | { problem: string } {
  if (!raw.isWellFormed()) return { problem: 'This name contains broken characters.' }
  // Before anything that takes time: no way of writing 255 bytes is this long.
  if (raw.length > 4 * maxBytes) return { problem: tooLong }
  const name = raw.normalize('NFC').replace(/[\s.]+$/, '')
  const refusal = refusals.find(([pattern]) => pattern.test(raw))
  if (refusal) return { problem: refusal[1] }
  if (name === '') return { problem: raw.trim() === '' ? 'This name is empty.' : 'This name has nothing but dots.' }
  if (!/[^\p{Default_Ignorable_Code_Point}\s]/u.test(name)) return { problem: 'This name contains invisible characters alone.' }
  return Buffer.byteLength(name) > maxBytes ? { problem: tooLong } : { name }
}

const tooLong = `This name is too long. It may take ${maxBytes} bytes.`

/**
 * Names with the same key would be one file on a disk that does not tell `A` from `a`, so a directory holds only one of them.
 * ß and ss stay two, because Maße and Masse do.
 */
export const nameKey = (name: string) => name.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC')

/** Returns the name for the n-th file that wants it: `report (1).pdf`. */
export const withNumber = (name: string, n: number) => withSuffix(name, ` (${n})`)

/** Inserts a suffix before the extension. If the name gets too long, its stem is cut. */
export function withSuffix(name: string, suffix: string): string {
  const extension = /(?<=.)(?:\.tar)?\.[\p{L}\p{N}_-]{1,16}$/iu.exec(name)?.[0] ?? ''
  const stem = name.slice(0, name.length - extension.length)
  return cut(stem, maxBytes - Buffer.byteLength(suffix + extension)) + suffix + extension
}

/** Between two code points, so that no letter is halved. */
function cut(text: string, bytes: number): string {
  let left = text
  while (Buffer.byteLength(left) > bytes) left = left.slice(0, -1)
  return left.isWellFormed() ? left : left.slice(0, -1)
}
