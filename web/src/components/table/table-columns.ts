import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import css from './table.module.css'

const c = classNames(css)

export interface Column<Row> {
  key: string
  header: string
  /** `label` is unique among all rows, for the accessible names of controls in the cell. */
  cell: (row: Row, label: string) => ReactNode
  align?: 'end' | undefined
  /** The sort key. Without it, the column is not sortable. */
  sort?: string | undefined
  /** Any CSS width. Columns without one share the remaining space. A percentage shrinks if there is too little space. */
  width?: string | number | undefined
  /** The minimum in pixels for a column without a width. */
  minWidth?: number | undefined
  /** The row's name: the first line on phones, and the button that opens the row. Defaults to the first column. */
  primary?: boolean | undefined
  /** Shown in the lower part of the primary cell, over the button that opens the row, without being part of its name. */
  note?: ((row: Row) => ReactNode) | undefined
  /** Whether the cell's content, instead of the row's label, is the accessible name of the button that opens the row. */
  namedByContent?: boolean | undefined
  /** Whether the cell contains the row's buttons. On phones they are to the right of all lines. */
  action?: boolean | undefined
  /** Whether the cell takes the full width on phones, below the other cells. */
  ownLine?: boolean | undefined
  /** Whether phones don't show the cell, because the row's name already says the same there. */
  hiddenOnPhone?: boolean | undefined
  /** Whether the cell repeats its heading on phones, where headings are hidden. */
  labelOnPhone?: boolean | undefined
}

/** A column as rendered in every row. */
export interface Cell<Row> {
  column: Column<Row>
  isPrimary: boolean
  className: string
}

/**
 * Computes the layout that all rows share. On phones a row is a card: the name, then the other cells in pairs, then full-width
 * cells.
 */
export function computeLayout<Row>(columns: readonly Column<Row>[]) {
  const primary = columns.find((column) => column.primary) ?? columns[0]
  const fullWidth = columns.filter((column) => column !== primary && !column.action && column.ownLine)
  const paired = columns.filter((column) => column !== primary && !column.action && !column.ownLine && !column.hiddenOnPhone)
  const getKind = (column: Column<Row>) => {
    if (column === primary) return 'primary'
    if (column.hiddenOnPhone) return 'hiddenOnPhone'
    return column.action ? 'action' : column.ownLine ? 'ownLine' : getSide(paired, column)
  }
  const cells = columns.map((column): Cell<Row> => {
    return { column, isPrimary: column === primary, className: c('cell', column.align, getKind(column)) }
  })
  const phoneLines = 1 + Math.ceil(paired.length / 2) + fullWidth.length
  return { cells, columnTracks: columns.map(toGridTrack).join(' '), phoneLines }
}

/** Returns the side of a paired cell. With an odd number of cells, the last one has its own line. */
function getSide<Column>(paired: readonly Column[], column: Column) {
  const index = paired.indexOf(column)
  if (index % 2 === 1) return 'right'
  return index === paired.length - 1 ? 'alone' : 'left'
}

function toGridTrack({ width, minWidth = 160 }: { width?: string | number | undefined; minWidth?: number | undefined }) {
  if (width === undefined) return `minmax(${minWidth}px, 1fr)`
  return typeof width === 'number' ? `${width}px` : `minmax(64px, ${width})`
}

/** Explicit roles, because Safari drops table semantics when CSS changes the display of its rows. */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  heading: { role: 'columnheader' },
  rowHeading: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const
