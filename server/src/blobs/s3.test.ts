import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { blobUploads } from '../db/blob-uploads.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { newId } from '../lib/secrets.ts'
import { describeBlobStore, listOf, sample, sourceOf } from './blob-store.suite.ts'
import type { BlobStore } from './blob-store.ts'
import { openS3Blobs } from './s3.ts'
import { bodyOf, openS3Client, type S3Settings } from './s3-client.ts'
import { s3Objects } from './s3-objects.ts'
import { partSize } from './s3-parts.ts'
import { openS3Blob } from './s3-read.ts'
import { sweep } from './sweep.ts'

let folder: string
let db: Db
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'neptune-s3-'))
  db = await openDatabase(`sqlite:${join(folder, 'neptune.db')}`)
  await migrate(db)
})
afterAll(async () => {
  await db.destroy()
  await rm(folder, { recursive: true, force: true })
})

const settingsOf = (given: Record<string, string>): S3Settings => ({
  endpoint: given['S3_ENDPOINT'] ?? '',
  bucket: `neptune-${newId().replaceAll(/[_-]/g, '').toLowerCase()}`,
  region: given['S3_REGION'] ?? '',
  accessKeyId: given['S3_ACCESS_KEY_ID'] ?? '',
  secretAccessKey: given['S3_SECRET_ACCESS_KEY'] ?? '',
})

/** A bucket of its own, and no rows of others. */
async function openNew(given = inject('s3')) {
  const settings = settingsOf(given)
  await db.deleteFrom('blob_upload').execute()
  const reopen = () => openS3Blobs(settings, { states: blobUploads(db), spoolDir: join(folder, 'spool') })
  const store = await reopen()
  const objects = s3Objects(openS3Client(settings))
  const keys = async () => (await listOf(objects.list(''))).map(({ key }) => key)
  return { settings, store, reopen, objects, keys }
}

describeBlobStore('S3', openNew, { readsOn: false })

const maxSize = 1e9
const patience = { timeout: 30_000 }
const put = (store: BlobStore, bytes: Buffer, id = newId()) => store.put(id, sourceOf(bytes), { maxSize })

async function holds(store: BlobStore, id: string, bytes: Buffer) {
  return (await buffer((await store.open(id, bytes.length)).read())).equals(bytes)
}

describe('a blob of many parts', () => {
  const full = partSize(0)

  it.each([full, full + 1, 2 * full + 1])('of %i bytes comes back as it was, by put and in pieces', async (size) => {
    const { store, keys, objects } = await openNew()
    const [whole, pieces, bytes] = [newId(), newId(), sample(size)]
    const stored = await put(store, bytes, whole)
    expect(await holds(store, whole, bytes)).toBe(true)
    await store.create(pieces)
    for (let offset = 0; offset < size; offset += 7_000_000) {
      const end = Math.min(offset + 7_000_000, size)
      expect(await store.append(pieces, sourceOf(bytes.subarray(offset, end)), { offset, maxSize: size })).toBe(end)
      expect(await store.received(pieces)).toBe(end)
    }
    expect(await store.finish(pieces)).toEqual(stored)
    expect(await holds(store, pieces, bytes)).toBe(true)
    expect((await keys()).toSorted()).toEqual([whole, pieces].map((id) => `blobs/${id}`).toSorted())
    expect(await listOf(objects.unfinished(''))).toEqual([])
  })

  it('leaves nothing behind when it breaks off', async () => {
    const { store, keys, objects } = await openNew()
    for (const end of ['cut', 'too_large', 'not whole'] as const) {
      const source = new PassThrough()
      const whole = end === 'not whole' ? Promise.reject(new Error('not whole')) : Promise.resolve()
      whole.catch(() => {})
      const putting = store.put(newId(), source, { maxSize: end === 'too_large' ? full + 1 : maxSize, whole })
      const failing = expect(putting).rejects.toThrow(end === 'not whole' ? end : undefined)
      sourceOf(sample(full + 600_000)).pipe(source, { end: end !== 'cut' })
      if (end === 'cut') {
        await expect.poll(() => listOf(objects.unfinished('')), patience).toHaveLength(1)
        source.destroy()
      }
      await failing
      expect(await keys()).toEqual([])
      expect(await listOf(objects.unfinished(''))).toEqual([])
    }
  })

  it('can be taken back to where the last piece began, and thrown away', async () => {
    const { store, keys, objects } = await openNew()
    const [id, bytes] = [newId(), sample(10_000_000)]
    await store.create(id)
    await store.append(id, sourceOf(bytes.subarray(0, 9_000_000)), { offset: 0, maxSize })
    for (let n = 0; n < 2; n++) {
      await store.append(id, sourceOf(sample(8_000_000)), { offset: 9_000_000, maxSize })
      await store.rewind(id, 9_000_000)
      expect(await store.received(id)).toBe(9_000_000)
    }
    await store.append(id, sourceOf(bytes.subarray(9_000_000)), { offset: 9_000_000, maxSize })
    await store.finish(id)
    expect(await holds(store, id, bytes)).toBe(true)
    expect(await keys()).toEqual([`blobs/${id}`])

    const other = newId()
    await store.create(other)
    await store.append(other, sourceOf(bytes), { offset: 0, maxSize })
    await store.discard(other)
    expect(await keys()).toEqual([`blobs/${id}`])
    expect(await listOf(objects.unfinished(''))).toEqual([])
  })
})

