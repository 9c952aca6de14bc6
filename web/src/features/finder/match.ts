/** Returns whether the text contains every word of the search. An empty search matches every text. */
export function hasAllWords(text: string, search: string): boolean {
  const lower = text.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

/** Ranks a match for sorting: 0 if the text starts with the search, 1 if one of its words does, otherwise 2. */
export function rankMatch(text: string, search: string): number {
  const lower = text.toLowerCase()
  const lowerSearch = search.trim().toLowerCase()
  if (lower.startsWith(lowerSearch)) return 0
  return lower.includes(` ${lowerSearch}`) ? 1 : 2
}
