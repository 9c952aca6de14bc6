import { type ComponentProps, useMemo, useState } from 'react'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Button } from '../../components/form/button.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { TrashIcon, UndoIcon } from '../../components/icons.tsx'
import { FilterBar, SearchField } from '../../components/table/filter-bar.tsx'
import { SelectionBar } from '../../components/table/selection-bar.tsx'
import { Table } from '../../components/table/table.tsx'
import type { Column } from '../../components/table/table-columns.ts'
import { type Text, t } from '../../i18n/t.ts'
import { formatDateTime, formatDaysLeft } from '../../lib/time/dates.ts'
import { PagedList } from '../shared/list/paged-list.tsx'
import { focusSearch } from '../shared/list/use-filters.ts'
import css from './trash-list.module.css'

const c = classNames(css)

interface DeletedRow {
  id: string
  deleted_at: string | null
  gone_at: string | null
}

const texts = {
  files: {
    caption: 'Deleted files',
    search: 'Search deleted files',
    empty: 'No deleted files.',
    noMatch: 'No deleted file matches “{search}”.',
  },
  directories: {
    caption: 'Deleted directories',
    search: 'Search deleted directories',
    empty: 'No deleted directories.',
    noMatch: 'No deleted directory matches “{search}”.',
  },
} as const satisfies Record<string, Record<string, Text>>

interface TrashListProps<Row extends DeletedRow> {
  kind: keyof typeof texts
  /** Where else to look if nothing is found. */
  hint?: string | undefined
  list: ComponentProps<typeof PagedList<Row>>['list']
  /** The columns before the dates: the deleted item and its original location. */
  columns: Column<Row>[]
  getName: (row: Row) => string
  /** Distinguishes rows with the same name. */
  getDetail: (row: Row) => string
  restore: { run: (rows: Row[]) => void; error: Error | undefined }
  search: string
  onSearch: (search: string) => void
}

/** Lists deleted items with the dates of their deletion and final removal. Restores one or all selected items. */
export function TrashList<Row extends DeletedRow>(props: TrashListProps<Row>) {
  const { kind, hint, list, columns, getName, getDetail, search, onSearch } = props
  const { run: restore, error } = props.restore
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const rows = (list.data?.pages ?? []).flatMap(({ data }) => data)
  const selectedRows = rows.filter(({ id }) => selectedIds.has(id))
  const clearSelection = () => setSelectedIds(new Set())
  const allColumns = useMemo(
    () => [
      ...columns,
      ...createDateColumns(),
      {
        key: 'restore',
        header: t('Restore'),
        cell: (row: Row, name: string) => (
          <Button aria-label={t('Restore {name}', { name })} onClick={() => restore([row])}>
            {t('Restore')}
          </Button>
        ),
        action: true,
        align: 'end' as const,
        width: 174,
      },
    ],
    [columns, restore],
  )
  const clearSearch = () => {
    onSearch('')
    focusSearch()
  }
  const restoreSelected = () => {
    restore(selectedRows)
    clearSelection()
  }
  return (
    <>
      <FilterBar>
        <SearchField label={t(texts[kind].search)} maxLength={100} value={search} onSearch={onSearch} />
      </FilterBar>
      {error && (
        <div className={c('error')}>
          <FormError title={error.message} announce="alert" />
        </div>
      )}
      <PagedList list={list} errorTitle={t('The trash did not load.')}>
        {(rows, loading) => (
          <Table
            caption={t(texts[kind].caption)}
            columns={allColumns}
            rows={rows}
            rowKey={(row) => row.id}
            rowLabel={getName}
            rowDetail={getDetail}
            selected={selectedIds}
            onSelect={setSelectedIds}
            loading={loading}
            empty={
              search ? (
                <NoMatch kind={kind} hint={hint} search={search} onClear={clearSearch} />
              ) : (
                <EmptyTrash kind={kind} hint={hint} />
              )
            }
          />
        )}
      </PagedList>
      {selectedRows.length > 0 && (
        <SelectionBar
          count={selectedRows.length}
          isPartial={selectedRows.length === rows.length && list.hasNextPage}
          onClear={clearSelection}
        >
          <Button icon={<UndoIcon />} onClick={restoreSelected}>
            {t('Restore')}
          </Button>
        </SelectionBar>
      )}
    </>
  )
}

const createDateColumns = (): Column<DeletedRow>[] => [
  {
    key: 'deleted',
    header: t('Deleted'),
    cell: ({ deleted_at }) => deleted_at && <Age instant={deleted_at} short />,
    width: 112,
  },
  {
    key: 'removal',
    header: t('Permanently deleted'),
    cell: ({ gone_at }) => gone_at && <span title={formatDateTime(gone_at)}>{formatDaysLeft(gone_at)}</span>,
    width: 168,
    ownLine: true,
    labelOnPhone: true,
  },
]

type EmptyProps = Pick<TrashListProps<DeletedRow>, 'kind' | 'hint'>

const EmptyTrash = ({ kind, hint }: EmptyProps) => (
  <EmptyState icon={<TrashIcon />} title={t(texts[kind].empty)}>
    {t('Deleted items stay here for a while and can be restored.')} {hint}
  </EmptyState>
)

const NoMatch = ({ kind, hint, search, onClear }: EmptyProps & { search: string; onClear: () => void }) => (
  <EmptyState
    icon={<TrashIcon />}
    title={t(texts[kind].noMatch, { search })}
    action={<Button onClick={onClear}>{t('Clear search')}</Button>}
  >
    {hint}
  </EmptyState>
)
