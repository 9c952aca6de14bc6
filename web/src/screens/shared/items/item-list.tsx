import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useCaller } from '../../../api/caller.ts'
import { SelectField } from '../../../components/form/field.tsx'
import { IconChoice } from '../../../components/form/icon-choice.tsx'
import { GridIcon, ListIcon } from '../../../components/icons.tsx'
import { FilterBar, SearchField } from '../../../components/table/filter-bar.tsx'
import { SelectionBar } from '../../../components/table/selection-bar.tsx'
import { SkeletonTiles } from '../../../components/table/tile-grid.tsx'
import { t } from '../../../i18n/t.ts'
import { chooseViewMode, getViewMode, type ViewMode } from '../../../lib/storage/view-mode.ts'
import { usePreview } from '../files/use-preview.tsx'
import { PagedList } from '../list/paged-list.tsx'
import { type Item, type Items, toItems } from './item.ts'
import type { ItemActions } from './item-actions.tsx'
import { ItemTable } from './item-table.tsx'
import { ItemTiles } from './item-tiles.tsx'
import { type ItemFilter, itemsQuery, maxLoadedItems, type Page } from './items-query.ts'
import { useItemClipboard } from './use-item-clipboard.ts'
import { useItemDrag } from './use-item-drag.ts'
import { useRevealedItem } from './use-revealed-item.ts'

interface ItemListProps {
  directory: string
  search: string | undefined
  searchLabel: string
  onSearch: (search: string) => void
  sort: ItemFilter['sort']
  onSort: (sort: string) => void
  isStaff: boolean
  /** The actions of the items. Must be stable. */
  actions: WithoutPreview<ItemActions>
  /** The actions for the selected items. */
  renderActions: (selection: { items: Items; isAll: boolean; clear: () => void }) => ReactNode
  /** Moves or copies items by drag and drop, or by cut, copy and paste. */
  transfer?: Transfer | undefined
  /** Shown if the directory is empty. */
  empty: ReactNode
  /** Shown if nothing matches the search. */
  noMatch: ReactNode
}

interface Transfer {
  run: Parameters<typeof useItemDrag>[0]['onDrop']
  /** The directory that pasted items go to. Undefined until it has loaded. */
  pasteTarget: { id: string; name: string } | undefined
}

/** Item actions without `preview`. The list previews files itself, because it knows their order. */
type WithoutPreview<Actions extends ItemActions> = Omit<Actions, 'files'> & { files: Omit<Actions['files'], 'preview'> }

/** The content of a directory, with search, sorting, list and tile views, selection and previews. For staff and recipients. */
export function ItemList(props: ItemListProps) {
  const { directory, search, sort, onSort, isStaff, empty, noMatch } = props
  const list = useInfiniteQuery(itemsQuery({ directory, search, sort }, useCaller()))
  const items = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data])
  const { preview, viewer } = usePreview({ ...list, data: toFilePages(items) }, isStaff)
  const actions = useMemo(
    () => ({ ...props.actions, files: { ...props.actions.files, preview } }) as ItemActions,
    [props.actions, preview],
  )
  const [view, setView] = useState(getViewMode)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  // `selected` may still contain items that are no longer in the list.
  const selectedItems = items.filter(({ id }) => selected.has(id))
  const clear = () => setSelected(new Set())
  const revealedId = useRevealedItem(list, items, (id) => setSelected(new Set([id])))
  const { run: transfer = () => {}, pasteTarget } = props.transfer ?? {}
  const drag = useItemDrag({ items, selected, onSelect: setSelected, onDrop: transfer })
  useItemClipboard({
    items: props.transfer ? items : [],
    selected,
    onPaste: pasteTarget && ((items, mode) => transfer(items, pasteTarget, mode)),
  })
  const selectAll = async () => setSelected(new Set((await loadItems(list)).map(({ id }) => id)))
  const View = view === 'list' ? ItemTable : ItemTiles
  return (
    <>
      <FilterBar end={<ViewChoice view={view} onChange={setView} />}>
        <SearchField label={props.searchLabel} maxLength={100} value={search ?? ''} onSearch={props.onSearch} />
        {view === 'tiles' && (
          <SelectField
            label={t('Sort')}
            hideLabel
            options={getSortOptions()}
            value={sort}
            onChange={({ target }) => onSort(target.value)}
          />
        )}
      </FilterBar>
      <div {...(props.transfer && drag)}>
        <PagedList list={list} errorTitle={t('The files did not load.')}>
          {(rows, loading) => {
            if (rows.length === 0 && !loading) return search ? noMatch : empty
            if (rows.length === 0 && view === 'tiles') return <SkeletonTiles label={t('Files')} columns={8} />
            return (
              <View
                items={rows}
                {...{ directory, loading, actions, selected, sort, onSort, revealedId }}
                onSelect={setSelected}
                onSelectAll={() => void selectAll()}
                isDraggable={props.transfer !== undefined}
              />
            )
          }}
        </PagedList>
      </div>
      {viewer}
      {selectedItems.length > 0 && (
        <SelectionBar
          count={selectedItems.length}
          isPartial={selectedItems.length === items.length && list.hasNextPage}
          onClear={clear}
        >
          {props.renderActions({
            items: toItems(selectedItems),
            isAll: selectedItems.length === items.length && !list.hasNextPage && !search,
            clear,
          })}
        </SelectionBar>
      )}
    </>
  )
}

/** Loads the items of a list, up to a limit, and returns them. */
async function loadItems(list: UseInfiniteQueryResult<InfiniteData<Page>>): Promise<Item[]> {
  const toItemsOf = (data: InfiniteData<Page> | undefined) => data?.pages.flatMap((page) => page.data) ?? []
  let { data } = list
  while (toItemsOf(data).length < maxLoadedItems && data?.pages.at(-1)?.next != null) {
    const next = await list.fetchNextPage()
    if (next.isError) break
    data = next.data
  }
  return toItemsOf(data)
}

/** Returns the files among the items, for the viewer. */
const toFilePages = (items: readonly Item[]) => ({
  pages: [{ data: items.flatMap((item) => (item.kind === 'file' ? [item.file] : [])) }],
})

const getSortOptions = () => [
  { value: 'name', label: t('Sort by name') },
  { value: '-name', label: t('Sort by name, Z to A') },
  { value: '-created_at', label: t('Newest first') },
  { value: 'created_at', label: t('Oldest first') },
  { value: '-size', label: t('Largest first') },
  { value: 'size', label: t('Smallest first') },
]

function ViewChoice({ view, onChange }: { view: ViewMode; onChange: (view: ViewMode) => void }) {
  return (
    <IconChoice
      label={t('View')}
      choices={[
        { value: 'list', label: t('List'), icon: <ListIcon size={18} /> },
        { value: 'tiles', label: t('Tiles'), icon: <GridIcon size={18} /> },
      ]}
      value={view}
      onChange={(next) => {
        chooseViewMode(next)
        onChange(next)
      }}
    />
  )
}
