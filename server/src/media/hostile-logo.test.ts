import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawLogo } from './logo.ts'
import { createImage, makePng, readPeakMemoryMiB, svg, watchDrawing } from './testing.ts'

/** Creates an image that hardly compresses. */
const createNoise = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'gray', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })

describe('P46, P56: within its limits, the drawing process rejects an image', () => {
  const masks = Array.from(
    { length: 300 },
    (_, i) => `<mask id="m${i}"><rect mask="url(#m${i + 1})" width="9" height="9"/></mask>`,
  )
  const uses = Array.from({ length: 30 }, (_, i) => `<g id="u${i}"><use href="#u${i + 1}"/><use href="#u${i + 1}"/></g>`)
  const cutOffNearEnd = async (format: 'png' | 'jpeg' | 'webp') => {
    const bytes = await createNoise(300, 100).toFormat(format).toBuffer()
    return bytes.subarray(0, bytes.length * 0.9)
  }
  const images: Record<string, () => Buffer | Promise<Buffer>> = {
    'of 30,000 × 30,000 pixels': () => makePng({ width: 30_000, height: 30_000 }),
    'of 40,000,000 × 1 pixels': () => makePng({ width: 40_000_000, height: 1 }),
    'that is cut off': async () => (await createImage(900, 300).png().toBuffer()).subarray(0, 200),
    'that is cut off in its header': async () => (await createImage(900, 300).jpeg().toBuffer()).subarray(0, 60),
    'that is a PNG cut off near its end': () => cutOffNearEnd('png'),
    'that is a JPEG cut off near its end': () => cutOffNearEnd('jpeg'),
    'that is a WebP cut off near its end': () => cutOffNearEnd('webp'),
    'that is empty': () => Buffer.alloc(0),
    'of another format': () => createImage(90, 30).gif().toBuffer(),
    'that is text': () => Buffer.from('<script>alert(1)</script>'),
    'without a visible pixel': () => createImage(90, 30, '#0000').png().toBuffer(),
    'that is an SVG of which nothing is left': () => svg('<script>alert(1)</script>'),
    'that is an SVG with a file in it': () => svg('<rect width="9" height="9"/><image href="file:///etc/passwd"/>'),
    'that is an SVG with masks in masks': () => svg(`${masks.join('')}<rect mask="url(#m0)" width="9" height="9"/>`),
    'that is an SVG whose shapes double thirty times': () =>
      svg(`${uses.join('')}<g id="u30"><rect width="1" height="1"/></g><use href="#u0"/>`),
    'that is an SVG that a style enlarges': () =>
      svg('<style>svg{width:30000px!important;height:30000px!important}</style><rect width="9" height="9"/>'),
  }
  it.each(Object.entries(images))('%s', async (_, create) => {
    let peakMiB = 0
    let watched: NodeJS.Timeout | undefined
    using _watch = watchDrawing(({ pid }) => {
      watched = setInterval(() => {
        peakMiB = Math.max(peakMiB, readPeakMemoryMiB(pid))
      }, 5)
    }, 'draw-logo.ts')
    expect(await drawLogo(await create()).finally(() => clearInterval(watched))).toBeUndefined()
    expect(peakMiB).toBeGreaterThan(0)
    expect(peakMiB).toBeLessThan(560) // what spawn-confined.ts allows, and the program itself
  })
})
