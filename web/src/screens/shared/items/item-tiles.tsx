import { type KeyboardEvent, memo, useRef } from 'react'
import { toApiUrl } from '../../../api/client.ts'
import { Age } from '../../../components/age.tsx'
import { FolderIcon, MoreIcon } from '../../../components/icons.tsx'
import { Menu } from '../../../components/menu/menu.tsx'
import { Tile, TileGrid } from '../../../components/table/tile-grid.tsx'
import { useRowSelection } from '../../../components/table/use-row-selection.ts'
import { useLatest } from '../../../components/use-latest.ts'
import { usePreviewKey } from '../../../components/use-preview-key.ts'
import { formatDirectorySize } from '../../../features/directory/directory-tiles.tsx'
import { DamagedBadge } from '../../../features/file/damage.tsx'
import { getFileType, getKindStyle } from '../../../features/file/file-kinds.tsx'
import { t } from '../../../i18n/t.ts'
import { formatSize } from '../../../lib/sizes.ts'
import type { Item } from './item.ts'
import {
  createItemMenu,
  getDisabledReason,
  getItemPath,
  type ItemActions,
  type ItemListProps,
  openItem,
} from './item-actions.tsx'

/** Folders and files as tiles, the folders first. A click opens a folder and downloads a file. */
export function ItemTiles(props: ItemListProps) {
  const { items, actions, directory, loading, selected, onSelect, onSelectAll, isDraggable, revealedId } = props
  const frame = useRef<HTMLDivElement>(null)
  const { selection, handlers } = useRowSelection({
    keys: items.map(({ id }) => id),
    names: items.map(({ name }) => name),
    selected,
    onSelect,
    onSelectAll,
    selectsOnClick: false,
    focusRow: (key) => frame.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"] [data-opener]`)?.focus(),
  })
  const find = (id: string) => items.find((item) => item.id === id)
  const previewKeyHandlers = usePreviewKey((id) => {
    const item = find(id)
    if (item?.kind === 'file') actions.files.preview(item.file)
  })
  const getMenu = (id: string) => {
    const item = find(id)
    return item && createItemMenu(item, actions)
  }
  const latestToggle = useLatest(selection?.toggle)
  const toggle = useRef((id: string, isRange: boolean) => latestToggle.current?.(id, isRange)).current
  const renderTile = (item: Item) => (
    <ItemTile
      key={item.id}
      {...{ item, actions, isDraggable }}
      path={getItemPath(item, directory)}
      isSelected={selected.has(item.id)}
      onToggle={toggle}
    />
  )
  const isKept = ({ id }: Item) => id === revealedId
  const folders = items.filter(({ kind }) => kind === 'folder')
  const files = items.filter(({ kind }) => kind === 'file')
  return (
    <div {...previewKeyHandlers}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the tiles inside */}
      <div
        ref={frame}
        style={{ display: 'grid', gap: 'var(--space-24)' }}
        {...handlers}
        onKeyDown={(event) => {
          handlers.onKeyDown(event)
          if (!event.defaultPrevented) moveBetweenGrids(event)
        }}
      >
        {folders.length > 0 && (
          <TileGrid label={t('Folders')} columns={4} loading={loading} items={folders} {...{ getMenu, isKept }}>
            {renderTile}
          </TileGrid>
        )}
        {files.length > 0 && (
          <TileGrid label={t('Files')} columns={8} loading={loading} items={files} {...{ getMenu, isKept }}>
            {renderTile}
          </TileGrid>
        )}
      </div>
    </div>
  )
}

/** Moves the focus from the last row of folders to the files, and back. Called only for keys that no grid has handled. */
function moveBetweenGrids({ key, target, currentTarget }: KeyboardEvent<HTMLElement>) {
  if (!(target as Element).matches('[data-opener]')) return
  const openers = [...currentTarget.querySelectorAll<HTMLElement>('[data-opener]')]
  const grid = (target as Element).closest('ul')?.parentElement
  const others = openers.filter((opener) => opener.closest('ul')?.parentElement !== grid)
  const isAfter = (other: HTMLElement) =>
    Boolean((target as Element).compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING)
  if (key === 'ArrowDown' || key === 'ArrowRight') others.find(isAfter)?.focus()
  if (key === 'ArrowUp' || key === 'ArrowLeft') others.findLast((other) => !isAfter(other))?.focus()
}

interface ItemTileProps {
  item: Item
  actions: ItemActions
  path: string
  isSelected: boolean
  isDraggable: boolean
  onToggle: (id: string, isRange: boolean) => void
}

/** Memoized, so that loading or selecting other items doesn’t render all tiles again. */
const ItemTile = memo(({ item, actions, path, ...selection }: ItemTileProps) => {
  const menu = <Menu {...createItemMenu(item, actions)} align="end" trigger={<MoreIcon />} />
  const shared = { ...selection, id: item.id, name: item.name, menu, onOpen: () => openItem(item, actions) }
  if (item.kind === 'folder') {
    const meta = path || formatDirectorySize(item.folder)
    return <Tile {...shared} isCompact glyph={<FolderIcon />} tint="blue" meta={meta} />
  }
  const { file } = item
  const { Glyph, tint } = getKindStyle(file.kind)
  return (
    <Tile
      {...shared}
      picture={file.image === null ? undefined : toApiUrl(file.image)}
      glyph={<Glyph />}
      tint={tint}
      type={getFileType(file)}
      meta={
        <>
          {file.damaged && (
            <div>
              <DamagedBadge />
            </div>
          )}
          {path && <div>{path}</div>}
          {formatSize(file.size)} · <Age instant={file.date_created} short />
        </>
      }
      disabledReason={getDisabledReason(item, actions)}
    />
  )
})
