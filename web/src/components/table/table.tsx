import {
  type ComponentProps,
  type CSSProperties,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useMemo,
  useRef,
} from 'react'
import { classNames } from '../class-names.ts'
import { useFocusRetention } from '../layout/use-focus-retention.ts'
import { useLatest } from '../use-latest.ts'
import { createDistinctLabels, type DistinctLabel } from './distinct-labels.ts'
import css from './table.module.css'
import { type Column, computeLayout, roles } from './table-columns.ts'
import { TableHead } from './table-head.tsx'
import { SkeletonRows, TableRow } from './table-row.tsx'
import { useRovingRows } from './use-roving-rows.ts'
import { type RowMenu, useRowMenu } from './use-row-menu.tsx'
import { useRowSelection } from './use-row-selection.ts'
import { blockSize, splitIntoBlocks, useVirtualBlock } from './virtual-blocks.ts'

const c = classNames(css)

export interface TableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  rowLabel: (row: Row) => string
  /** Distinguishes rows with the same label, for the accessible names of their controls. */
  rowDetail?: ((row: Row) => string | undefined) | undefined
  selected?: ReadonlySet<string> | undefined
  onSelect?: ((next: Set<string>) => void) | undefined
  /** Selects all rows, including those not loaded yet. */
  onSelectAll?: (() => void) | undefined
  /** `name` is ascending, `-name` descending. */
  sort?: string | undefined
  onSort?: ((next: string) => void) | undefined
  /** Makes the primary cell a button, so that cell must not contain other controls. */
  onOpen?: ((row: Row) => void) | undefined
  /** Returns why a row can’t be opened; undefined if it can. */
  disabledReason?: ((row: Row) => string | undefined) | undefined
  /** Whether a click anywhere on a row opens it. False if opening has a side effect, such as a download. */
  opensAnywhere?: boolean | undefined
  /** Returns the heading above a row, if the rows are grouped. Rows of a group are next to each other. */
  getGroup?: ((row: Row) => string) | undefined
  isDraggable?: boolean | undefined
  /** When this changes, the row with this key becomes the one in the tab order, which is rendered at any scroll position. */
  revealedKey?: string | undefined
  /** Returns a row's context menu. */
  getMenu?: ((row: Row) => RowMenu) | undefined
  loading?: boolean | undefined
  empty?: ReactNode
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, sort, onSort, onOpen, getGroup, loading = false, empty } = props
  const { table, labels, selection, roving, rowMenu, handlers } = useTableState(props)
  const currentIndex = roving.current === undefined ? -1 : rows.findIndex((row) => rowKey(row) === roving.current)
  const { cells, columnTracks, phoneLines } = useMemo(() => computeLayout(columns), [columns])
  // Stable handlers, so that a row renders again only if its own data changes.
  const latest = useLatest({ onOpen, toggle: selection?.toggle })
  const open = useCallback((row: Row) => latest.current.onOpen?.(row), [latest])
  const toggle = useCallback((id: string, isRange: boolean) => latest.current.toggle?.(id, isRange), [latest])

  if (!loading && rows.length === 0 && empty !== undefined) return <div className={c('frame')}>{empty}</div>

  return (
    <div className={`${c('frame')} ${rowMenu.className}`} {...handlers}>
      <table
        ref={table}
        {...roles.table}
        className={c('table')}
        aria-busy={loading || undefined}
        style={{ '--columns': `${selection ? 'var(--check) ' : ''}${columnTracks}`, '--lines': phoneLines } as CSSProperties}
      >
        <caption className="sr-only">{caption}</caption>
        <TableHead {...{ columns, selection, sort, onSort }} />
        {loading && rows.length === 0 && (
          <tbody {...roles.group} className={c('body')}>
            <SkeletonRows cells={cells} selectable={selection !== undefined} />
          </tbody>
        )}
        {splitIntoBlocks(rows).map(({ start, items, isVirtual }) => (
          <RowBlock
            key={start}
            count={items.length}
            // The block with the row in the tab order stays rendered, so that Tab works at any scroll position.
            isVirtual={isVirtual && !(currentIndex >= start && currentIndex < start + blockSize)}
            {...(onOpen && roving.handlers)}
          >
            {() =>
              items.map((row, index) => (
                <Fragment key={rowKey(row)}>
                  <GroupHeading {...{ getGroup, row }} previous={rows[start + index - 1]} />
                  <TableRow
                    id={rowKey(row)}
                    {...(labels[start + index] as DistinctLabel)}
                    {...{ row, cells }}
                    opensAnywhere={props.opensAnywhere ?? true}
                    isSelected={selection?.has(rowKey(row))}
                    isCurrent={rowKey(row) === roving.current}
                    isDraggable={props.isDraggable}
                    onOpen={onOpen && open}
                    disabledReason={props.disabledReason?.(row)}
                    onToggle={toggle}
                  />
                </Fragment>
              ))
            }
          </RowBlock>
        ))}
      </table>
      {rowMenu.panel}
    </div>
  )
}

/** Manages the focus, the selection and the context menu of the rows. */
function useTableState<Row>({ rows, rowKey, rowLabel, onOpen, opensAnywhere = true, getMenu, ...props }: TableProps<Row>) {
  const keys = rows.map(rowKey)
  const labels = createDistinctLabels(rows, rowLabel, props.rowDetail)
  const table = useFocusRetention<HTMLTableElement>()
  const roving = useRovingRows(keys, table, props.revealedKey)
  const rowMenu = useRowMenu(getMenu && ((key) => rows.filter((row) => rowKey(row) === key).map(getMenu)[0]))
  const { selection, handlers } = useRowSelection({
    keys,
    names: rows.map(rowLabel),
    selected: props.selected,
    onSelect: props.onSelect,
    onSelectAll: props.onSelectAll,
    selectsOnClick: !(onOpen && opensAnywhere),
    focusRow: roving.focus,
  })
  const onKeyDown = (event: KeyboardEvent) => {
    rowMenu.handlers?.onKeyDown(event)
    handlers.onKeyDown(event)
  }
  return { table, labels, selection, roving, rowMenu, handlers: { ...rowMenu.handlers, ...handlers, onKeyDown } }
}

interface GroupHeadingProps<Row> {
  getGroup: ((row: Row) => string) | undefined
  row: Row
  previous: Row | undefined
}

/** The heading above the first row of each group. */
function GroupHeading<Row>({ getGroup, row, previous }: GroupHeadingProps<Row>) {
  const group = getGroup?.(row)
  if (!getGroup || !group || (previous !== undefined && getGroup(previous) === group)) return null
  return (
    <tr {...roles.row} className={c('group')}>
      <th {...roles.rowHeading} scope="rowgroup">
        {group}
      </th>
    </tr>
  )
}

interface RowBlockProps extends Pick<ComponentProps<'tbody'>, 'onFocus' | 'onKeyDown'> {
  count: number
  isVirtual: boolean
  children: () => ReactNode
}

/** The estimated height of a row in pixels. */
const estimatedRowHeight = 48

/** A block of rows, rendered only while needed. */
function RowBlock({ count, isVirtual, children, ...handlers }: RowBlockProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const { isRendered, height } = useVirtualBlock(body, isVirtual, count * estimatedRowHeight)
  return (
    <tbody ref={body} {...roles.group} {...handlers} className={c('body')} style={{ blockSize: height }}>
      {isRendered && children()}
    </tbody>
  )
}
