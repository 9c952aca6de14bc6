import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  align?: 'end' | undefined
  /** The name this column sorts by; without one it does not sort. */
  sort?: string | undefined
  /** Any CSS width; columns without one share what is left. */
  width?: string | number | undefined
  /** The name of the row: its first line on phones. The first column, when none is marked. */
  primary?: boolean | undefined
  /** Holds the row's buttons: on phones at the right of both lines. */
  action?: boolean | undefined
  hideOnPhone?: boolean | undefined
}

export const primaryOf = <Row>(columns: readonly Column<Row>[]) => columns.find((column) => column.primary) ?? columns[0]

/** The columns that share the second line on phones. */
export const details = <Row>(columns: readonly Column<Row>[]) =>
  columns.filter((column) => column !== primaryOf(columns) && !column.action && !column.hideOnPhone)

/** Their widths in a phone's row: the last, mostly a date, a size or a state, is whole; those before it are cut where they must. */
export const detailTracks = <Row>(columns: readonly Column<Row>[]) =>
  details(columns)
    .map((_, index, { length }) => (index === length - 1 ? 'max-content' : 'minmax(0, auto)'))
    .join(' ') || 'auto'

/** Said aloud because Safari forgets that a table is one as soon as CSS lays its rows out differently. */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  heading: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const
