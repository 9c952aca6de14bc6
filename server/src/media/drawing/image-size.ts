/** The largest image that gets a thumbnail: pixels per side, and pixels in total. */
const maxSide = 20_000
const maxPixels = 40e6

interface ImageSize {
  width: number
  height: number
}

/**
 * Returns whether an image's header states a size that is safe to decode. Reads the header without a decoder, because decoders reserve
 * memory for a row or for all pixels as soon as they open an image. Returns false for anything that is not a well-formed JPEG, PNG or WebP
 * header: a lenient reading could find another size than the decoder finds.
 */
export function isSafeToDecode(image: Buffer): boolean {
  const size = readImageSize(image)
  if (!size) return false
  const { width, height } = size
  return width > 0 && height > 0 && width <= maxSide && height <= maxSide && width * height <= maxPixels
}

/** Returns the width and height that the header states, or undefined if the header is not valid. */
export function readImageSize(image: Buffer): ImageSize | undefined {
  if (image.length < 30) return undefined
  if (image.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return readPngSize(image)
  if (image.toString('latin1', 0, 4) === 'RIFF' && image.toString('latin1', 8, 12) === 'WEBP') return readWebpSize(image)
  if (image.readUInt16BE(0) === 0xffd8) return readJpegSize(image)
  return undefined
}

/** Reads the first chunk of a PNG, IHDR. */
function readPngSize(image: Buffer): ImageSize | undefined {
  if (image.readUInt32BE(8) !== 13 || image.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { width: image.readUInt32BE(16), height: image.readUInt32BE(20) }
}

/** Reads the first chunk of a WebP: its only frame (VP8, VP8L), or the canvas that holds all frames (VP8X). */
function readWebpSize(image: Buffer): ImageSize | undefined {
  const chunk = image.toString('latin1', 12, 16)
  if (chunk === 'VP8X') return { width: image.readUIntLE(24, 3) + 1, height: image.readUIntLE(27, 3) + 1 }
  if (chunk === 'VP8L' && image[20] === 0x2f) {
    const bits = image.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (chunk === 'VP8 ' && image.readUIntBE(23, 3) === 0x9d012a)
    return { width: image.readUInt16LE(26) & 0x3fff, height: image.readUInt16LE(28) & 0x3fff }
  return undefined
}

/** Walks the marker segments of a JPEG up to the first frame header (SOF0 to SOF15). */
function readJpegSize(image: Buffer): ImageSize | undefined {
  let at = 2
  for (;;) {
    if (image[at] !== 0xff) return undefined
    while (image[at] === 0xff) at++ // fill bytes may precede a marker
    const marker = image[at++] ?? 0
    if (at + 7 > image.length) return undefined
    if (isFrameHeader(marker)) return { width: image.readUInt16BE(at + 5), height: image.readUInt16BE(at + 3) }
    if (marker < 0xc0 || isInvalidBeforeFrame(marker)) return undefined
    const length = image.readUInt16BE(at)
    if (length < 2) return undefined
    at += length
  }
}

/** All of C0 to CF except DHT, JPG and DAC. */
const isFrameHeader = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** RST0 to RST7, SOI and EOI have no segment. After SOS there is no frame header. */
const isInvalidBeforeFrame = (marker: number) => marker >= 0xd0 && marker <= 0xda
