import type { Access } from '@neptune/contract'
import { type ReactNode, useEffect, useState } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { DownloadIcon, EyeIcon, FileIcon } from '../../components/icons.tsx'
import { useDownload } from '../../features/file/use-download.ts'
import { useFilePreview } from '../../features/preview/preview-queries.ts'
import { t } from '../../i18n/t.ts'
import { PreviewViewer } from '../shared/files/use-preview.tsx'
import { CardPage } from '../shared/page/card-page.tsx'
import css from './access-page.module.css'
import { ExpiryNotice } from './expiry-notice.tsx'
import { SharedFacts } from './shared-facts.tsx'

const c = classNames(css)

interface AccessFileProps {
  access: Access
  startsDownload: boolean
  notice: ReactNode
}

/** Shows a shared file with a download button, in case the browser blocks the download that starts by itself. */
export function AccessFile({ access, startsDownload, notice }: AccessFileProps) {
  const { name, file_id, size } = access
  const { downloadFile } = useDownload()
  const id = file_id ?? ''
  const download = () => downloadFile({ id, file_name: name })
  const [isPreviewOpen, setPreviewOpen] = useState(false)
  const preview = useFilePreview(id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once after the code was entered.
  useEffect(() => {
    if (startsDownload) downloadFile({ id, file_name: name })
  }, [])
  return (
    <>
      {notice && <header className={c('noticeBar')}>{notice}</header>}
      <CardPage title={name}>
        <p className={c('muted')}>
          <SharedFacts access={access} />
        </p>
        <ExpiryNotice access={access} />
        {startsDownload && <p>{t('Your download should start automatically. If it doesn’t, use the button below.')}</p>}
        <Button variant="primary" icon={<DownloadIcon />} onClick={download}>
          {t('Download file')}
        </Button>
        {preview.data?.as && (
          <Button icon={<EyeIcon />} onClick={() => setPreviewOpen(true)}>
            {t('Preview')}
          </Button>
        )}
      </CardPage>
      {isPreviewOpen && (
        <PreviewViewer
          file={{ id, name, size, glyph: <FileIcon /> }}
          onDownload={download}
          onClose={() => setPreviewOpen(false)}
        />
      )}
    </>
  )
}
