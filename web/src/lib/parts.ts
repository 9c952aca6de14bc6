/** What is before the place where `part` is found in a text, what is found as it is written there, and what is after it. */
export function partsOf(text: string, part: string): [before: string, found: string, after: string] {
  const wanted = low(part.trim())
  const at = wanted ? low(text).indexOf(wanted) : -1
  if (at === -1) return [text, '', '']
  return [text.slice(0, at), text.slice(at, at + wanted.length), text.slice(at + wanted.length)]
}

/** Some capitals have small letters that are longer, which would move the place: they stay. */
const low = (text: string) =>
  text.replaceAll(/\p{Lu}/gu, (letter) => {
    const small = letter.toLowerCase()
    return small.length === letter.length ? small : letter
  })
