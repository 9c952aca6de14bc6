import type { ChildProcess } from 'node:child_process'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { BlobError } from '../../blobs/blob-store.ts'
import { makePng, readPeakMemoryMiB, watchDrawing } from '../../media/testing.ts'
import { startTestServer } from '../../testing.ts'
import { drawWantedThumbnails } from './thumbnail.service.ts'

async function startGallery() {
  const server = await startTestServer()
  return { ...server, ...(await createImageFolder(server, await server.listen(), 'kim@acme.example')) }
}

/** Creates a directory for images, in a company of its own. */
async function createImageFolder(server: Awaited<ReturnType<typeof startTestServer>>, origin: string, email: string) {
  await server.addUser({ email })
  const headers = await server.startSessionAs(email)
  const get = async (path: string) => (await server.app.inject({ url: path, headers })).json().data
  const { company } = await get('/v1/identity')
  const payload = { directory: 'Pictures', client: company }
  const created = await server.app.inject({ method: 'POST', url: '/v1/directory', headers, payload })
  const directory = created.json().data.id
  const put = async (name: string, bytes: Uint8Array) => {
    const form = new FormData()
    form.set('file', new Blob([Buffer.from(bytes)]))
    const reply = await fetch(`${origin}/v1/file/${directory}/${name}`, { method: 'PUT', headers, body: form })
    expect(reply.status).toBe(200)
  }
  const findThumbnailUrl = async (name: string) =>
    (await get(`/v1/file?search=${name}`)).find((file: { file_name: string }) => file.file_name === name)?.image as string | null
  const findDirectoryThumbnailUrl = async () => (await get(`/v1/directory/${directory}`)).source as string | null
  return { origin, put, findThumbnailUrl, findDirectoryThumbnailUrl }
}

const createPhoto = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 20, g: 90, b: 160 } } })

const createSolidImage = (background: string) => sharp({ create: { width: 400, height: 400, channels: 3, background } })

/** Returns the header of a WebP image that announces a canvas of this size. */
function createWebpHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(200)
  header.write('RIFF', 0)
  header.writeUInt32LE(192, 4)
  header.write('WEBPVP8X', 8)
  header.writeUInt32LE(10, 16)
  header.writeUIntLE(width - 1, 24, 3)
  header.writeUIntLE(height - 1, 27, 3)
  return header
}

const killOnFirstByte = (child: ChildProcess) => onFirstByte(child, () => void child.kill('SIGKILL'))

/** Calls `callback` when the drawing process gets the first bytes of its image. */
function onFirstByte(child: ChildProcess, callback: () => void) {
  const stdin = child.stdin
  if (!stdin) throw new Error('the drawing process has no input')
  const write = stdin.write.bind(stdin)
  stdin.write = ((...args: Parameters<typeof write>) => {
    callback()
    return write(...args)
  }) as typeof stdin.write
}

it('draws a thumbnail, which its directory shows too', async () => {
  await using server = await startGallery()
  await server.put('photo.jpg', await createPhoto(1200, 800).jpeg().toBuffer())
  await server.put('drawing.png', await createPhoto(300, 900).png().toBuffer())
  expect(await server.findThumbnailUrl('photo.jpg')).toBeNull()
  await drawWantedThumbnails(server.deps)
  const reply = await fetch(server.origin + (await server.findThumbnailUrl('photo.jpg')))
  expect(reply.headers.get('content-type')).toBe('image/webp')
  expect(reply.headers.get('cache-control')).toBe('private, max-age=3600')
  expect(await sharp(await reply.arrayBuffer()).metadata()).toMatchObject({ format: 'webp', width: 256, height: 171 })
  expect(await server.findThumbnailUrl('drawing.png')).toEqual(expect.any(String))
  expect((await fetch(server.origin + (await server.findDirectoryThumbnailUrl()))).status).toBe(200)
})

it('draws thumbnails of every company in turn, however many are waiting in one of them', async () => {
  await using server = await startGallery()
  const other = await createImageFolder(server, server.origin, 'eve@globex.example')
  await other.put('other.png', await createSolidImage('red').png().toBuffer())
  for (let i = 0; i < 3; i++) await server.put(`mine${i}.png`, await createSolidImage('blue').png().toBuffer())
  const drawing = new AbortController()
  const { db, blobs } = server.deps
  let drawn = 0
  server.deps.blobs = Object.assign(Object.create(blobs), {
    open: (...args: Parameters<typeof blobs.open>) => {
      if (++drawn > 2) drawing.abort()
      return blobs.open(...args)
    },
  })
  await drawWantedThumbnails(server.deps, drawing.signal)
  const created = await db.selectFrom('file').select('company_id').where('thumbnail', '=', 'made').execute()
  expect(new Set(created.map(({ company_id }) => company_id)).size).toBe(2)
})

/** Returns the states of all thumbnails, by file name. */
const readStates = async ({ deps }: Awaited<ReturnType<typeof startGallery>>) => {
  const rows = await deps.db.selectFrom('file').select(['name', 'thumbnail']).execute()
  return Object.fromEntries(rows.map(({ name, thumbnail }) => [name, thumbnail]))
}

/** Runs `work` and returns the most memory that a drawing process used meanwhile, and how many there were. */
async function measureDrawing(work: () => Promise<void>) {
  const children: ChildProcess[] = []
  let peakMiB = 0
  const measure = () => {
    peakMiB = Math.max(peakMiB, readPeakMemoryMiB(children.at(-1)?.pid))
  }
  using _watch = watchDrawing((child) => void children.push(child))
  const timer = setInterval(measure, 2)
  await work().finally(() => clearInterval(timer))
  return { peakMiB, attempts: children.length }
}

