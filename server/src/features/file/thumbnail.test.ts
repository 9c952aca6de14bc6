import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { startTestServer } from '../../testing.ts'
import { drawWanted } from './thumbnail.service.ts'

async function gallery() {
  const server = await startTestServer()
  await server.addUser({ email: 'kim@acme.example' })
  const origin = await server.listen()
  const headers = await server.bearerOf('kim@acme.example')
  const ask = async (path: string) => (await server.app.inject({ url: path, headers })).json().data
  const { company } = await ask('/v1/identity')
  const payload = { directory: 'Pictures', client: company }
  const made = await server.app.inject({ method: 'POST', url: '/v1/directory', headers, payload })
  const directory = made.json().data.id
  const put = async (name: string, bytes: Uint8Array) => {
    const form = new FormData()
    form.set('file', new Blob([Buffer.from(bytes)]))
    const reply = await fetch(`${origin}/v1/file/${directory}/${name}`, { method: 'PUT', headers, body: form })
    expect(reply.status).toBe(200)
  }
  const picture = async (name: string) =>
    (await ask(`/v1/file?search=${name}`)).find((file: { file_name: string }) => file.file_name === name)?.image as string | null
  const source = async () => (await ask(`/v1/directory/${directory}`)).source as string | null
  return { ...server, origin, put, picture, source }
}

const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 20, g: 90, b: 160 } } })

/** A PNG that says it is this large, and is not. */
function liar(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    magic,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

it('a picture gets a small one, which its directory shows too', async () => {
  await using server = await gallery()
  await server.put('photo.jpg', await photo(1200, 800).jpeg().toBuffer())
  await server.put('drawing.png', await photo(300, 900).png().toBuffer())
  expect(await server.picture('photo.jpg')).toBeNull()
  await drawWanted(server.deps)
  const reply = await fetch(server.origin + (await server.picture('photo.jpg')))
  expect(reply.headers.get('content-type')).toBe('image/webp')
  expect(reply.headers.get('cache-control')).toBe('private, max-age=3600')
  expect(await sharp(await reply.arrayBuffer()).metadata()).toMatchObject({ format: 'webp', width: 256, height: 171 })
  expect(await server.picture('drawing.png')).toEqual(expect.any(String))
  expect((await fetch(server.origin + (await server.source()))).status).toBe(200)
})

it('P36: bombs, broken and false pictures are kept, get no small one, and are not tried twice', async () => {
  await using server = await gallery()
  const jpeg = await photo(800, 800).jpeg().toBuffer()
  const bad = {
    'huge.png': liar(30_000, 30_000),
    'long.png': liar(1, 1_000_000),
    'broken.png': liar(400, 400),
    'cut.jpg': jpeg.subarray(0, jpeg.length / 2),
    'page.jpg': Buffer.from('<script>alert(1)</script>'),
    'picture.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'moving.gif': await photo(10, 10).gif().toBuffer(),
  }
  for (const [name, bytes] of Object.entries(bad)) await server.put(name, bytes)
  await drawWanted(server.deps)
  for (const name of Object.keys(bad)) expect(await server.picture(name), name).toBeNull()
  const wanted = await server.deps.db.selectFrom('file').select('id').where('thumbnail', '=', 'wanted').execute()
  expect(wanted).toEqual([])
})
