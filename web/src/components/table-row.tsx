import type { KeyboardEvent, MouseEvent } from 'react'
import { BareCheckbox } from './checkbox.tsx'
import { classNames } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'
import css from './table.module.css'
import { type Column, details, primaryOf, roles } from './table-columns.ts'
import type { RowSelection } from './use-row-selection.ts'

const c = classNames(css)
const skeletonWidths = ['62%', '48%', '71%', '55%', '66%', '44%']

interface TableRowProps<Row> {
  row: Row
  id: string
  label: string
  columns: readonly Column<Row>[]
  selection: RowSelection | undefined
  onOpen: ((row: Row) => void) | undefined
  tabIndex: number
}

export function TableRow<Row>({ row, id, label, columns, selection, onOpen, tabIndex }: TableRowProps<Row>) {
  const isSelected = selection?.has(id) ?? false
  const opening = onOpen && {
    tabIndex,
    onClick: (event: MouseEvent) => !isControl(event.target) && onOpen(row),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.target !== event.currentTarget) return
      if (event.key === 'Enter') onOpen(row)
      if (event.key === ' ' && selection) {
        event.preventDefault()
        selection.toggle(id, event.shiftKey)
      }
    },
  }
  return (
    <tr {...roles.row} {...opening} className={c('row', 'data', onOpen && 'opens', isSelected && 'selected')}>
      {selection && (
        <td {...roles.cell} className={c('cell', 'select')}>
          <BareCheckbox
            label={`Select ${label}`}
            checked={isSelected}
            onChange={(event) => selection.toggle(id, 'shiftKey' in event.nativeEvent && event.nativeEvent.shiftKey === true)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} {...roles.cell} className={cellClass(column, columns)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

/** Rows of the shape of those to come. */
export function SkeletonRows<Row>({ columns, selectable }: { columns: readonly Column<Row>[]; selectable: boolean }) {
  return skeletonWidths.map((width, index) => (
    <tr key={width} {...roles.row} className={c('row')}>
      {selectable && <td {...roles.cell} className={c('cell', 'select')} />}
      {columns.map((column) => (
        <td key={column.key} {...roles.cell} className={cellClass(column, columns)}>
          {!column.action && (
            <Skeleton
              width={column === primaryOf(columns) ? width : 64}
              label={index === 0 && column === columns[0] ? 'Loading' : undefined}
            />
          )}
        </td>
      ))}
    </tr>
  ))
}

function cellClass<Row>(column: Column<Row>, columns: readonly Column<Row>[]) {
  const place = details(columns).indexOf(column)
  const kind = column === primaryOf(columns) ? 'primary' : column.action && 'action'
  const isLast = place !== -1 && place === details(columns).length - 1
  return c('cell', column.align, kind, place > 0 && 'dot', isLast && 'last', column.hideOnPhone && 'hideOnPhone')
}

/** A click on a button, link or field inside a row is meant for that, not for the row. */
const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('a, button, input, select, textarea, label, [popover]') !== null
