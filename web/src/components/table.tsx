import { type ComponentProps, type CSSProperties, type ReactNode, useCallback, useMemo, useRef } from 'react'
import { blockSize, blocksOf, usePresence } from './blocks.ts'
import { classNames } from './class-names.ts'
import { type DistinctLabel, distinctLabels } from './distinct-labels.ts'
import css from './table.module.css'
import { type Column, layOut, roles } from './table-columns.ts'
import { TableHead } from './table-head.tsx'
import { SkeletonRows, TableRow } from './table-row.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { useLatest } from './use-latest.ts'
import { useRovingRows } from './use-roving-rows.ts'
import { type RowMenu, useRowMenu } from './use-row-menu.tsx'
import { useRowSelection } from './use-row-selection.ts'

const c = classNames(css)

export interface TableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  rowLabel: (row: Row) => string
  /** Tells rows with the same label apart, for the names of their controls. */
  rowDetail?: ((row: Row) => string | undefined) | undefined
  selected?: ReadonlySet<string> | undefined
  onSelect?: ((next: Set<string>) => void) | undefined
  /** `name` is ascending, `-name` descending. */
  sort?: string | undefined
  onSort?: ((next: string) => void) | undefined
  /** Makes the primary cell a button, so that cell holds no control of its own. */
  onOpen?: ((row: Row) => void) | undefined
  /** Why a row cannot be opened, if so. */
  heldReason?: ((row: Row) => string | undefined) | undefined
  /** Whether a click anywhere on a row opens it, too. Not where opening has a price, such as a download. */
  opensAnywhere?: boolean | undefined
  /** What can be done with a row, also from a menu where the pointer is. */
  menuOf?: ((row: Row) => RowMenu) | undefined
  loading?: boolean | undefined
  empty?: ReactNode
}

export function Table<Row>(props: TableProps<Row>) {
  const {
    caption,
    columns,
    rows,
    rowKey,
    rowLabel,
    sort,
    onSort,
    onOpen,
    heldReason,
    opensAnywhere = true,
    menuOf,
    loading = false,
    empty,
  } = props
  const keys = rows.map(rowKey)
  const labels = distinctLabels(rows, rowLabel, props.rowDetail)
  const selection = useRowSelection(keys, props.selected, props.onSelect)
  const table = useKeptFocus<HTMLTableElement>()
  const roving = useRovingRows(keys, table)
  const current = roving.current === undefined ? -1 : keys.indexOf(roving.current)
  const { cells, columnTracks, phoneLines } = useMemo(() => layOut(columns), [columns])
  // Rows are given handlers that never change, so that they are drawn again only when their own row did.
  const latest = useLatest({ onOpen, toggle: selection?.toggle })
  const open = useCallback((row: Row) => latest.current.onOpen?.(row), [latest])
  const toggle = useCallback((id: string, range: boolean) => latest.current.toggle?.(id, range), [latest])
  const rowMenu = useRowMenu(menuOf && ((key) => rows.filter((row) => rowKey(row) === key).map(menuOf)[0]))
  const isWaiting = loading && rows.length === 0

  if (!loading && rows.length === 0 && empty !== undefined) return <div className={c('frame')}>{empty}</div>

  return (
    <div className={`${c('frame')} ${rowMenu.className}`} {...rowMenu.handlers}>
      <table
        ref={table}
        {...roles.table}
        className={c('table')}
        aria-busy={loading || undefined}
        style={{ '--columns': `${selection ? 'var(--check) ' : ''}${columnTracks}`, '--lines': phoneLines } as CSSProperties}
      >
        <caption className="sr-only">{caption}</caption>
        <TableHead {...{ columns, selection, sort, onSort }} />
        {isWaiting && (
          <tbody {...roles.group} className={c('body')}>
            <SkeletonRows cells={cells} selectable={selection !== undefined} />
          </tbody>
        )}
        {blocksOf(rows).map(({ start, items, mayLeave }) => (
          <Block
            key={start}
            count={items.length}
            // The row in the tab order stays, so that Tab leads somewhere wherever one has scrolled.
            mayLeave={mayLeave && !(current >= start && current < start + blockSize)}
            {...(onOpen && roving.body)}
          >
            {() =>
              items.map((row, index) => (
                <TableRow
                  key={rowKey(row)}
                  id={rowKey(row)}
                  {...(labels[start + index] as DistinctLabel)}
                  {...{ row, cells }}
                  isSelected={selection?.has(rowKey(row))}
                  isCurrent={rowKey(row) === roving.current}
                  onOpen={onOpen && open}
                  heldReason={heldReason?.(row)}
                  opensAnywhere={opensAnywhere}
                  onToggle={toggle}
                />
              ))
            }
          </Block>
        ))}
      </table>
      {rowMenu.panel}
    </div>
  )
}

interface BlockProps extends Pick<ComponentProps<'tbody'>, 'onFocus' | 'onKeyDown'> {
  count: number
  mayLeave: boolean
  children: () => ReactNode
}

/** In pixels, of a row whose height is not known yet. */
const usualRow = 48

/** Some of the rows. */
function Block({ count, mayLeave, children, ...handlers }: BlockProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const { isThere, height } = usePresence(body, mayLeave, count * usualRow)
  return (
    <tbody ref={body} {...roles.group} {...handlers} className={c('body')} style={{ blockSize: height }}>
      {isThere && children()}
    </tbody>
  )
}
