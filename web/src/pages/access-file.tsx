import type { Access } from '@neptune/contract'
import { type ReactNode, useEffect } from 'react'
import { Button } from '../components/button.tsx'
import { classNames } from '../components/class-names.ts'
import { DownloadIcon } from '../components/icons.tsx'
import { SharedFacts } from '../features/access/shared-facts.tsx'
import { useDownload } from '../features/file/download.ts'
import { t } from '../words/t.ts'
import css from './access.module.css'
import { CardPage } from './card-page.tsx'

const c = classNames(css)

interface AccessFileProps {
  access: Access
  startsByItself: boolean
  notice: ReactNode
}

/** One file, which is on its way already; and a button, if the browser wanted to be asked. */
export function AccessFile({ access, startsByItself, notice }: AccessFileProps) {
  const { name, file_id } = access
  const { downloadFile } = useDownload()
  const id = file_id ?? ''
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
        {startsByItself && <p>{t('The download has started. If it has not, press the button.')}</p>}
        <Button variant="primary" icon={<DownloadIcon />} onClick={() => downloadFile({ id, file_name: name })}>
          {t('Download file')}
        </Button>
      </CardPage>
    </>
  )
}
