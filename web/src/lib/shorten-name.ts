const maxLength = 28
const tailLength = 11

/** Truncates a name in the middle, for single lines without a tooltip: `Annual accounts a…on 2026.pdf`. */
export function shortenName(name: string): string {
  const characters = [...name]
  if (characters.length <= maxLength) return name
  return `${characters.slice(0, maxLength - tailLength - 1).join('')}…${characters.slice(-tailLength).join('')}`
}
