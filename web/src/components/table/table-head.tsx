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
      <tr {...roles.row} className={c('heads')}>
        {selection && (
          <th {...roles.heading} scope="col" className={c('heading', 'select')}>
            <BareCheckbox
              label={t('Select all')}
              disabled={selection.nothingToSelect}
              checked={selection.all}
              indeterminate={selection.some && !selection.all}
              onChange={selection.toggleAll}
            />
          </th>
        )}
        {columns.map(({ key, header, align, sort: name, action }) => {
          const sorts = name !== undefined && onSort !== undefined
          return (
            <th
              key={key}
              {...roles.heading}
              scope="col"
              className={c('heading', align, !sorts && 'spoken')}
              aria-sort={sorts ? getDirection(name, sort) : undefined}
            >
              {sorts ? (
                <SortButton header={header} name={name} sort={sort} onSort={onSort} />
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

function SortButton(props: { header: string; name: string; sort: string | undefined; onSort: (next: string) => void }) {
  const { header, name, sort, onSort } = props
  const current = getDirection(name, sort)
  const DirectionIcon = { ascending: SortUpIcon, descending: SortDownIcon, none: SortIcon }[current]
  return (
    <button
      type="button"
      className={c('sort', current !== 'none' && 'sorted')}
      onClick={() => onSort(current === 'ascending' ? `-${name}` : name)}
    >
      <span>{header}</span>
      <DirectionIcon size={14} />
    </button>
  )
}

function getDirection(name: string, sort: string | undefined) {
  if (sort === name) return 'ascending'
  return sort === `-${name}` ? 'descending' : 'none'
}