describe('several nodes', () => {
  it('carry on each other’s uploads, and give the same answer', async () => {
    const { store, reopen, keys } = await openNew()
    const nodes = [store, await reopen(), await reopen()]
    const [id, bytes] = [newId(), sample(12_000_000)]
    await store.create(id)
    for (let offset = 0, n = 0; offset < bytes.length; offset += 5_000_000, n++) {
      await nodes[n % 3]?.append(id, sourceOf(bytes.subarray(offset, offset + 5_000_000)), { offset, maxSize })
    }
    const [stored, again] = [await nodes[1]?.finish(id), await nodes[2]?.finish(id)]
    expect(again).toEqual(stored)
    expect(stored).toEqual(await put(store, bytes))
    expect(await keys()).toHaveLength(2)
  })

  it('never have the sums of bytes that another one replaced', async () => {
    const { store, reopen } = await openNew()
    const other = await reopen()
    const [id, bytes] = [newId(), sample(3000)]
    await store.create(id)
    await store.append(id, sourceOf(bytes.subarray(0, 1000)), { offset: 0, maxSize })
    await store.append(id, sourceOf(Buffer.alloc(2000)), { offset: 1000, maxSize })
    await other.rewind(id, 1000)
    await other.append(id, sourceOf(bytes.subarray(1000)), { offset: 1000, maxSize })
    expect(await store.finish(id)).toEqual(await put(store, bytes))
  })

  it('that write the same upload do not mix: whoever came first stops', async () => {
    const { store, reopen, keys } = await openNew()
    const other = await reopen()
    const [id, bytes] = [newId(), sample(20_000_000)]
    await store.create(id)
    const slow = new PassThrough()
    const first = store.append(id, slow, { offset: 0, maxSize })
    const fenced = expect(first).rejects.toMatchObject({ fault: 'busy' })
    slow.write(bytes.subarray(0, 10_000_000))
    await expect.poll(() => other.received(id), patience).toBe(partSize(0))
    const offset = partSize(0)
    const second = other.append(id, sourceOf(bytes.subarray(offset)), { offset, maxSize })
    slow.end(Buffer.alloc(10_000_000))
    await fenced
    expect(await second).toBe(bytes.length)
    await other.finish(id)
    expect(await holds(store, id, bytes)).toBe(true)
    expect(await keys()).toEqual([`blobs/${id}`])
  })
})

