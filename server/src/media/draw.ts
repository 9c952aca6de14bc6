import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { isSafeToDecode } from './image-size.ts'

/**
 * A separate program: reads an image from standard input and writes a thumbnail to standard output. Image decoders are large
 * C libraries fed with untrusted bytes, so they run apart from the server: see spawn-confined.ts. Only JPEG, PNG and WebP, one
 * thread, no cache, the first frame.
 */
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })
sharp.concurrency(1)
sharp.cache(false)

const image = await buffer(process.stdin)
if (!isSafeToDecode(image)) process.exit(1)

const thumbnail = await sharp(image, { limitInputPixels: 40e6, failOn: 'error', pages: 1, sequentialRead: true })
  .rotate() // by the orientation in its EXIF data
  .resize({ width: 256, height: 256, fit: 'inside', withoutEnlargement: true })
  .webp({ quality: 78 })
  .toBuffer()
process.stdout.write(thumbnail)
