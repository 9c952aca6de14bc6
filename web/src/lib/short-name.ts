const most = 28
const tail = 11

/** A name cut in the middle, where there is one line for it and no way to show the rest: `Annual accounts a…on 2026.pdf`. */
export function shortName(name: string): string {
  const letters = [...name]
  if (letters.length <= most) return name
  return `${letters.slice(0, most - tail - 1).join('')}…${letters.slice(-tail).join('')}`
}