describe('what a killed process left', () => {
  it('is swept: parts, tails and rows that nobody knows, and nothing else', async () => {
    const { store, objects, keys } = await openNew()
    const [goesOn, dead, tail] = [newId(), newId(), newId()]
    await objects.begin(`blobs/${dead}`)
    await objects.put(`uploads/${tail}/0-${newId()}`, bodyOf(''))
    await store.create(goesOn)
    await store.append(goesOn, sourceOf(sample(10_000_000)), { offset: 0, maxSize })
    expect((await listOf(store.uploads())).toSorted()).toEqual([goesOn, dead, tail].toSorted())
    const [longAgo, soon] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)]
    const wanted = async () => new Set([goesOn])
    expect((await sweep(store, { before: longAgo, wanted })).uploads).toEqual([])
    expect((await sweep(store, { before: soon, wanted })).uploads.toSorted()).toEqual([dead, tail].toSorted())
    expect(await listOf(store.uploads())).toEqual([goesOn])
    expect(await listOf(objects.unfinished(''))).toHaveLength(1)
    expect(await keys()).toHaveLength(1)
    await store.append(goesOn, sourceOf(sample(10)), { offset: 10_000_000, maxSize })
    expect((await store.finish(goesOn)).size).toBe(10_000_010)
  })

  it('after the object was made, and before that was noted, is finished by the next who asks', async () => {
    const { store, reopen, keys } = await openNew()
    const [id, bytes] = [newId(), sample(10_000_000)]
    await store.create(id)
    await store.append(id, sourceOf(bytes), { offset: 0, maxSize: bytes.length })
    const row = await db.selectFrom('blob_upload').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const stored = await store.finish(id)
    await db.insertInto('blob_upload').values(row).execute()
    const later = await reopen()
    expect(await later.received(id)).toBe(bytes.length)
    expect(await later.finish(id)).toEqual(stored)
    expect(await listOf(later.uploads())).toEqual([])
    expect(await keys()).toEqual([`blobs/${id}`])
  })

  it('and whatever else lies there is told, and can be removed', async () => {
    const { store, objects, keys } = await openNew()
    const id = newId()
    await put(store, sample(10), id)
    const strays = ['blobs/a.txt', `blobs/${id}/x`, 'blobs/a & b + <c>', 'uploads/b.txt', `uploads/${id}/0-${newId()}`]
    for (const key of [...strays, 'elsewhere.txt']) await objects.put(key, bodyOf(''))
    expect((await listOf(store.strays())).map(({ place }) => place).toSorted()).toEqual(strays.toSorted())
    expect(await listOf(store.blobs())).toEqual([id])
    expect(await listOf(store.uploads())).toEqual([])
    for (const place of strays) await store.removeStray(place)
    expect((await keys()).toSorted()).toEqual([`blobs/${id}`, 'elsewhere.txt'])
  })
})

describe('a store that can refuse to overwrite, and lists little at a time', () => {
  it('has everything as it was, and never takes the id of another', async () => {
    const { store, objects, keys } = await openNew(inject('smallS3'))
    const sizes = [0, 1, 100_000, partSize(0) + 1, 20_000_000]
    const blobs = sizes.map((size) => ({ id: newId(), bytes: sample(size) }))
    for (const { id, bytes } of blobs) {
      const stored = await put(store, bytes, id)
      expect(await store.finish(id)).toEqual(stored)
      expect(await holds(store, id, bytes)).toBe(true)
    }
    expect((await listOf(store.blobs())).toSorted()).toEqual(blobs.map(({ id }) => id).toSorted())
    const [first] = blobs
    await expect(put(store, sample(10), first?.id)).rejects.toThrow('already (412)')
    expect(await holds(store, first?.id ?? '', Buffer.alloc(0))).toBe(true)
    expect(await keys()).toHaveLength(sizes.length)
    expect(await listOf(objects.unfinished(''))).toEqual([])
  })

  it('that says yes to putting parts together, and means no, is not believed', async () => {
    const { store, objects, keys } = await openNew(inject('smallS3'))
    const [id, bytes] = [newId(), sample(10_000_000)]
    await store.create(id)
    await store.append(id, sourceOf(bytes), { offset: 0, maxSize })
    for await (const { key, uploadId } of objects.unfinished('')) await objects.putPart(key, uploadId, 1, bodyOf('other bytes'))
    await expect(store.finish(id)).rejects.toMatchObject({ fault: 'unavailable', cause: { code: 'InvalidPart' } })
    expect(await keys()).toEqual([expect.stringContaining(`uploads/${id}/`)])
  })
})

describe('a link', () => {
  it('gives a blob to anybody, under its name, and no other blob', async () => {
    for (const given of [inject('s3'), inject('smallS3')]) {
      const { store } = await openNew(given)
      const [id, bytes] = [newId(), sample(100_000)]
      await put(store, bytes, id)
      const link = (await store.link?.(id, { name: 'Zürich + (1).pdf', type: 'application/pdf', seconds: 60 })) ?? ''
      const reply = await fetch(link)
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-type')).toBe('application/pdf')
      expect(reply.headers.get('content-disposition')).toContain("filename*=UTF-8''Z%C3%BCrich%20%2B%20%281%29.pdf")
      expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true)
      expect((await fetch(link.replace(id, newId()))).status).toBe(403)
    }
  })
})

