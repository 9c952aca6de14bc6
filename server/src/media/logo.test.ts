import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawLogo } from './logo.ts'
import { createImage, svg } from './testing.ts'

/** Returns the color of a pixel as RGBA. */
async function readPixel(image: Buffer, left: number, top: number): Promise<number[]> {
  return [...(await sharp(image).ensureAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer())]
}

describe('a logo', () => {
  it.each([
    ['png', 1200, 400, 480, 160],
    ['jpeg', 1000, 1000, 160, 160],
    ['webp', 3000, 100, 480, 16],
    ['png', 100, 30, 100, 30],
    ['png', 20_000, 1, 480, 1],
  ] as const)('is a PNG of at most 480 × 160 pixels: %s of %i × %i', async (format, width, height, fittedWidth, fittedHeight) => {
    const drawn = await drawLogo(await createImage(width, height).toFormat(format).toBuffer())
    expect(drawn?.logo).toMatchObject({ width: fittedWidth, height: fittedHeight })
    expect(drawn?.icon).toMatchObject({ width: 180, height: 180 })
    for (const { bytes = Buffer.alloc(0), ...size } of [drawn?.logo ?? {}, drawn?.icon ?? {}] as { bytes: Buffer }[])
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', ...size })
  })

  it('keeps transparency, and its icon is padded with it', async () => {
    const drawn = await drawLogo(svg('<circle cx="5" cy="5" r="5" fill="#0000ff"/>'))
    expect(drawn?.logo).toMatchObject({ width: 480, height: 160 })
    const { logo = { bytes: Buffer.alloc(0) }, icon = { bytes: Buffer.alloc(0) } } = drawn ?? {}
    expect(await readPixel(logo.bytes, 80, 80)).toEqual([0, 0, 255, 255])
    expect((await readPixel(logo.bytes, 400, 80))[3]).toBe(0)
    expect((await readPixel(icon.bytes, 5, 5))[3]).toBe(0)
    expect(await readPixel(icon.bytes, 30, 90)).toEqual([0, 0, 255, 255])
  })

  it('is rotated as its EXIF data says, and has no metadata', async () => {
    const photo = await createImage(300, 100)
      .jpeg()
      .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'secret' } } })
      .toBuffer()
    const drawn = await drawLogo(photo)
    expect(drawn?.logo).toMatchObject({ width: 53, height: 160 })
    const { exif, icc, xmp, orientation } = await sharp(drawn?.logo.bytes).metadata()
    expect({ exif, icc, xmp, orientation }).toEqual({})
  })

  it('shows the first frame of an animation', async () => {
    const frames = await Promise.all(['#ff0000', '#0000ff'].map((color) => createImage(90, 30, color).png().toBuffer()))
    const moving = await sharp(frames, { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer()
    const drawn = await drawLogo(moving)
    expect(drawn?.logo).toMatchObject({ width: 90, height: 30 })
    expect(await readPixel(drawn?.logo.bytes ?? moving, 45, 15)).toEqual([255, 0, 0, 255])
  })

  it('contains nothing but pixels of a file that is also a web page, a script or an archive', async () => {
    const png = await createImage(90, 30).png().toBuffer()
    const payload = '<html><script>alert(document.domain)</script></html>'
    const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex')
    const commented = await createImage(90, 30)
      .jpeg()
      .withMetadata({ exif: { IFD0: { ImageDescription: payload } } })
      .toBuffer()
    for (const bytes of [Buffer.concat([png, Buffer.from(payload)]), Buffer.concat([png, zip]), commented]) {
      const drawn = await drawLogo(bytes)
      const written = Buffer.concat([drawn?.logo.bytes ?? Buffer.alloc(0), drawn?.icon.bytes ?? Buffer.alloc(0)])
      expect(written.includes('\x89PNG', 0, 'latin1')).toBe(true)
      expect(written.includes('alert')).toBe(false)
      expect(written.includes('PK')).toBe(false)
    }
  })
})

it('P56: draws an SVG of 30,000 × 30,000 pixels in the size of a logo', async () => {
  const drawn = await drawLogo(svg('<rect width="30000" height="30000"/>', 'width="30000" height="30000"'))
  expect(drawn?.logo).toMatchObject({ width: 160, height: 160 })
})
