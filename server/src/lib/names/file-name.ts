const maxBytes = 255

/** What a name must not contain, with the message for the user. Joiners (U+200C, U+200D) are allowed: Persian and many emoji need them. */
const forbidden: [RegExp, string][] = [
  [/[/\\]/, 'This name contains a slash or a backslash.'],
  [/[\p{Cc}\u2028\u2029]/u, 'This name contains control characters.'],
  [/[\u202a-\u202e\u2066-\u2069]/, 'This name contains characters that change the writing direction.'],
  [/[\u200b\u2060\ufeff]/, 'This name contains invisible characters.'],
]

/**
 * Returns the name under which a file is stored, in Unicode form NFC and without trailing dots and spaces, or the problem with it.
 *
 * Names that only Windows reserves (CON, NUL, `a:b`) are allowed: a file's name is never part of a path on the server, browsers
 * change it where their system needs that, and `aux.c` is a valid name everywhere else.
 */
export function checkFileName(raw: string): { name: string } | { problem: string } {
  if (!raw.isWellFormed()) return { problem: 'This name contains invalid characters.' }
  // Checked first, so that a huge name is not normalized. Normalization cannot shorten one this long to 255 bytes.
  if (raw.length > 4 * maxBytes) return { problem: tooLong }
  const name = raw.normalize('NFC').replace(/[\s.]+$/, '')
  const [, problem] = forbidden.find(([pattern]) => pattern.test(raw)) ?? []
  if (problem) return { problem }
  if (name === '') return { problem: raw.trim() === '' ? 'Enter a name.' : 'This name contains only dots.' }
  if (!/[^\p{Default_Ignorable_Code_Point}\s]/u.test(name)) return { problem: 'This name contains only invisible characters.' }
  return Buffer.byteLength(name) > maxBytes ? { problem: tooLong } : { name }
}

const tooLong = `This name is too long. The limit is ${maxBytes} bytes.`

/** Returns the name for the n-th further file of that name: `report (1).pdf`. */
export const withNumber = (name: string, n: number) => withSuffix(name, ` (${n})`)

/** Returns a folder's name with a number: `v1.2 (1)`. Folders have no extension. */
export function withFolderNumber(name: string, n: number): string {
  const suffix = ` (${n})`
  return truncate(name, maxBytes - Buffer.byteLength(suffix)) + suffix
}

/** Inserts a suffix before the extension. If the name gets too long, its stem is cut. */
export function withSuffix(name: string, suffix: string): string {
  const extension = /(?<=.)(?:\.tar)?\.[\p{L}\p{N}_-]{1,16}$/iu.exec(name)?.[0] ?? ''
  const stem = name.slice(0, name.length - extension.length)
  return truncate(stem, maxBytes - Buffer.byteLength(suffix + extension)) + suffix + extension
}

/** Cuts between two code points, so that no surrogate pair is split. */
function truncate(text: string, bytes: number): string {
  let left = text
  while (Buffer.byteLength(left) > bytes) left = left.slice(0, -1)
  return left.isWellFormed() ? left : left.slice(0, -1)
}
