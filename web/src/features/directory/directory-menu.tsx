import type { DirectoryRow } from '@neptune/contract'
import {
  ClockIcon,
  CopyIcon,
  DownloadIcon,
  FolderIcon,
  InfoIcon,
  LinkIcon,
  MoveIcon,
  PencilIcon,
  TrashIcon,
} from '../../components/icons.tsx'
import type { RowMenu } from '../../components/table/use-row-menu.tsx'
import { t } from '../../i18n/t.ts'
import { getArchivedReason } from '../../lib/archived-company.ts'

export interface DirectoryActions {
  download: (directory: DirectoryRow) => void
  share: (directory: DirectoryRow) => void
  rename: (directory: DirectoryRow) => void
  move: (directory: DirectoryRow) => void
  copy: (directory: DirectoryRow) => void
  showDetails: (directory: DirectoryRow) => void
  /** Opens the activity page, filtered by this directory. */
  showActivity: (directory: DirectoryRow) => void
  remove: (directory: DirectoryRow) => void
}

/** The actions of recipients. */
export type FolderReadActions = Pick<DirectoryActions, 'download'>

/** The menu items for a directory or folder, except those that its page has buttons for. */
export const createDirectoryItems = (
  directory: DirectoryRow,
  actions: Omit<DirectoryActions, 'download' | 'share'>,
  shortcuts: { rename?: 'F2'; remove?: 'Delete' } = {},
): RowMenu['items'] => [
  { label: t('Rename'), icon: <PencilIcon />, shortcut: shortcuts.rename, onSelect: () => actions.rename(directory) },
  // Top-level directories can’t be moved.
  ...(directory.parent === null
    ? []
    : [
        { label: t('Move to…'), icon: <MoveIcon />, onSelect: () => actions.move(directory) },
        { label: t('Copy to…'), icon: <CopyIcon />, onSelect: () => actions.copy(directory) },
      ]),
  'separator',
  { label: t('Details (of a file)'), icon: <InfoIcon />, onSelect: () => actions.showDetails(directory) },
  { label: t('Activity'), icon: <ClockIcon />, onSelect: () => actions.showActivity(directory) },
  'separator',
  {
    label: t('Delete'),
    icon: <TrashIcon />,
    danger: true,
    shortcut: shortcuts.remove,
    onSelect: () => actions.remove(directory),
  },
]

/** Creates the menu of a directory or folder, for the “more” button and for the context menu. */
export function createDirectoryMenu(
  directory: DirectoryRow,
  name: string,
  actions: DirectoryActions | FolderReadActions,
  open: (id: string) => void,
): RowMenu {
  const readItems: RowMenu['items'] = [
    { label: t('Open'), icon: <FolderIcon />, onSelect: () => open(directory.id) },
    {
      label: t('Download all (ZIP)'),
      icon: <DownloadIcon />,
      disabledReason: directory.files === 0 ? t('There are no files to download.') : undefined,
      onSelect: () => actions.download(directory),
    },
  ]
  if (!('share' in actions)) return { label: t('Actions for {name}', { name }), items: readItems }
  const share = {
    label: t('Share'),
    icon: <LinkIcon />,
    disabledReason: getArchivedReason(directory),
    onSelect: () => actions.share(directory),
  }
  return {
    label: t('Actions for {name}', { name }),
    items: [...readItems, share, ...createDirectoryItems(directory, actions, { rename: 'F2', remove: 'Delete' })],
  }
}
