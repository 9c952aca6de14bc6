import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import css from './table.module.css'

const c = classNames(css)

export interface Column<Row> {
  key: string
  header: string
  /** `label` names the row differently from all others: for controls inside the cell. */
  cell: (row: Row, label: string) => ReactNode
  align?: 'end' | undefined
  /** The name this column sorts by; without one it does not sort. */
  sort?: string | undefined
  /** Any CSS width; columns without one share what is left. A share of the whole gives way where that would be too little. */
  width?: string | number | undefined
  /** How narrow a column without a width may get, in pixels. */
  min?: number | undefined
  /** The name of the row: its first line on phones, and the button that opens it. The first column, when none is marked. */
  primary?: boolean | undefined
  /** Says more than the row's label does: then its own words name the button that opens the row. */
  saysMore?: boolean | undefined
  /** Holds the row's buttons: on phones at the right of all lines. */
  action?: boolean | undefined
  /** Needs the whole width on phones, below the other cells. */
  ownLine?: boolean | undefined
  /** Says little without its heading: on phones, where headings are hidden, the cell repeats it. */
  labelOnPhone?: boolean | undefined
}

/** A column as every row draws it. */
export interface Cell<Row> {
  column: Column<Row>
  isPrimary: boolean
  className: string
}

/** Computes what is the same in all rows. On phones a row is a card: the name, then the other cells in pairs, then those that need the whole width. */
export function layOut<Row>(columns: readonly Column<Row>[]) {
  const primary = columns.find((column) => column.primary) ?? columns[0]
  const wide = columns.filter((column) => column !== primary && !column.action && column.ownLine)
  const paired = columns.filter((column) => column !== primary && !column.action && !column.ownLine)
  const cells = columns.map((column): Cell<Row> => {
    const kind = column === primary ? 'primary' : column.action ? 'action' : column.ownLine ? 'ownLine' : sideOf(paired, column)
    return { column, isPrimary: column === primary, className: c('cell', column.align, kind) }
  })
  const phoneLines = 1 + Math.ceil(paired.length / 2) + wide.length
  return { cells, columnTracks: columns.map(track).join(' '), phoneLines }
}

/** If the number is odd, the last cell has a line to itself. */
function sideOf<Column>(paired: readonly Column[], column: Column) {
  const place = paired.indexOf(column)
  if (place % 2 === 1) return 'right'
  return place === paired.length - 1 ? 'alone' : 'left'
}

function track({ width, min = 160 }: { width?: string | number | undefined; min?: number | undefined }) {
  if (width === undefined) return `minmax(${min}px, 1fr)`
  return typeof width === 'number' ? `${width}px` : `minmax(64px, ${width})`
}

/** Said aloud because Safari forgets that a table is one when CSS lays its rows out differently. */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  heading: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const
