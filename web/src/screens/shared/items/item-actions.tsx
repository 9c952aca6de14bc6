import type { DirectoryRow } from '@neptune/contract'
import type { RowMenu } from '../../../components/table/use-row-menu.tsx'
import {
  createDirectoryMenu,
  type DirectoryActions,
  type FolderReadActions,
} from '../../../features/directory/directory-menu.tsx'
import { getDamageReason } from '../../../features/file/damage.tsx'
import { createFileMenu, type FileActions, type ReadActions } from '../../../features/file/file-menu.tsx'
import { formatPath, getPathBelow } from '../../../lib/format-path.ts'
import type { Item } from './item.ts'

/** The actions for the items of a directory. Recipients can only open, preview and download. */
export interface ItemActions {
  openFolder: (folder: Pick<DirectoryRow, 'id'>) => void
  files: FileActions | ReadActions
  folders: DirectoryActions | FolderReadActions
}

export interface ItemListProps {
  /** The directory whose content is shown. */
  directory: string
  items: readonly Item[]
  loading: boolean
  actions: ItemActions
  selected: ReadonlySet<string>
  onSelect: (next: ReadonlySet<string>) => void
  /** Selects everything, including what is not loaded yet. */
  onSelectAll: () => void
  sort: string
  onSort: (next: string) => void
  isDraggable: boolean
  /** The item that the URL names. It is rendered at any scroll position. */
  revealedId: string | undefined
}

export function openItem(item: Item, actions: ItemActions): void {
  if (item.kind === 'folder') actions.openFolder(item.folder)
  else actions.files.download(item.file)
}

export const createItemMenu = (item: Item, actions: ItemActions, label?: string): RowMenu =>
  item.kind === 'file'
    ? createFileMenu(item.file, actions.files, label)
    : createDirectoryMenu(item.folder, label ?? item.name, actions.folders, (id) => actions.openFolder({ id }))

export const getDisabledReason = (item: Item, { files }: ItemActions): string | undefined =>
  item.kind === 'file' ? getDamageReason(item.file, 'remove' in files) : undefined

/** Returns the folders between a directory and an item that was found below it. Empty for an item directly in it. */
export function getItemPath(item: Item, directory: string): string {
  if (item.kind === 'folder') return formatPath(getPathBelow(item.folder.path, directory))
  const { path, directory_id, directory: name } = item.file
  return formatPath(getPathBelow([...path, { id: directory_id, name: name ?? '' }], directory))
}
