import { type ComponentProps, useMemo, useState } from 'react'
import { Age } from '../components/age.tsx'
import { Button } from '../components/button.tsx'
import { classNames } from '../components/class-names.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { FilterBar, SearchField } from '../components/filter-bar.tsx'
import { FormError } from '../components/form-error.tsx'
import { TrashIcon, UndoIcon } from '../components/icons.tsx'
import { SelectionBar } from '../components/selection-bar.tsx'
import { Table } from '../components/table.tsx'
import type { Column } from '../components/table-columns.ts'
import { formatDate, formatDaysLeft } from '../lib/dates.ts'
import { type Text, t } from '../words/t.ts'
import { PagedList } from './paged-list.tsx'
import css from './trash-list.module.css'
import { focusSearch } from './use-filters.ts'

const c = classNames(css)

interface Deleted {
  id: string
  deleted_at: string | null
  gone_at: string | null
}

const texts = {
  files: {
    caption: 'Deleted files',
    search: 'Search deleted files',
    nothing: 'No deleted files.',
    noMatch: 'No deleted file matches “{search}”.',
  },
  directories: {
    caption: 'Deleted directories',
    search: 'Search deleted directories',
    nothing: 'No deleted directories.',
    noMatch: 'No deleted directory matches “{search}”.',
  },
} as const satisfies Record<string, Record<string, Text>>

interface TrashListProps<Row extends Deleted> {
  kind: keyof typeof texts
  /** Where else to look, when nothing is found. */
  hint?: string | undefined
  list: ComponentProps<typeof PagedList<Row>>['list']
  /** What was deleted, and where it was. */
  columns: Column<Row>[]
  nameOf: (row: Row) => string
  /** Tells rows of the same name apart. */
  detailOf: (row: Row) => string
  restore: { run: (rows: Row[]) => void; error: Error | undefined }
  search: string
  onSearch: (search: string) => void
}

/** What is in the trash, since when and until when. One, or all that are selected, can be taken out. */
export function TrashList<Row extends Deleted>(props: TrashListProps<Row>) {
  const { kind, hint, list, columns, nameOf, detailOf, search, onSearch } = props
  const { run: restore, error } = props.restore
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const chosen = (list.data?.pages ?? []).flatMap(({ data }) => data).filter(({ id }) => selected.has(id))
  const clear = () => setSelected(new Set())
  const all = useMemo(
    () => [
      ...columns,
      ...times(),
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
  const restoreChosen = () => {
    restore(chosen)
    clear()
  }
  return (
    <>
      <FilterBar
        selection={
          chosen.length > 0 && (
            <SelectionBar count={chosen.length} onClear={clear}>
              <Button icon={<UndoIcon />} onClick={restoreChosen}>
                {t('Restore')}
              </Button>
            </SelectionBar>
          )
        }
      >
        <SearchField label={t(texts[kind].search)} maxLength={100} value={search} onSearch={onSearch} />
      </FilterBar>
      {error && (
        <div className={c('problem')}>
          <FormError title={error.message} announce="alert" />
        </div>
      )}
      <PagedList list={list} failed={t('The trash did not load.')}>
        {(rows, loading) => (
          <Table
            caption={t(texts[kind].caption)}
            columns={all}
            rows={rows}
            rowKey={(row) => row.id}
            rowLabel={nameOf}
            rowDetail={detailOf}
            selected={selected}
            onSelect={setSelected}
            loading={loading}
            empty={
              search ? (
                <NoMatch kind={kind} hint={hint} search={search} onClear={clearSearch} />
              ) : (
                <Nothing kind={kind} hint={hint} />
              )
            }
          />
        )}
      </PagedList>
    </>
  )
}

const times = (): Column<Deleted>[] => [
  {
    key: 'deleted',
    header: t('Deleted'),
    cell: ({ deleted_at }) => deleted_at && <Age instant={deleted_at} short />,
    width: 112,
  },
  {
    key: 'gone',
    header: t('Gone for good'),
    cell: ({ gone_at }) => gone_at && <span title={formatDate(gone_at)}>{formatDaysLeft(gone_at)}</span>,
    width: 112,
  },
]

type Words = Pick<TrashListProps<Deleted>, 'kind' | 'hint'>

const Nothing = ({ kind, hint }: Words) => (
  <EmptyState icon={<TrashIcon />} title={t(texts[kind].nothing)}>
    {t('Deleted items stay here for a while and can be restored.')} {hint}
  </EmptyState>
)

const NoMatch = ({ kind, hint, search, onClear }: Words & { search: string; onClear: () => void }) => (
  <EmptyState
    icon={<TrashIcon />}
    title={t(texts[kind].noMatch, { search })}
    action={<Button onClick={onClear}>{t('Clear search')}</Button>}
  >
    {hint}
  </EmptyState>
)
