import { AnnotationMode, type PageViewport, type PDFPageProxy, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** Safari on phones refuses canvases with more pixels. */
const maxCanvasPixels = 2 ** 24

/** Draws a page into `canvas`, which keeps its old content until the new one is complete. Returns a function that cancels it. */
export function drawPage(page: PDFPageProxy, canvas: HTMLCanvasElement, scale: number, onDrawn: () => void): () => void {
  const css = page.getViewport({ scale })
  const density = Math.min(window.devicePixelRatio || 1, Math.sqrt(maxCanvasPixels / (css.width * css.height)))
  const viewport = page.getViewport({ scale: scale * density })
  const drawing = document.createElement('canvas')
  drawing.width = Math.max(1, Math.floor(viewport.width))
  drawing.height = Math.max(1, Math.floor(viewport.height))
  const task = page.render({ canvas: drawing, viewport, annotationMode: AnnotationMode.ENABLE })
  task.promise.then(
    () => {
      canvas.width = drawing.width
      canvas.height = drawing.height
      canvas.getContext('2d')?.drawImage(drawing, 0, 0)
      release(drawing)
      onDrawn()
    },
    () => release(drawing), // cancelled, or a damaged page: what could be drawn of it is not worth an error
  )
  return () => task.cancel()
}

/** Frees the memory of a canvas at once. Safari keeps it for a while otherwise, and then refuses new ones. */
export function release(canvas: HTMLCanvasElement) {
  canvas.width = 0
  canvas.height = 0
}

/** Lays the invisible text of a page over its picture, for selection, search in the page, and screen readers. */
export function layOutText(page: PDFPageProxy, container: HTMLElement, viewport: PageViewport): () => void {
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport })
  layer.render().catch(() => undefined) // cancelled, or text that can't be read: the picture is enough
  return () => {
    layer.cancel()
    container.replaceChildren()
  }
}
