import { type MouseEvent, memo, useId } from 'react'
import { t } from '../words/t.ts'
import { BareCheckbox } from './checkbox.tsx'
import { classNames } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'
import css from './table.module.css'
import { type Cell, roles } from './table-columns.ts'

const c = classNames(css)
const skeletonWidths = ['62%', '48%', '71%', '55%', '66%', '44%']

interface TableRowProps<Row> {
  row: Row
  id: string
  /** Differs from the labels of all other rows. */
  label: string
  /** The part of the label that tells rows of the same name apart, if there are several. */
  detail: string | undefined
  cells: readonly Cell<Row>[]
  /** Undefined: cannot be selected. */
  isSelected: boolean | undefined
  /** The one whose button is in the tab order. */
  isCurrent: boolean
  onOpen: ((row: Row) => void) | undefined
  heldReason: string | undefined
  opensAnywhere: boolean
  onToggle: (id: string, range: boolean) => void
}

/** Drawn again only when something of its own changed: selecting one row of a long table does not draw them all. */
export const TableRow = memo(DataRow) as typeof DataRow

function DataRow<Row>(props: TableRowProps<Row>) {
  const { row, id, label, detail, cells, isSelected, isCurrent, heldReason, opensAnywhere, onToggle } = props
  const reasonId = useId()
  const onOpen = heldReason === undefined ? props.onOpen : () => {}
  // A convenience for the mouse. The way in for everyone is the button.
  const opening = opensAnywhere &&
    heldReason === undefined &&
    onOpen && { onClick: (event: MouseEvent) => isOnRow(event) && onOpen(row) }
  return (
    <tr {...roles.row} data-row={id} {...opening} className={c('row', 'data', opening && 'opens', isSelected && 'selected')}>
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
              aria-label={column.saysMore ? undefined : label}
              tabIndex={isCurrent ? 0 : -1}
              className={c('opener', heldReason !== undefined ? 'held' : !opensAnywhere && 'byName')}
              aria-disabled={heldReason !== undefined || undefined}
              aria-describedby={heldReason === undefined ? undefined : reasonId}
              title={heldReason}
              onClick={() => onOpen(row)}
            >
              {column.cell(row, label)}
              {column.saysMore && detail && <span className="sr-only">, {detail}</span>}
              {heldReason !== undefined && (
                <span id={reasonId} hidden>
                  {heldReason}
                </span>
              )}
            </button>
          ) : (
            column.cell(row, label)
          )}
        </td>
      ))}
    </tr>
  )
}

/** Rows of the shape of those to come. */
export function SkeletonRows<Row>({ cells, selectable }: { cells: readonly Cell<Row>[]; selectable: boolean }) {
  return skeletonWidths.map((width, index) => (
    <tr key={width} {...roles.row} className={c('row')}>
      {selectable && <td {...roles.cell} className={c('cell', 'select')} />}
      {cells.map(({ column, isPrimary, className }, place) => (
        <td key={column.key} {...roles.cell} className={className}>
          {!column.action && (
            <Skeleton width={isPrimary ? width : 64} label={index === 0 && place === 0 ? t('Loading') : undefined} />
          )}
        </td>
      ))}
    </tr>
  ))
}

/** A click on a control inside a row is meant for that, and one that ends a selection of text is meant for the text. */
const isOnRow = ({ target }: MouseEvent) =>
  target instanceof Element &&
  target.closest('a, button, input, select, textarea, label, dialog, [popover]') === null &&
  getSelection()?.type !== 'Range'
