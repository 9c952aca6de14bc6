import type { DirectoryRow } from '@neptune/contract'
import { Link } from 'react-router'
import { Button } from '../../../components/form/button.tsx'
import { DownloadIcon, LinkIcon, PencilIcon } from '../../../components/icons.tsx'
import { Drawer, Facts } from '../../../components/layout/drawer.tsx'
import { useDirectory } from '../../../features/directory/directory-queries.ts'
import { formatDirectorySize } from '../../../features/directory/directory-tiles.tsx'
import { useDownload } from '../../../features/file/use-download.ts'
import { t } from '../../../i18n/t.ts'
import { getArchivedReason } from '../../../lib/archived-company.ts'
import { formatPath } from '../../../lib/format-path.ts'
import { formatDateTime } from '../../../lib/time/dates.ts'
import { paths } from '../../../paths.ts'
import { useDialog } from '../dialogs/dialog.ts'
import css from './details.module.css'
import { ItemActivitySection, ItemLinksSection } from './details-sections.tsx'

/** Shows the details of a directory or folder. */
export function FolderDetails({ folder: listed, onClose }: { folder: DirectoryRow; onClose: () => void }) {
  const { data: folder = listed } = useDirectory(listed.id)
  const { downloadDirectory } = useDownload()
  const open = useDialog()
  const { id, company, path } = folder
  const parent = path.at(-1)
  return (
    <Drawer
      eyebrow={parent ? t('Folder (in a directory)') : t('Directory')}
      title={folder.directory}
      actions={
        <>
          <Button
            icon={<DownloadIcon />}
            disabledReason={folder.files === 0 ? t('There are no files to download.') : undefined}
            onClick={() => downloadDirectory(folder)}
          >
            {t('Download all')}
          </Button>
          <Button
            icon={<LinkIcon />}
            disabledReason={getArchivedReason(folder)}
            onClick={() => open({ kind: 'share', company, directory: id, name: folder.directory })}
          >
            {t('Share')}
          </Button>
          <Button icon={<PencilIcon />} onClick={() => open({ kind: 'rename-directory', directory: folder })}>
            {t('Rename')}
          </Button>
        </>
      }
      onClose={onClose}
    >
      <Facts
        facts={[
          ...(parent
            ? [
                {
                  name: t('Location'),
                  value: (
                    <Link to={paths.directory(parent.id)} className={css['link']} onClick={onClose}>
                      {formatPath(path)}
                    </Link>
                  ),
                },
              ]
            : []),
          { name: t('Contents'), value: formatDirectorySize(folder) },
          { name: t('Created'), value: formatDateTime(folder.date_created) },
        ]}
      />
      <ItemLinksSection directory={id} />
      <ItemActivitySection subject={{ directory: id }} name={folder.directory} />
    </Drawer>
  )
}
