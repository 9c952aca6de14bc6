import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { cleanSvg, svgMaxPixels } from './clean-svg.ts'
import { allowFormats, imageOptions } from './decoders.ts'
import { isSafeToDecode } from './image-size.ts'

/**
 * A separate program: reads an image from standard input, and writes a logo and an icon to standard output, both as PNG, after the length
 * of the logo. Nothing but pixels of the image is left in them.
 */
const image = await buffer(process.stdin)
const pixels = await readPixels(image)
if (!pixels || isInvisible(pixels.data)) process.exit(1)

const copy = () => sharp(pixels.data, { raw: pixels.info })
const png = { compressionLevel: 9, adaptiveFiltering: true }
const logo = await copy().resize({ width: 480, height: 160, fit: 'inside', withoutEnlargement: true }).png(png).toBuffer()
const icon = await copy().resize({ width: 180, height: 180, fit: 'contain', background: '#0000' }).png(png).toBuffer()
const length = Buffer.alloc(4)
length.writeUInt32BE(logo.length)
process.stdout.write(Buffer.concat([length, logo, icon]))

/** Decodes an image to RGBA, in twice the size of a logo at most. Returns undefined for an image that must not be decoded. */
async function readPixels(bytes: Buffer) {
  const isPhoto = isSafeToDecode(bytes)
  const drawable = isPhoto ? bytes : cleanSvg(bytes)
  if (!drawable) return undefined
  allowFormats(isPhoto ? ['Jpeg', 'Png', 'Webp'] : ['Svg'])
  return sharp(drawable, isPhoto ? imageOptions : { ...imageOptions, limitInputPixels: svgMaxPixels })
    .rotate() // by the orientation in its EXIF data
    .resize({ width: 960, height: 320, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
}

/** Returns whether all pixels are transparent, for example because nothing of an SVG was left. */
function isInvisible(rgba: Buffer) {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 0) return false
  return true
}
