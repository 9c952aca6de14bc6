import { expect, it } from 'vitest'
import { formatCsvLine } from './csv.ts'

/**
 * Splits text into cells as spreadsheets do. A quote counts only at the beginning of a cell; text after the closing quote
 * belongs to the cell, too.
 */
function splitCells(text: string, separator: string): string[] {
  const cells: string[] = []
  for (let at = 0; at <= text.length; ) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; at < text.length && !(text[at] === '"' && text[at + 1] !== '"'); at++) {
        cell += text[at]
        if (text[at] === '"') at++
      }
      at++
    }
    for (; at < text.length && text[at] !== separator && !'\r\n'.includes(text[at] ?? ''); at++) cell += text[at]
    cells.push(cell)
    at++
  }
  return cells
}

const hostile = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '  =1',
  '＝1',
  'a;=1',
  'a;+1;-1;@x',
  'a|=1',
  'a\t=1',
  'a; =1',
  'a;"=1"',
  'a;""=1',
  '"=1',
  ';=1',
  'a\r\n=1',
  'a\n"=1',
  'a","=1',
  'a,=1',
]

it.each([',', ';', '|', '\t'])('starts no cell like a formula when the separator is %j', (separator) => {
  for (const text of hostile) {
    const line = formatCsvLine([7, text, 'next', text, null])
    for (const cell of splitCells(line, separator)) expect(cell, JSON.stringify(text)).not.toMatch(/^[\s"]*[=+\-@\t＝]/)
  }
})

it('leaves all other text and numbers as they are', () => {
  const cells = ['plain', 'a, b', 'say "hi"', 'a;b', 'x-y=z', "it's", '2026-12-01T09:00:00.000Z', '']
  expect(splitCells(formatCsvLine([12, ...cells, null]).trimEnd(), ',')).toEqual(['12', ...cells, ''])
})
