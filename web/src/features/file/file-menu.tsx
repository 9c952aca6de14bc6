import type { FileRow } from '@neptune/contract'
import { ClockIcon, DownloadIcon, EyeIcon, LinkIcon, MoreIcon, PencilIcon, TrashIcon } from '../../components/icons.tsx'
import { Menu } from '../../components/menu.tsx'
import type { RowMenu } from '../../components/use-row-menu.tsx'
import { t } from '../../words/t.ts'
import { damageOf } from './damage.tsx'

export interface FileActions {
  preview: (file: FileRow) => void
  download: (file: FileRow) => void
  share: (file: FileRow) => void
  rename: (file: FileRow) => void
  /** Shows all that happened to it. */
  activity: (file: FileRow) => void
  remove: (files: readonly FileRow[]) => void
}

/** Who may only take files. */
export type TakeActions = Pick<FileActions, 'preview' | 'download'>

interface FileMenuProps {
  file: FileRow
  /** Names the file in the menu's accessible name, if the file name alone is ambiguous. */
  label?: string
  actions: FileActions | TakeActions
}

export const FileMenu = ({ file, label, actions }: FileMenuProps) => (
  <Menu {...menuOfFile(file, actions, label)} align="end" trigger={<MoreIcon />} />
)

/** The same wherever it opens: at its button, or where the pointer is. */
export function menuOfFile(file: FileRow, actions: FileActions | TakeActions, name = file.file_name || t('Unknown')): RowMenu {
  const isStaff = 'remove' in actions
  const disabledReason = damageOf(file, isStaff)
  const take: RowMenu['items'] = [
    { label: t('Preview'), icon: <EyeIcon />, disabledReason, onSelect: () => actions.preview(file) },
    { label: t('Download'), icon: <DownloadIcon />, disabledReason, onSelect: () => actions.download(file) },
  ]
  return {
    label: t('Actions for {name}', { name }),
    items: isStaff ? [...take, ...workItems(file, actions)] : take,
  }
}

const workItems = (file: FileRow, actions: FileActions): RowMenu['items'] => [
  { label: t('Create link'), icon: <LinkIcon />, onSelect: () => actions.share(file) },
  { label: t('Rename'), icon: <PencilIcon />, onSelect: () => actions.rename(file) },
  { label: t('Activity'), icon: <ClockIcon />, onSelect: () => actions.activity(file) },
  'separator',
  { label: t('Delete'), icon: <TrashIcon />, danger: true, onSelect: () => actions.remove([file]) },
]