it('P36, P46: draws no thumbnail of decompression bombs, broken and fake images: attempts each once, within the memory limit', async () => {
  await using server = await startGallery()
  const jpeg = await createPhoto(800, 800).jpeg().toBuffer()
  const png = makePng({ width: 400, height: 400 })
  const webp = await createPhoto(800, 800).webp().toBuffer()
  const badImages = {
    'wide.png': makePng({ width: 4_000_000, height: 10, bits: 16 }),
    'line.png': makePng({ width: 40_000_000, height: 1 }),
    'column.png': makePng({ width: 1, height: 1_000_000 }),
    'huge.png': makePng({ width: 30_000, height: 30_000 }),
    'canvas.webp': createWebpHeader(2 ** 24, 200),
    'cut.png': png.subarray(0, png.length - 60),
    'cut.jpg': jpeg.subarray(0, jpeg.length / 2),
    'cut.webp': webp.subarray(0, webp.length / 2),
    'page.jpg': Buffer.from('<script>alert(1)</script>'),
    'picture.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'moving.gif': await createPhoto(10, 10).gif().toBuffer(),
  }
  for (const [name, bytes] of Object.entries(badImages)) await server.put(name, bytes)
  const wanted = Object.values(await readStates(server)).filter((state) => state === 'wanted')
  const { peakMiB, attempts } = await measureDrawing(() => drawWantedThumbnails(server.deps))
  expect(attempts).toBe(wanted.length)
  expect(peakMiB).toBeGreaterThan(0)
  expect(peakMiB).toBeLessThan(256)
  for (const name of Object.keys(badImages)) expect(await server.findThumbnailUrl(name), name).toBeNull()
  expect(Object.values(await readStates(server))).not.toContain('wanted')
})

it('P46: draws 16-bit images, and the first frame of animated ones, within the memory limit', async () => {
  await using server = await startGallery()
  const frames = await Promise.all(['red', 'blue'].map((background) => createSolidImage(background).png().toBuffer()))
  await server.put('deep.png', makePng({ width: 3000, height: 3000, bits: 16 }))
  await server.put('moving.png', makePng({ width: 300, height: 200, frames: 100_000 }))
  await server.put(
    'moving.webp',
    await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer(),
  )
  const { peakMiB } = await measureDrawing(() => drawWantedThumbnails(server.deps))
  expect(peakMiB).toBeLessThan(256)
  expect(Object.values(await readStates(server))).toEqual(['made', 'made', 'made'])
  const reply = await fetch(server.origin + (await server.findThumbnailUrl('moving.webp')))
  const thumbnail = sharp(await reply.arrayBuffer(), { animated: true })
  expect(await thumbnail.metadata()).toMatchObject({ width: 256, height: 256 })
  expect((await thumbnail.stats()).dominant).toMatchObject({
    r: expect.toSatisfy((red) => red > 200),
    b: expect.toSatisfy((blue) => blue < 50),
  })
})

it('does not retry an image whose drawing process was killed', async () => {
  await using server = await startGallery()
  await server.put('photo.jpg', await createPhoto(1200, 800).jpeg().toBuffer())
  let attempts = 0
  using _watch = watchDrawing((child) => {
    attempts++
    killOnFirstByte(child)
  })
  await drawWantedThumbnails(server.deps)
  await drawWantedThumbnails(server.deps)
  expect(attempts).toBe(1)
  expect(await readStates(server)).toEqual({ 'photo.jpg': 'failed' })
})

it('marks an image as attempted before the drawing process gets a byte of it', async () => {
  await using server = await startGallery()
  await server.put('photo.jpg', await createPhoto(1200, 800).jpeg().toBuffer())
  const { blobs } = server.deps
  let stateWhenRead: unknown
  server.deps.blobs = {
    ...blobs,
    open: async (...args) => {
      stateWhenRead = await readStates(server)
      return blobs.open(...args)
    },
  }
  await drawWantedThumbnails(server.deps)
  expect(stateWhenRead).toEqual({ 'photo.jpg': 'failed' })
  expect(await readStates(server)).toEqual({ 'photo.jpg': 'made' })
})

it('draws an image later if the server stops while it is drawn', async () => {
  await using server = await startGallery()
  await server.put('photo.jpg', await createPhoto(1200, 800).jpeg().toBuffer())
  const stopped = new AbortController()
  {
    using _watch = watchDrawing((child) => void onFirstByte(child, () => stopped.abort()))
    await drawWantedThumbnails(server.deps, stopped.signal)
  }
  expect(await readStates(server)).toEqual({ 'photo.jpg': 'wanted' })
  await drawWantedThumbnails(server.deps)
  expect(await readStates(server)).toEqual({ 'photo.jpg': 'made' })
})

it('draws an image later if the blob store cannot be reached', async () => {
  await using server = await startGallery()
  await server.put('photo.jpg', await createPhoto(1200, 800).jpeg().toBuffer())
  const { blobs } = server.deps
  server.deps.blobs = { ...blobs, open: async () => Promise.reject(new BlobError('unavailable')) }
  await expect(drawWantedThumbnails(server.deps)).rejects.toThrow(BlobError)
  server.deps.blobs = blobs
  await drawWantedThumbnails(server.deps)
  expect(await readStates(server)).toEqual({ 'photo.jpg': 'made' })
})
