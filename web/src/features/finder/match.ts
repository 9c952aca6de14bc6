/** Returns whether the text contains every typed word. An empty search matches every text. */
export function hasAllWords(text: string, typed: string): boolean {
  const lower = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

/** Ranks a match for sorting: 0 if the text starts with the search, 1 if one of its words does, otherwise 2. */
export function matchRank(text: string, typed: string): number {
  const lower = text.toLowerCase()
  const wanted = typed.trim().toLowerCase()
  if (lower.startsWith(wanted)) return 0
  return lower.includes(` ${wanted}`) ? 1 : 2
}
