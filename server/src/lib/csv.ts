/**
 * What makes a spreadsheet take a cell for a formula: one of these at its beginning, also behind spaces and quotes, and also in their wide
 * forms. Where another separator is set than ours, the quotes around our cells mean nothing, and a cell begins behind each semicolon, tab
 * and line break.
 */
const formula = '(?=[\\s"]*[=+\\-@\\t\\r\\n\\uFF1D\\uFF0B\\uFF0D\\uFF20])'
const inside = new RegExp(`[;\\t\\r\\n]${formula}`, 'g')
const atStart = new RegExp(`^${formula}`)

/** Returns one line of CSV (RFC 4180). Every text is quoted, and an apostrophe makes text of what would be a formula. */
export const csvLine = (cells: (string | number | null)[]) => `${cells.map(cellOf).join(',')}\r\n`

/** Strangers choose the names of files, so any text can be meant as a formula. */
function cellOf(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = (value ?? '').replaceAll(inside, "$&'").replace(atStart, "'")
  return `"${text.replaceAll('"', '""')}"`
}
