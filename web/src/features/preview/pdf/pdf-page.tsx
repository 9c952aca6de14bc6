import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useRef, useState } from 'react'
import { formatNumber, t } from '../../../i18n/t.ts'
import { drawPage, layOutText, release } from './draw-page.ts'
import { findPageNumber, type PageLink, readPageLinks } from './page-links.ts'

/** The size of a page at scale 1. */
export interface PageSize {
  width: number
  height: number
}

interface PdfPageProps {
  document: PDFDocumentProxy
  number: number
  total: number
  /** Until the page is loaded, it takes the space of the first one. */
  defaultSize: PageSize
  /** The width that a page may take at level 1. */
  maxWidth: number
  level: number
  isNear: boolean
  onGoTo: (page: number) => void
}

/** At level 1, a page is at most this many times its original size. */
const maxScale = 1.5

/** One page: its canvas, its text layer and its links. Drawn only while it is near the visible area. */
export function PdfPage({ document, number, total, defaultSize, maxWidth, level, isNear, onGoTo }: PdfPageProps) {
  const page = useLoadedPage(document, number, isNear)
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  const size = page?.getViewport({ scale: 1 }) ?? defaultSize
  const scale = Math.min(maxScale, maxWidth / size.width) * level

  useEffect(() => {
    const target = canvas.current
    if (!page || !isNear || !target) return
    return drawPage(page, target, scale, () => setDrawn(true))
  }, [page, isNear, scale])

  useEffect(() => {
    const [picture, container] = [canvas.current, text.current]
    if (!page || !isNear || !container) return
    const remove = layOutText(page, container, page.getViewport({ scale: 1 }))
    return () => {
      remove()
      if (picture) release(picture)
      setDrawn(false)
      page.cleanup()
    }
  }, [page, isNear])

  const style = { inlineSize: size.width * scale, blockSize: size.height * scale, '--total-scale-factor': scale }
  const label = t('Page {part} of {whole}', { part: formatNumber(number), whole: formatNumber(total) })
  return (
    <section className="pdf-page" aria-label={label} data-page={number} data-drawn={isDrawn} style={style}>
      <canvas ref={canvas} />
      <div ref={text} className="pdf-text" />
      {page && isNear && <PageLinks document={document} page={page} onGoTo={onGoTo} />}
    </section>
  )
}

/** Loads a page when it is near the visible area for the first time. */
function useLoadedPage(document: PDFDocumentProxy, number: number, isNear: boolean): PDFPageProxy | undefined {
  const [page, setPage] = useState<PDFPageProxy>()
  useEffect(() => {
    if (!isNear) return
    let isCurrent = true
    document.getPage(number).then(
      (loaded) => isCurrent && setPage(loaded),
      () => undefined, // a damaged page stays empty
    )
    return () => {
      isCurrent = false
    }
  }, [document, number, isNear])
  return page
}

interface PageLinksProps {
  document: PDFDocumentProxy
  page: PDFPageProxy
  onGoTo: (page: number) => void
}

function PageLinks({ document, page, onGoTo }: PageLinksProps) {
  const [links, setLinks] = useState<PageLink[]>([])
  useEffect(() => {
    let isCurrent = true
    readPageLinks(page).then(
      (found) => isCurrent && setLinks(found),
      () => undefined, // a page without readable links
    )
    return () => {
      isCurrent = false
    }
  }, [page])

  const goTo = async (destination: unknown) => {
    const number = await findPageNumber(document, destination)
    if (number !== undefined) onGoTo(number)
  }
  return links.map(({ target, position }, index) =>
    'href' in target ? (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the links of a page never change.
        key={index}
        className="pdf-link"
        style={position}
        href={target.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title={target.href}
      >
        <span className="sr-only">{target.href}</span>
      </a>
    ) : (
      <button
        // biome-ignore lint/suspicious/noArrayIndexKey: the links of a page never change.
        key={index}
        type="button"
        className="pdf-link"
        style={position}
        aria-label={t('Go to the linked page')}
        onClick={() => void goTo(target.destination)}
      />
    ),
  )
}
