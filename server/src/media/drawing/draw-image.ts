import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { allowFormats, imageOptions } from './decoders.ts'
import { isSafeToDecode } from './image-size.ts'

/** A separate program: reads an image from standard input and writes a thumbnail to standard output. */
allowFormats(['Jpeg', 'Png', 'Webp'])

const image = await buffer(process.stdin)
if (!isSafeToDecode(image)) process.exit(1)

const thumbnail = await sharp(image, imageOptions)
  .rotate() // by the orientation in its EXIF data
  .resize({ width: 256, height: 256, fit: 'inside', withoutEnlargement: true })
  .webp({ quality: 78 })
  .toBuffer()
process.stdout.write(thumbnail)
