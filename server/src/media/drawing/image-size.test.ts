import sharp from 'sharp'
import { expect, it } from 'vitest'
import { makePng } from '../testing.ts'
import { isSafeToDecode, readImageSize } from './image-size.ts'

const createImage = () => sharp({ create: { width: 321, height: 123, channels: 4, background: 'red' } })

it('reads the size of every format that gets a thumbnail', async () => {
  const frames = await Promise.all([1, 2].map(() => createImage().png().toBuffer()))
  const images = {
    png: await createImage().png().toBuffer(),
    apng: makePng({ width: 321, height: 123, frames: 2 }),
    'interlaced png': await createImage().png({ progressive: true }).toBuffer(),
    jpeg: await createImage().jpeg().toBuffer(),
    'progressive jpeg': await createImage().jpeg({ progressive: true }).toBuffer(),
    'jpeg with metadata': await createImage().jpeg().withMetadata({ orientation: 6 }).toBuffer(),
    'lossy webp': await createImage().flatten().webp().toBuffer(),
    'lossless webp': await createImage().webp({ lossless: true }).toBuffer(),
    'webp with alpha': await createImage().ensureAlpha(0.5).webp().toBuffer(),
    'animated webp': await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer(),
  }
  for (const [name, bytes] of Object.entries(images)) expect(readImageSize(bytes), name).toEqual({ width: 321, height: 123 })
})

it('rejects sizes that are too large on one side or in total, and empty ones', () => {
  const isSafe = (width: number, height: number) => isSafeToDecode(makePng({ width, height }))
  expect([isSafe(20_000, 2000), isSafe(2000, 20_000), isSafe(1, 1)]).toEqual([true, true, true])
  expect([isSafe(20_001, 1), isSafe(1, 20_001), isSafe(6400, 6400)]).toEqual([false, false, false])
  expect([isSafe(0, 1), isSafe(1, 0)]).toEqual([false, false])
})

it('rejects headers that are truncated or ambiguous', async () => {
  const jpeg = await createImage().jpeg().toBuffer()
  const garbage = Buffer.concat([jpeg.subarray(0, 2), Buffer.from('garbage'), jpeg.subarray(2)])
  const onlySegments = Buffer.concat([jpeg.subarray(0, 2), ...Array<Buffer>(20).fill(Buffer.from('ffe00004abcd', 'hex'))])
  const shortSegment = Buffer.concat([Buffer.from('ffd8ffe00001', 'hex'), Buffer.alloc(40)])
  for (const bytes of [garbage, onlySegments, shortSegment, jpeg.subarray(0, 40), Buffer.alloc(0), Buffer.alloc(100)])
    expect(readImageSize(bytes)).toBeUndefined()
})
