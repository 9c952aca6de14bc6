import { PasswordException, type PDFDocumentProxy, ResponseException } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLatest } from '../../../components/use-latest.ts'
import { t } from '../../../i18n/t.ts'
import { openPdf } from './open-pdf.ts'
import sheetText from './pdf.css?inline'
import { type PageSize, PdfPage } from './pdf-page.tsx'
import { useNearPages } from './use-near-pages.ts'

/** The maximum number of pages shown. A browser can’t handle more. */
const maxPages = 2000

interface PdfViewProps {
  url: string
  level: number
  renderLoading: () => ReactNode
  renderFailure: (reason: string) => ReactNode
  /** Called when another page reaches the middle, and when the number of pages is known. */
  onPage: (pages: { page: number; total: number }) => void
}

interface Loaded {
  document: PDFDocumentProxy
  firstSize: PageSize
}

/** Shows the pages of a PDF, one below the other. */
export function PdfView({ url, level, renderLoading, renderFailure, onPage }: PdfViewProps) {
  const [loaded, setLoaded] = useState<Loaded>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    const { document, close } = openPdf(url)
    document
      .then(async (pdf) => {
        const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 })
        if (isCurrent) setLoaded({ document: pdf, firstSize: { width, height } })
      })
      .catch((error: unknown) => isCurrent && setFailure(describeFailure(error)))
    return () => {
      isCurrent = false
      close()
    }
  }, [url])
  if (failure !== undefined) return renderFailure(failure)
  return loaded ? <Pages {...loaded} level={level} onPage={onPage} /> : renderLoading()
}

function describeFailure(error: unknown): string {
  if (error instanceof PasswordException) return t('This PDF is protected with a password. Download it to open it.')
  if (error instanceof ResponseException || error instanceof TypeError) return t('The preview did not load.')
  return t('This PDF can’t be displayed. It may be damaged.')
}

function Pages({ document, firstSize, level, onPage }: Loaded & Pick<PdfViewProps, 'level' | 'onPage'>) {
  const list = useRef<HTMLDivElement>(null)
  const maxWidth = useWidth(list)
  const { nearPages, page } = useNearPages(list)
  const total = document.numPages
  const report = useLatest(onPage)
  useEffect(() => report.current({ page, total }), [report, page, total])
  useSheet()

  const goTo = (number: number) => {
    const target = list.current?.querySelector<HTMLElement>(`[data-page="${number}"]`)
    target?.scrollIntoView({ block: 'start' })
  }
  return (
    <div ref={list} className="pdf-pages">
      {Array.from({ length: Math.min(total, maxPages) }, (_, index) => (
        <PdfPage
          // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other identity.
          key={index}
          {...{ document, total, maxWidth, level }}
          number={index + 1}
          defaultSize={firstSize}
          isNear={nearPages.has(index + 1)}
          onGoTo={goTo}
        />
      ))}
      {total > maxPages && (
        <p className="pdf-rest">
          {t('Only the first {size} are shown. Download the file to read all of it.', {
            size: t('{n} pages', { n: maxPages }),
          })}
        </p>
      )}
    </div>
  )
}

/** Returns the width that a page can have without horizontal scrolling. */
function useWidth(list: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const stage = list.current?.parentElement
    if (!stage) return
    const measure = () => {
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(list.current ?? stage)
      setWidth(stage.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(stage)
    return () => observer.disconnect()
  }, [list])
  return width
}

/** Adds the styles while a PDF is shown. They are not in the main style sheet, which every page loads. */
function useSheet() {
  useLayoutEffect(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(sheetText)
    window.document.adoptedStyleSheets.push(sheet)
    return () => {
      window.document.adoptedStyleSheets = window.document.adoptedStyleSheets.filter((other) => other !== sheet)
    }
  }, [])
}
