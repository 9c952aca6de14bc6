import { buffer } from 'node:stream/consumers'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp from 'sharp'

/** A separate program: reads a PDF from standard input and writes a thumbnail of its first page to standard output. */
const maxSide = 256
/** Pages are drawn larger and scaled down, so that thin lines and small letters stay visible. */
const oversampling = 2

const pdf = await buffer(process.stdin)
const library = await PDFiumLibrary.init()
const document = await library.loadDocument(pdf)
const page = document.getPage(0)
const { originalWidth, originalHeight } = page.getOriginalSize()
const longSide = Math.max(originalWidth, originalHeight)
if (!(Math.min(originalWidth, originalHeight) > 0) || !Number.isFinite(longSide)) process.exit(1)

const scale = (maxSide * oversampling) / longSide
const size = { width: toPixels(originalWidth), height: toPixels(originalHeight) }
const { data, width, height } = await page.render({ ...size, render: 'bitmap' })
const thumbnail = await sharp(data, { raw: { width, height, channels: 4 } })
  .removeAlpha()
  .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
  .webp({ quality: 78 })
  .toBuffer()
process.stdout.write(thumbnail)

function toPixels(points: number) {
  return Math.max(1, Math.round(points * scale))
}
