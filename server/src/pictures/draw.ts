import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

/**
 * A process of its own: a picture on standard input becomes a small one on standard output. Decoders of pictures are where strangers'
 * bytes meet much C, so whatever goes wrong here goes wrong here alone. Three formats, no more pixels than a large camera has.
 */
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })
sharp.concurrency(1)
sharp.cache(false)

const picture = await sharp(await buffer(process.stdin), { limitInputPixels: 40e6, failOn: 'error', animated: false })
  .rotate() // as the camera was held
  .resize({ width: 256, height: 256, fit: 'inside', withoutEnlargement: true })
  .webp({ quality: 78 })
  .toBuffer()
process.stdout.write(picture)
