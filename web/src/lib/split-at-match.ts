/** Splits a text at the first case-insensitive match of `part`. */
export function splitAtMatch(text: string, part: string): [before: string, found: string, after: string] {
  const needle = toLower(part.trim())
  const index = needle ? toLower(text).indexOf(needle) : -1
  if (index === -1) return [text, '', '']
  return [text.slice(0, index), text.slice(index, index + needle.length), text.slice(index + needle.length)]
}

/** Lowercases a text without changing its length: keeps capitals whose lowercase form is longer. */
const toLower = (text: string) =>
  text.replaceAll(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase()
    return lower.length === letter.length ? lower : letter
  })
