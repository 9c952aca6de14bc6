import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { apiUrl, toApiUrl } from '../../api/client.ts'
import { classNames } from '../../components/class-names.ts'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button } from '../../components/form/button.tsx'
import { DownloadIcon } from '../../components/icons.tsx'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { formatSize } from '../../lib/sizes.ts'
import type { Pages } from './page-number.tsx'
import css from './preview.module.css'
import { maxTextBytes, type useFilePreview, usePreviewText } from './preview-queries.ts'
import type { Zoom } from './use-zoom.ts'

const c = classNames(css)

/** pdf.js and the component that shows its pages, loaded with the first PDF. */
const PdfView = lazy(() => import('./pdf/pdf-view.tsx').then((module) => ({ default: module.PdfView })))

/** A file to preview. */
export interface PreviewFile {
  id: string
  /** An older version to show instead of the current one. */
  version?: string | undefined
  name: string
  size: number
  /** The name of its kind. */
  kind?: string | undefined
  glyph: ReactNode
  /** Why it can’t be previewed, if that is known in advance. */
  disabledReason?: string | undefined
}

interface StageProps {
  file: PreviewFile
  preview: ReturnType<typeof useFilePreview>
  zoom: Pick<Zoom, 'level' | 'width'>
  onPage: (pages: Pages) => void
  onDownload: () => void
}

/** Shows the preview of a file, or a card with the reason if there is none. */
export function Stage({ file, preview, zoom, onPage, onDownload }: StageProps) {
  const [hasFailed, setFailed] = useState(false)
  const { data, error, refetch } = preview
  const fail = () => setFailed(true)
  const card = (reason: string) => <Card file={file} reason={reason} onDownload={onDownload} />
  if (file.disabledReason !== undefined) return card(file.disabledReason)
  if (error && !data) return <NotLoaded file={file} error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  if (data.pending) return <Pending file={file} onDownload={onDownload} />
  if (data.as === null || data.url === null) return card(t('This type of file can’t be previewed.'))
  if (hasFailed) return card(t('Your browser can’t display this file.'))
  const source = { src: toApiUrl(data.url), crossOrigin: apiUrl ? ('anonymous' as const) : undefined, onError: fail }
  switch (data.as) {
    case 'image':
      return <Picture source={source} name={file.name} zoom={zoom} />
    case 'pdf':
      return (
        <Suspense fallback={<Loading />}>
          <PdfView url={source.src} level={zoom.level} renderLoading={Loading} renderFailure={card} onPage={onPage} />
        </Suspense>
      )
    case 'text':
      return <PlainText file={file} url={data.url} renderFailure={() => card(t('The text did not load.'))} />
    case 'video':
      return <video {...source} controls playsInline preload="metadata" aria-label={file.name} className={c('video')} />
    case 'audio':
      return (
        <Card file={file}>
          <audio {...source} controls preload="metadata" aria-label={file.name} className={c('audio')} />
        </Card>
      )
  }
}

const Loading = () => (
  <div className={c('loading')}>
    <Skeleton height="100%" label={t('Loading')} />
  </div>
)

interface PictureProps {
  source: { src: string; onError: () => void }
  name: string
  zoom: StageProps['zoom']
}

function Picture({ source, name, zoom }: PictureProps) {
  const isZoomed = zoom.level > 1
  return (
    <div className={c('picture', isZoomed && 'zoomed')}>
      <img {...source} alt={name} decoding="async" style={isZoomed ? { inlineSize: zoom.width * zoom.level } : undefined} />
    </div>
  )
}

interface PlainTextProps {
  file: PreviewFile
  url: string
  renderFailure: () => ReactNode
}

function PlainText({ file, url, renderFailure }: PlainTextProps) {
  const { data, error } = usePreviewText(url, file.size)
  if (error) return renderFailure()
  if (data === undefined) return <Loading />
  return (
    <>
      {file.size > maxTextBytes && (
        <p className={c('note')}>
          {t('Only the first {size} are shown. Download the file to read all of it.', { size: '1 MiB' })}
        </p>
      )}
      {data === '' && <p className={c('note')}>{t('This file is empty.')}</p>}
      <pre className={c('text')}>{data}</pre>
    </>
  )
}

/** Shown while the server makes the preview. */
const Pending = ({ file, onDownload }: Pick<StageProps, 'file' | 'onDownload'>) => (
  <Card
    file={file}
    reason={t('This can take a minute the first time. You can also download the file right away.')}
    onDownload={onDownload}
  >
    <p role="status">{t('Preparing the preview…')}</p>
  </Card>
)

/** Returns the extension of a file name as a label, such as DOCX. */
const getExtension = (name: string) => /[^.]\.(\w{1,5})$/.exec(name)?.[1]?.toUpperCase()

interface CardProps {
  file: PreviewFile
  reason?: string
  onDownload?: () => void
  children?: ReactNode
}

function Card({ file, reason, onDownload, children }: CardProps) {
  return (
    <div className={c('card')}>
      <span className={c('glyph')}>{file.glyph}</span>
      <p className={c('name')}>{file.name}</p>
      <p className={c('muted')}>{[getExtension(file.name), file.kind, formatSize(file.size)].filter(Boolean).join(' · ')}</p>
      {children}
      {reason && <p>{reason}</p>}
      {onDownload && file.disabledReason === undefined && (
        <Button variant="primary" icon={<DownloadIcon />} onClick={onDownload}>
          {t('Download')}
        </Button>
      )}
    </div>
  )
}

function NotLoaded({ file, error, onRetry }: { file: PreviewFile; error: Error; onRetry: () => void }) {
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <ErrorState
      title={t('The preview did not load.')}
      detail={isGone ? t('“{name}” no longer exists.', { name: shortenName(file.name) }) : error.message}
      requestId={error instanceof ApiError ? error.requestId : undefined}
      onRetry={isGone ? undefined : onRetry}
    />
  )
}
