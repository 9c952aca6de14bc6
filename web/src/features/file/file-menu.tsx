import type { FileRow } from '@neptune/contract'
import { ClockIcon, DownloadIcon, LinkIcon, MoreIcon, PencilIcon, TrashIcon } from '../../components/icons.tsx'
import { Menu } from '../../components/menu.tsx'
import { t } from '../../words/t.ts'
import { damageOf } from './damage.tsx'

export interface FileActions {
  download: (file: FileRow) => void
  share: (file: FileRow) => void
  rename: (file: FileRow) => void
  /** Shows all that happened to it. */
  activity: (file: FileRow) => void
  remove: (files: readonly FileRow[]) => void
}

export const FileMenu = ({ file, actions }: { file: FileRow; actions: FileActions }) => (
  <Menu
    label={t('Actions for {name}', { name: file.file_name })}
    align="end"
    trigger={<MoreIcon />}
    items={[
      {
        label: t('Download'),
        icon: <DownloadIcon />,
        disabledReason: damageOf(file),
        onSelect: () => actions.download(file),
      },
      { label: t('Create link'), icon: <LinkIcon />, onSelect: () => actions.share(file) },
      { label: t('Rename'), icon: <PencilIcon />, onSelect: () => actions.rename(file) },
      { label: t('Activity'), icon: <ClockIcon />, onSelect: () => actions.activity(file) },
      'separator',
      { label: t('Delete'), icon: <TrashIcon />, danger: true, onSelect: () => actions.remove([file]) },
    ]}
  />
)
