import { type MouseEvent, memo, useId } from 'react'
import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import { BareCheckbox } from '../form/checkbox.tsx'
import css from './table.module.css'
import { type Cell, roles } from './table-columns.ts'

const c = classNames(css)
const skeletonWidths = ['62%', '48%', '71%', '55%', '66%', '44%']

interface TableRowProps<Row> {
  row: Row
  id: string
  /** Unique among all rows. */
  label: string
  /** The part of the label that distinguishes rows with the same name, if any. */
  detail: string | undefined
  cells: readonly Cell<Row>[]
  /** Undefined if the rows cannot be selected. */
  isSelected: boolean | undefined
  /** Whether the row's button is in the tab order. */
  isCurrent: boolean
  onOpen: ((row: Row) => void) | undefined
  disabledReason: string | undefined
  opensAnywhere: boolean
  isDraggable: boolean | undefined
  onToggle: (id: string, isRange: boolean) => void
}

/** Memoized, so that selecting one row of a long table does not render all rows. */
export const TableRow = memo(DataRow) as typeof DataRow

function DataRow<Row>(props: TableRowProps<Row>) {
  const { row, id, label, detail, cells, isSelected, isCurrent, disabledReason, opensAnywhere, onToggle } = props
  const reasonId = useId()
  const onOpen = disabledReason === undefined ? props.onOpen : () => {}
  // For mouse users. The button in the primary cell is the accessible way to open a row.
  const clickHandler = opensAnywhere &&
    disabledReason === undefined &&
    onOpen && { onClick: (event: MouseEvent) => isRowClick(event) && onOpen(row) }
  return (
    <tr
      {...roles.row}
      data-row={id}
      draggable={props.isDraggable}
      {...clickHandler}
      className={c('row', 'data', clickHandler && 'opens', isSelected && 'selected')}
    >
      {isSelected !== undefined && (
        <td {...roles.cell} className={c('cell', 'select')}>
          <BareCheckbox
            label={t('Select {name}', { name: label })}
            checked={isSelected}
            onChange={({ nativeEvent }) => onToggle(id, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
          />
        </td>
      )}
      {cells.map(({ column, isPrimary, className }) => (
        <td key={column.key} {...roles.cell} className={className} data-heading={column.labelOnPhone ? column.header : undefined}>
          {isPrimary && onOpen ? (
            <button
              type="button"
              data-opener
              aria-label={column.namedByContent ? undefined : label}
              tabIndex={isCurrent ? 0 : -1}
              className={c('opener', disabledReason !== undefined ? 'disabled' : !opensAnywhere && 'byName')}
              aria-disabled={disabledReason !== undefined || undefined}
              aria-describedby={disabledReason === undefined ? undefined : reasonId}
              title={disabledReason}
              onClick={() => onOpen(row)}
            >
              {column.cell(row, label)}
              {column.namedByContent && detail && <span className="sr-only">, {detail}</span>}
              {disabledReason !== undefined && (
                <span id={reasonId} hidden>
                  {disabledReason}
                </span>
              )}
            </button>
          ) : (
            column.cell(row, label)
          )}
          {column.note && <div className={c('note')}>{column.note(row)}</div>}
        </td>
      ))}
    </tr>
  )
}

/** Placeholder rows with the shape of the real ones. */
export function SkeletonRows<Row>({ cells, selectable }: { cells: readonly Cell<Row>[]; selectable: boolean }) {
  return skeletonWidths.map((width, rowIndex) => (
    <tr key={width} {...roles.row} className={c('row')}>
      {selectable && <td {...roles.cell} className={c('cell', 'select')} />}
      {cells.map(({ column, isPrimary, className }, cellIndex) => (
        <td key={column.key} {...roles.cell} className={className}>
          {!column.action && (
            <Skeleton width={isPrimary ? width : 64} label={rowIndex === 0 && cellIndex === 0 ? t('Loading') : undefined} />
          )}
        </td>
      ))}
    </tr>
  ))
}

/** Returns whether a click is meant for the row, and not for a control inside it or a text selection. */
const isRowClick = ({ target }: MouseEvent) =>
  target instanceof Element &&
  target.closest('a, button, input, select, textarea, label, dialog, [popover]') === null &&
  getSelection()?.type !== 'Range'
