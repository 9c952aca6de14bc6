import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { BareCheckbox } from '../form/checkbox.tsx'
import { SortDownIcon, SortIcon, SortUpIcon } from '../icons.tsx'
import { type Column, roles } from './table-columns.ts'
import css from './table-head.module.css'
import type { RowSelection } from './use-row-selection.ts'

const c = classNames(css)

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[]
  selection: RowSelection | undefined
  sort: string | undefined
  onSort: ((next: string) => void) | undefined
}

export function TableHead<Row>({ columns, selection, sort, onSort }: TableHeadProps<Row>) {
  return (
    <thead {...roles.group} className={c('head')}>
      <tr {...roles.row} className={c('headRow')}>
        {selection && (
          <th {...roles.heading} scope="col" className={c('heading', 'select')}>
            <BareCheckbox
              label={t('Select all')}
              disabled={selection.isEmptyList}
              checked={selection.hasAll}
              indeterminate={selection.hasSome && !selection.hasAll}
              onChange={selection.toggleAll}
            />
          </th>
        )}
        {columns.map(({ key, header, align, sort: sortKey, action }) => {
          const isSortable = sortKey !== undefined && onSort !== undefined
          return (
            <th
              key={key}
              {...roles.heading}
              scope="col"
              className={c('heading', align, !isSortable && 'hiddenOnPhone')}
              aria-sort={isSortable ? getDirection(sortKey, sort) : undefined}
            >
              {isSortable ? (
                <SortButton header={header} sortKey={sortKey} sort={sort} onSort={onSort} />
              ) : (
                <span className={action ? 'sr-only' : undefined}>{header}</span>
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

function SortButton(props: { header: string; sortKey: string; sort: string | undefined; onSort: (next: string) => void }) {
  const { header, sortKey, sort, onSort } = props
  const current = getDirection(sortKey, sort)
  const DirectionIcon = { ascending: SortUpIcon, descending: SortDownIcon, none: SortIcon }[current]
  return (
    <button
      type="button"
      className={c('sort', current !== 'none' && 'sorted')}
      onClick={() => onSort(current === 'ascending' ? `-${sortKey}` : sortKey)}
    >
      <span>{header}</span>
      <DirectionIcon size={14} />
    </button>
  )
}

function getDirection(sortKey: string, sort: string | undefined) {
  if (sort === sortKey) return 'ascending'
  return sort === `-${sortKey}` ? 'descending' : 'none'
}
