import type { FileRow, VersionRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { toApiUrl } from '../../../api/client.ts'
import { classNames } from '../../../components/class-names.ts'
import { Button } from '../../../components/form/button.tsx'
import { CopyField } from '../../../components/form/copy-field.tsx'
import { DownloadIcon, EyeIcon, LinkIcon, PencilIcon } from '../../../components/icons.tsx'
import { Drawer, Facts } from '../../../components/layout/drawer.tsx'
import { getDamageReason } from '../../../features/file/damage.tsx'
import { getKindStyle } from '../../../features/file/file-kinds.tsx'
import { formatContentType } from '../../../features/file/format-content-type.ts'
import { useDownload } from '../../../features/file/use-download.ts'
import { fileQuery, versionsQuery } from '../../../features/file/version-queries.ts'
import { t } from '../../../i18n/t.ts'
import { getArchivedReason } from '../../../lib/archived-company.ts'
import { formatPath } from '../../../lib/format-path.ts'
import { formatSize } from '../../../lib/sizes.ts'
import { formatDateTime } from '../../../lib/time/dates.ts'
import { paths } from '../../../paths.ts'
import { useDialog } from '../dialogs/dialog.ts'
import { PreviewViewer, toPreviewFile } from '../files/use-preview.tsx'
import { describeUploader } from './describe-uploader.ts'
import css from './details.module.css'
import { ItemActivitySection, ItemLinksSection } from './details-sections.tsx'
import { VersionsSection } from './versions-section.tsx'

const c = classNames(css)

type PreviewedVersion = Pick<VersionRow, 'is_current'> & Partial<VersionRow>

/** Shows the details of a file, with its versions, links and activity. */
export function FileDetails({ file: listed, onClose }: { file: FileRow; onClose: () => void }) {
  const { data: file = listed } = useQuery(fileQuery(listed))
  const { data: versions } = useQuery(versionsQuery(file.id))
  const [previewed, setPreviewed] = useState<PreviewedVersion>()
  const { downloadFile } = useDownload()
  const open = useDialog()
  const disabledReason = getDamageReason(file)
  const preview = () => setPreviewed({ is_current: true })
  return (
    <>
      <Drawer
        eyebrow={t('File')}
        title={file.file_name}
        actions={
          <>
            <Button icon={<DownloadIcon />} disabledReason={disabledReason} onClick={() => downloadFile(file)}>
              {t('Download')}
            </Button>
            <Button
              icon={<LinkIcon />}
              disabledReason={getArchivedReason(file)}
              onClick={() => open({ kind: 'share', company: file.company, directory: file.directory_id, files: [file] })}
            >
              {t('Share')}
            </Button>
            <Button icon={<PencilIcon />} onClick={() => open({ kind: 'rename-file', file })}>
              {t('Rename')}
            </Button>
          </>
        }
        onClose={onClose}
      >
        <Picture file={file} disabledReason={disabledReason} onOpen={preview} />
        <Facts
          facts={[
            { name: t('Location'), value: <FolderLink file={file} onOpen={onClose} /> },
            { name: t('Type'), value: <span title={file.content_type}>{formatContentType(file.content_type)}</span> },
            { name: t('Size'), value: formatSize(file.size) },
            { name: t('Added'), value: formatDateTime(file.date_created) },
            { name: t('Added by'), value: describeUploader(file) },
          ]}
        />
        <CopyField label="SHA-256" value={file.sha256} />
        <VersionsSection file={file} versions={versions} onPreview={setPreviewed} />
        <ItemLinksSection file={file.id} />
        <ItemActivitySection subject={{ file: file.id }} name={file.file_name} />
      </Drawer>
      {previewed && (
        <PreviewViewer
          file={toPreviewedVersion(file, previewed)}
          onDownload={() => downloadFile({ ...file, ...(!previewed.is_current && previewed.id && { blob: previewed.id }) })}
          onClose={() => setPreviewed(undefined)}
        />
      )}
    </>
  )
}

/** Converts a version for the viewer. The current version is the file itself. */
function toPreviewedVersion(file: FileRow, { id, is_current, ...details }: PreviewedVersion) {
  if (is_current) return toPreviewFile(file, true)
  const { size = file.size, kind = file.kind, damaged = file.damaged } = details
  return { ...toPreviewFile({ ...file, size, kind, damaged }, true), version: id }
}

interface PictureProps {
  file: FileRow
  disabledReason: string | undefined
  onOpen: () => void
}

/** The thumbnail, which opens the preview. */
function Picture({ file, disabledReason, onOpen }: PictureProps) {
  const { Glyph } = getKindStyle(file.kind)
  return (
    <div className={c('picture')}>
      {file.image === null ? <Glyph size={48} /> : <img src={toApiUrl(file.image)} alt="" decoding="async" />}
      <div className={c('over')}>
        <Button icon={<EyeIcon />} disabledReason={disabledReason} onClick={onOpen}>
          {t('Preview')}
        </Button>
      </div>
    </div>
  )
}

const FolderLink = ({ file, onOpen }: { file: FileRow; onOpen: () => void }) => (
  <Link to={paths.directory(file.directory_id)} className={c('link')} onClick={onOpen}>
    {formatPath([...file.path, { id: file.directory_id, name: file.directory ?? t('Unknown') }])}
  </Link>
)
