import sharp from 'sharp'

/**
 * Prepares sharp in a program that draws images: it decodes only these formats, with one thread and no cache. Image decoders are large
 * C libraries fed with untrusted bytes, so they run only in separate programs: see spawn-confined.ts.
 */
export function allowFormats(formats: ('Jpeg' | 'Png' | 'Webp' | 'Svg')[]) {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: formats.map((format) => `VipsForeignLoad${format}`) })
  sharp.concurrency(1)
  sharp.cache(false)
}

/** Rejects damaged images and those with more than 40 million pixels, and decodes only the first frame. */
export const imageOptions = { limitInputPixels: 40e6, failOn: 'error', pages: 1, sequentialRead: true } as const
