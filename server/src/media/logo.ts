import { Readable } from 'node:stream'
import { runDrawing } from './drawing/drawing-process.ts'
import { readImageSize } from './drawing/image-size.ts'

export interface DrawnImage {
  bytes: Buffer
  width: number
  height: number
}

const limits = { maxBytes: 2 ** 20, timeoutMs: 20_000 }

/**
 * Converts an image to a logo of at most 480 × 160 pixels and an icon of 180 × 180 pixels, both as PNG. Returns undefined if the image
 * can't be used. Throws if no process can be started.
 */
export async function drawLogo(image: Buffer): Promise<{ logo: DrawnImage; icon: DrawnImage } | undefined> {
  const output = await runDrawing('draw-logo.ts', Readable.from([image]), limits)
  if (!output || output.length < 4) return undefined
  const end = 4 + output.readUInt32BE(0)
  const [logo, icon] = [toDrawnImage(output.subarray(4, end)), toDrawnImage(output.subarray(end))]
  return logo && icon && { logo, icon }
}

function toDrawnImage(bytes: Buffer): DrawnImage | undefined {
  const size = readImageSize(bytes)
  return size && { bytes, ...size }
}
