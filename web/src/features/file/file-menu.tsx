import type { FileRow } from '@neptune/contract'
import {
  ClockIcon,
  CopyIcon,
  DownloadIcon,
  EyeIcon,
  InfoIcon,
  LinkIcon,
  MoreIcon,
  MoveIcon,
  PencilIcon,
  TrashIcon,
} from '../../components/icons.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import type { RowMenu } from '../../components/table/use-row-menu.tsx'
import { t } from '../../i18n/t.ts'
import { getArchivedReason } from '../../lib/archived-company.ts'
import { getDamageReason } from './damage.tsx'

export interface FileActions {
  preview: (file: FileRow) => void
  download: (file: FileRow) => void
  share: (file: FileRow) => void
  rename: (file: FileRow) => void
  move: (file: FileRow) => void
  copy: (file: FileRow) => void
  showDetails: (file: FileRow) => void
  /** Opens the activity page, filtered by this file. */
  showActivity: (file: FileRow) => void
  remove: (files: readonly FileRow[]) => void
}

/** The actions of recipients. */
export type ReadActions = Pick<FileActions, 'preview' | 'download'>

interface FileMenuProps {
  file: FileRow
  /** Names the file in the menu's accessible name, if the file name alone is ambiguous. */
  label?: string
  actions: FileActions | ReadActions
}

export const FileMenu = ({ file, label, actions }: FileMenuProps) => (
  <Menu {...createFileMenu(file, actions, label)} align="end" trigger={<MoreIcon />} />
)

/** Creates the menu of a file, for the “more” button and for the context menu. */
export function createFileMenu(
  file: FileRow,
  actions: FileActions | ReadActions,
  name = file.file_name || t('Unknown'),
): RowMenu {
  const isStaff = 'remove' in actions
  const disabledReason = getDamageReason(file, isStaff)
  const readItems: RowMenu['items'] = [
    { label: t('Preview'), icon: <EyeIcon />, disabledReason, onSelect: () => actions.preview(file) },
    { label: t('Download'), icon: <DownloadIcon />, disabledReason, onSelect: () => actions.download(file) },
  ]
  return {
    label: t('Actions for {name}', { name }),
    items: isStaff ? [...readItems, ...createStaffItems(file, actions)] : readItems,
  }
}

const createStaffItems = (file: FileRow, actions: FileActions): RowMenu['items'] => [
  {
    label: t('Share'),
    icon: <LinkIcon />,
    disabledReason: getArchivedReason(file),
    onSelect: () => actions.share(file),
  },
  { label: t('Rename'), icon: <PencilIcon />, shortcut: 'F2', onSelect: () => actions.rename(file) },
  { label: t('Move to…'), icon: <MoveIcon />, onSelect: () => actions.move(file) },
  { label: t('Copy to…'), icon: <CopyIcon />, onSelect: () => actions.copy(file) },
  'separator',
  { label: t('Details (of a file)'), icon: <InfoIcon />, onSelect: () => actions.showDetails(file) },
  { label: t('Activity'), icon: <ClockIcon />, onSelect: () => actions.showActivity(file) },
  'separator',
  { label: t('Delete'), icon: <TrashIcon />, danger: true, shortcut: 'Delete', onSelect: () => actions.remove([file]) },
]
