import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, inject, it, vi } from 'vitest'
import { newId } from '../lib/secrets.ts'
import { bodyOf } from './s3-call.ts'
import { openS3Client } from './s3-client.ts'
import { partSize } from './s3-parts.ts'
import { openS3Blob } from './s3-read.ts'
import { holds, listOf, sample, sourceOf } from './samples.ts'
import { maxSize, put, settingsOf, useS3 } from './testing.ts'

const { open, openNew } = useS3()

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