describe('an operator is told', () => {
  const open = (settings: S3Settings) => openS3Blobs(settings, { states: blobUploads(db), spoolDir: join(folder, 'spool') })

  it('that the key is wrong, and nothing of the secret', async () => {
    const settings = { ...settingsOf(inject('s3')), secretAccessKey: 'wrong-and-secret' }
    const opening = open(settings).catch((error: Error) => error.message)
    expect(await opening).toMatch(/refuses our key \(403 SignatureDoesNotMatch\).*S3_SECRET_ACCESS_KEY/)
    expect(await opening).not.toContain('wrong-and-secret')
  })

  it('that the bucket cannot be made', async () => {
    const settings = { ...settingsOf(inject('s3')), bucket: 'No' }
    await expect(open(settings)).rejects.toThrow(/The bucket No at .* cannot be made .*S3_BUCKET/)
  })

  it('that nobody answers', async () => {
    const port = await new Promise<number>((resolve) => {
      const probe = createServer().listen(0, '127.0.0.1', () => {
        const { port } = probe.address() as { port: number }
        probe.close(() => resolve(port))
      })
    })
    const settings = { ...settingsOf(inject('s3')), endpoint: `http://127.0.0.1:${port}` }
    await expect(open(settings)).rejects.toThrow(/cannot be reached: connect ECONNREFUSED.*S3_ENDPOINT/)
  })
})

it('leaves no file behind and no descriptor open, whenever clients go away', async () => {
  const { store } = await openNew()
  const blob = newId()
  await put(store, sample(1_000_000), blob)
  const openFiles = async () => (await readdir('/proc/self/fd')).length
  const before = await openFiles()
  const leave = async (i: number) => {
    const source = new PassThrough().on('error', () => {})
    const putting = store.put(newId(), source, { maxSize })
    source.write(sample(1000 * i))
    for (let turn = 0; turn < i; turn++) await new Promise(setImmediate)
    source.destroy()
    await expect(putting).rejects.toMatchObject({ fault: 'cut' })
    const stream = (await store.open(blob, 1_000_000)).read()
    if (i % 3) await once(stream, 'readable')
    stream.destroy()
    await once(stream, 'close')
  }
  await Promise.all(Array.from({ length: 20 }, (_, i) => leave(i)))
  expect(await readdir(join(folder, 'spool'))).toEqual([])
  // Connections that wait to be used again are ours to keep.
  await expect.poll(async () => (await openFiles()) - before, patience).toBeLessThanOrEqual(25)
})

it('needs little memory, whatever the size', async () => {
  const { settings } = await openNew(inject('smallS3'))
  const program = `
    import { Readable } from 'node:stream'
    import { openS3Blobs } from '${import.meta.dirname}/s3.ts'
    const store = await openS3Blobs(${JSON.stringify(settings)}, { states: {}, spoolDir: '${join(folder, 'spool')}' })
    const bytes = (size) => Readable.from((function* () {
      for (let left = size; left > 0; left -= 65536) yield Buffer.alloc(65536, left)
    })(), { objectMode: false })
    await store.put('${newId()}', bytes(16 * 2 ** 20), { maxSize: 1e9 })
    const idle = process.memoryUsage().rss
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
    const { size } = await store.put('${newId()}', bytes(200 * 2 ** 20), { maxSize: 1e9 })
    clearInterval(watch)
    console.log(JSON.stringify({ size, grown: (most - idle) / 2 ** 20 }))
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { size, grown } = JSON.parse(await text(child.stdout)) as { size: number; grown: number }
  expect(size).toBe(200 * 2 ** 20)
  expect(grown, 'MiB more than before').toBeLessThan(60)
})

it('a connection that breaks after minutes is no reason to give up what came by it', async () => {
  const bytes = sample(900_000)
  const clock = performance.now.bind(performance)
  let ahead = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock() + ahead)
  let asked = 0
  const server = createHttpServer((request, response) => {
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1])
    ahead += 10 * 60_000
    const rest = { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}`, 'content-length': bytes.length - start }
    response.writeHead(206, rest)
    if (asked++ === 0) response.write(bytes.subarray(0, 400_000), () => response.destroy())
    else response.end(bytes.subarray(start))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const client = openS3Client(settingsOf({ ...inject('s3'), S3_ENDPOINT: `http://127.0.0.1:${port}` }))
    expect((await buffer(openS3Blob(client, 'blobs/x', bytes.length).read())).equals(bytes)).toBe(true)
    expect(asked).toBe(2)
  } finally {
    now.mockRestore()
    server.close()
  }
})
