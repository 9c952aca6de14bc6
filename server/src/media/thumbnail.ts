import type { Readable } from 'node:stream'
import { runDrawing } from './drawing-process.ts'

const limits = { maxBytes: 2 ** 20, timeoutMs: 60_000 }

/** Draws a thumbnail of at most 256 × 256 pixels as WebP. Returns undefined or throws as `runDrawing` does. */
export const drawThumbnail = (image: Readable, signal?: AbortSignal): Promise<Buffer | undefined> =>
  runDrawing('draw.ts', image, { ...limits, signal })
