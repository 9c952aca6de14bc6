import type { Access } from '@neptune/contract'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { classNames } from '../components/class-names.ts'
import { DownloadIcon, EyeIcon, FileIcon } from '../components/icons.tsx'
import { SharedFacts } from '../features/access/shared-facts.tsx'
import { useDownload } from '../features/file/download.ts'
import { usePreviewOf } from '../features/preview/preview-queries.ts'
import { t } from '../words/t.ts'
import css from './access.module.css'
import { CardPage } from './card-page.tsx'
import { PreviewViewer } from './use-preview.tsx'

const c = classNames(css)

interface AccessFileProps {
  access: Access
  startsByItself: boolean
  notice: ReactNode
}

/** One file, which is on its way already; and a button, if the browser wanted to be asked. */
export function AccessFile({ access, startsByItself, notice }: AccessFileProps) {
  const { name, file_id, size } = access
  const { downloadFile } = useDownload()
  const id = file_id ?? ''
  const download = () => downloadFile({ id, file_name: name })
  const [isShown, setShown] = useState(false)
  const preview = usePreviewOf(id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once after the code, whatever changes later.
  useEffect(() => {
    if (startsByItself) downloadFile({ id, file_name: name })
  }, [])
  return (
    <>
      {notice && <header className={c('over')}>{notice}</header>}
      <CardPage title={name}>
        <p className={c('muted')}>
          <SharedFacts access={access} />
        </p>
        {startsByItself && <p>{t('Your download should start automatically. If it doesn’t, use the button below.')}</p>}
        <Button variant="primary" icon={<DownloadIcon />} onClick={download}>
          {t('Download file')}
        </Button>
        {preview.data?.as && (
          <Button icon={<EyeIcon />} onClick={() => setShown(true)}>
            {t('Preview')}
          </Button>
        )}
      </CardPage>
      {isShown && (
        <PreviewViewer file={{ id, name, size, glyph: <FileIcon /> }} onDownload={download} onClose={() => setShown(false)} />
      )}
    </>
  )
}
