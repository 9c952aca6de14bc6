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
  /** Any CSS width; columns without one share what is left. */
  width?: string | number | undefined
  /** The name of the row: its first line on phones, and the button that opens it. The first column, when none is marked. */
  primary?: boolean | undefined
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
  // On phones these share the second line: the last, mostly a date, a size or a state, is whole; those before it are cut where they must.
  const details = columns.filter((column) => column !== primary && !column.action && !column.hideOnPhone && !column.ownLine)
  const tracks = details.map((_, place) => (place === details.length - 1 ? 'max-content' : 'minmax(0, auto)'))
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
  return { cells, detailTracks: tracks.join(' ') || 'auto' }
}

/** Said aloud because Safari forgets that a table is one as soon as CSS lays its rows out differently. */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  heading: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const
