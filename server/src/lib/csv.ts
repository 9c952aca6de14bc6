/**
 * The beginning of a cell that a spreadsheet reads as a formula: one of these characters, or its full-width form, after any spaces and
 * quotes. If the spreadsheet expects another separator, it ignores the quotes around our cells, and a cell begins after each semicolon, bar,
 * tab and line break.
 */
const formulaStart = '(?=[\\s"]*[=+\\-@\\t\\r\\n\\uFF1D\\uFF0B\\uFF0D\\uFF20])'
const formulaInside = new RegExp(`[;|\\t\\r\\n]${formulaStart}`, 'g')
const formulaAtStart = new RegExp(`^${formulaStart}`)

/** Returns one line of CSV (RFC 4180). Every text is quoted, and an apostrophe turns a would-be formula into text. */
export const formatCsvLine = (cells: (string | number | null)[]) => `${cells.map(formatCell).join(',')}\r\n`

/** Formats a cell. Strangers choose file names, so any text can be an attempted formula. */
function formatCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = (value ?? '').replaceAll(formulaInside, "$&'").replace(formulaAtStart, "'")
  return `"${text.replaceAll('"', '""')}"`
}
