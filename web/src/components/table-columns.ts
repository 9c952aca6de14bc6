import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import css from './table.module.css'

const c = classNames(css)

export interface Column<Row> {
  key: string
  header: string
  cell: (row: Row) => ReactNode
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
  /** Holds the row's buttons: on phones at the right of both lines. */
  action?: boolean | undefined
  hideOnPhone?: boolean | undefined
  /** What may need several lines: on phones it stands below all others. */
  ownLine?: boolean | undefined
}

/** A column as every row draws it. */
export interface Cell<Row> {
  column: Column<Row>
  isPrimary: boolean
  className: string
}

/** What is the same in all rows, worked out once. */
export function layOut<Row>(columns: readonly Column<Row>[]) {
  const primary = columns.find((column) => column.primary) ?? columns[0]
  // On phones these share the second line: numbers and the last, mostly a date or a state, are whole; the others are cut where they must.
  const details = columns.filter((column) => column !== primary && !column.action && !column.hideOnPhone && !column.ownLine)
  const tracks = details.map((column) => (column === details.at(-1) || column.align ? 'max-content' : 'minmax(0, auto)'))
  const cells = columns.map((column): Cell<Row> => {
    const place = details.indexOf(column)
    const kind = column === primary ? 'primary' : column.action ? 'action' : column.ownLine && 'ownLine'
    const isLast = place !== -1 && place === details.length - 1
    return {
      column,
      isPrimary: column === primary,
      className: c('cell', column.align, kind, place > 0 && 'dot', isLast && 'last', column.hideOnPhone && 'hideOnPhone'),
    }
  })
  return { cells, columnTracks: columns.map(track).join(' '), detailTracks: tracks.join(' ') || 'auto' }
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
