import type { FileRow } from '@neptune/contract'
import { DownloadIcon, LinkIcon, MoreIcon, PencilIcon, TrashIcon } from '../../components/icons.tsx'
import { Menu } from '../../components/menu.tsx'

export interface FileActions {
  download: (file: FileRow) => void
  share: (file: FileRow) => void
  rename: (file: FileRow) => void
  remove: (files: readonly FileRow[]) => void
}

export const FileMenu = ({ file, actions }: { file: FileRow; actions: FileActions }) => (
  <Menu
    label={`Actions for ${file.file_name}`}
    align="end"
    trigger={<MoreIcon />}
    items={[
      { label: 'Download', icon: <DownloadIcon />, onSelect: () => actions.download(file) },
      { label: 'Create link', icon: <LinkIcon />, onSelect: () => actions.share(file) },
      { label: 'Rename', icon: <PencilIcon />, onSelect: () => actions.rename(file) },
      'separator',
      { label: 'Delete', icon: <TrashIcon />, danger: true, onSelect: () => actions.remove([file]) },
    ]}
  />
)
