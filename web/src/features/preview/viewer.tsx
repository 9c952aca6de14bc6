import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../../components/class-names.ts'
import { DialogToasts } from '../../components/feedback/toast.tsx'
import { IconButton } from '../../components/form/button.tsx'
import { ChevronLeftIcon, ChevronRightIcon, CloseIcon, DownloadIcon, MinusIcon, PlusIcon } from '../../components/icons.tsx'
import { useModal } from '../../components/layout/use-modal.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatNumber, t } from '../../i18n/t.ts'
import { formatSize } from '../../lib/sizes.ts'
import { PageNumber, type Pages } from './page-number.tsx'
import css from './preview.module.css'
import { useFilePreview } from './preview-queries.ts'
import { type PreviewFile, Stage } from './stage.tsx'
import { useSwipe } from './use-swipe.ts'
import { useZoom, type Zoom } from './use-zoom.ts'

const c = classNames(css)

/** A position in a list, from 1. `total` is text, because it may be a minimum: `48+`. */
interface Position {
  index: number
  total: string
}

interface ViewerProps {
  file: PreviewFile
  /** The position in the list: `3 of 24`, or `3 of 48+` if more rows are not loaded yet. Undefined for a single file. */
  position?: Position | undefined
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
  onDownload: () => void
  onClose: () => void
}

/** A full-window preview of a file, with buttons to its neighbors in the list. */
export function Viewer({ file, position, onPrevious, onNext, onDownload, onClose }: ViewerProps) {
  const dialog = useModal()
  const stage = useRef<HTMLElement>(null)
  const id = useId()
  const preview = useFilePreview(file.id, file.version)
  const kind = file.disabledReason === undefined ? preview.data?.as : undefined
  const pages = usePages(file.id)
  const canZoom = kind === 'image' || pages.shown !== undefined
  const zoom = useZoom(file.id, stage)
  const navigate = { previous: onPrevious, next: onNext }
  const touchHandlers = useSwipe((direction) => zoom.level === 1 && navigate[direction]?.())
  useResetView(file.id, dialog, stage)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof HTMLInputElement && event.key !== 'Escape') return
    const action = {
      Escape: onClose,
      // The arrow keys seek in a video and scroll a zoomed image.
      ...(!(event.target instanceof HTMLMediaElement) && zoom.level === 1 && { ArrowLeft: onPrevious, ArrowRight: onNext }),
      ...(canZoom && { '+': zoom.in, '=': zoom.in, '-': zoom.out, '0': zoom.fit }),
    }[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  return (
    <dialog
      ref={dialog}
      className={c('viewer')}
      aria-labelledby={`${id}-name`}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header className={c('head')}>
        <div className={c('fileInfo')} aria-live="polite" aria-atomic>
          <h2 id={`${id}-name`} className={c('title')}>
            <TruncatedText text={file.name} />
          </h2>
          <p className={c('muted')}>{formatSize(file.size)}</p>
          {position && <p className="sr-only">{formatPosition(position)}</p>}
        </div>
        <IconButton label={t('Download')} icon={<DownloadIcon />} disabledReason={file.disabledReason} onClick={onDownload} />
        <IconButton label={t('Close')} icon={<CloseIcon />} onClick={onClose} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text and a zoomed image scroll with the keyboard. */}
      <section ref={stage} className={c('stage')} aria-label={file.name} tabIndex={0} data-initial-focus {...touchHandlers}>
        <Stage key={file.id} {...{ file, preview, zoom, onDownload }} onPage={pages.show} />
      </section>
      {(position || canZoom) && (
        <Footer
          {...{ position, onPrevious, onNext }}
          zoom={canZoom ? zoom : undefined}
          pages={pages.shown}
          onGoTo={(page) => stage.current?.querySelector(`[data-page="${page}"]`)?.scrollIntoView()}
        />
      )}
      <DialogToasts />
    </dialog>
  )
}

const formatPosition = ({ index, total }: Position) => t('{part} of {whole}', { part: formatNumber(index), whole: total })

/** Scrolls a new file to its top. Focuses the stage if the focused element disappeared, so that keys keep working. */
function useResetView(file: string, dialog: RefObject<HTMLElement | null>, stage: RefObject<HTMLElement | null>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new file triggers the effect.
  useLayoutEffect(() => {
    stage.current?.scrollTo(0, 0)
    if (!dialog.current?.contains(document.activeElement)) stage.current?.focus()
  }, [file, dialog, stage])
}

/** Remembers the current page of a PDF until another file is shown. */
function usePages(file: string) {
  const [state, setState] = useState<{ file: string; pages: Pages }>()
  return {
    shown: state?.file === file ? state.pages : undefined,
    show: (pages: Pages) => setState({ file, pages }),
  }
}

interface FooterProps extends Pick<ViewerProps, 'position' | 'onPrevious' | 'onNext'> {
  /** Only for images and PDFs. */
  zoom: Zoom | undefined
  /** Only for PDFs. */
  pages: Pages | undefined
  onGoTo: (page: number) => void
}

const Footer = ({ position, onPrevious, onNext, zoom, pages, onGoTo }: FooterProps) => (
  <footer className={c('foot')}>
    {pages && <PageNumber {...pages} onGoTo={onGoTo} />}
    {position && (
      <div className={c('navigation')}>
        <IconButton
          label={t('Previous file')}
          icon={<ChevronLeftIcon />}
          disabledReason={onPrevious ? undefined : t('This is the first file.')}
          onClick={onPrevious}
        />
        <span aria-hidden="true" className={c('position')}>
          {formatPosition(position)}
        </span>
        <IconButton
          label={t('Next file')}
          icon={<ChevronRightIcon />}
          disabledReason={onNext ? undefined : t('This is the last file.')}
          onClick={onNext}
        />
      </div>
    )}
    {zoom && (
      <div className={c('zoom')}>
        <IconButton label={t('Zoom out')} icon={<MinusIcon />} onClick={zoom.out} />
        <IconButton label={t('Zoom in')} icon={<PlusIcon />} onClick={zoom.in} />
      </div>
    )}
  </footer>
)
