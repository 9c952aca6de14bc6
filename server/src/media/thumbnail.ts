import type { Readable } from 'node:stream'
import { runDrawing } from './drawing/drawing-process.ts'

const limits = { maxBytes: 2 ** 20, timeoutMs: 60_000 }

/** Draws the first page of a PDF, in the same size as `drawThumbnail`. Returns undefined or throws like `runDrawing`. */
export const drawPdfThumbnail = (pdf: Readable, signal?: AbortSignal): Promise<Buffer | undefined> =>
  runDrawing('draw-pdf.ts', pdf, { ...limits, signal })

/** Draws a thumbnail of at most 256 × 256 pixels as WebP. Returns undefined or throws as `runDrawing` does. */
export const drawThumbnail = (image: Readable, signal?: AbortSignal): Promise<Buffer | undefined> =>
  runDrawing('draw-image.ts', image, { ...limits, signal })
