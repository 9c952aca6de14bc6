/** Whether every word is in it somewhere. Nothing typed is in everything. */
export function hasWords(text: string, typed: string): boolean {
  const low = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => low.includes(word))
}

/** Those that are meant most likely come first: what is typed begins them, then begins a word in them, then is in them. */
export function nearness(text: string, typed: string): number {
  const low = text.toLowerCase()
  const wanted = typed.trim().toLowerCase()
  if (low.startsWith(wanted)) return 0
  return low.includes(` ${wanted}`) ? 1 : 2
}
