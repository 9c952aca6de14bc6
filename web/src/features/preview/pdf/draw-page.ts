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
    () => release(drawing), // canceled, or a damaged page, which stays partly drawn
  )
  return () => task.cancel()
}

/** Frees the memory of a canvas at once. Otherwise, Safari keeps it for a while and fails to create new canvases. */
export function release(canvas: HTMLCanvasElement) {
  canvas.width = 0
  canvas.height = 0
}

/** Adds the invisible text layer of a page over its canvas, for selection, find in page, and screen readers. */
export function layOutText(page: PDFPageProxy, container: HTMLElement, viewport: PageViewport): () => void {
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport })
  layer.render().catch(() => undefined) // canceled, or the text can't be read: the canvas is enough
  return () => {
    layer.cancel()
    container.replaceChildren()
  }
}
