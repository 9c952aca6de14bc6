import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, inject, it, vi } from 'vitest'
import { newId } from '../../lib/secrets.ts'
import { collect, createSource, hasContent, sample } from '../suites/samples.ts'
import { openS3Client } from './client/s3-client.ts'
import { createTextBody } from './client/transport.ts'
import { getPartSize } from './parts.ts'
import { openS3Blob } from './read.ts'
import { createSettings, maxSize, put, useS3 } from './testing.ts'

const { open, openNew } = useS3()

describe('a store that can refuse to overwrite and has short listing pages', () => {
  it('stores every size unchanged and never overwrites a blob', async () => {
    const { store, objects, keys } = await openNew(inject('smallS3'))
    const sizes = [0, 1, 100_000, getPartSize(0) + 1, 20_000_000]
    const blobs = sizes.map((size) => ({ id: newId(), bytes: sample(size) }))
    for (const { id, bytes } of blobs) {
      const stored = await put(store, bytes, id)
      expect(await store.finish(id)).toEqual(stored)
      expect(await hasContent(store, id, bytes)).toBe(true)
    }
    expect((await collect(store.listBlobs())).toSorted()).toEqual(blobs.map(({ id }) => id).toSorted())
    const [first] = blobs
    await expect(put(store, sample(10), first?.id)).rejects.toThrow('already exists (412)')
    expect(await hasContent(store, first?.id ?? '', Buffer.alloc(0))).toBe(true)
    expect(await keys()).toHaveLength(sizes.length)
    expect(await collect(objects.listUnfinished(''))).toEqual([])
  })

  it('fails to finish an upload if the body of a 200 response contains an error', async () => {
    const { store, objects, keys } = await openNew(inject('smallS3'))
    const [id, bytes] = [newId(), sample(10_000_000)]
    await store.create(id)
    await store.append(id, createSource(bytes), { offset: 0, maxSize })
    for await (const { key, uploadId } of objects.listUnfinished(''))
      await objects.putPart(key, uploadId, 1, createTextBody('other bytes'))
    await expect(store.finish(id)).rejects.toMatchObject({ fault: 'unavailable', cause: { code: 'InvalidPart' } })
    expect(await keys()).toEqual([expect.stringContaining(`uploads/${id}/`)])
  })
})

describe('a presigned URL', () => {
  it('downloads its blob under its file name, and no other blob', async () => {
    for (const env of [inject('s3'), inject('smallS3')]) {
      const { store } = await openNew(env)
      const [id, bytes] = [newId(), sample(100_000)]
      await put(store, bytes, id)
      const url = (await store.presignDownload?.(id, { name: 'Zürich + (1).pdf', type: 'application/pdf', seconds: 60 })) ?? ''
      const reply = await fetch(url)
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-type')).toBe('application/pdf')
      expect(reply.headers.get('content-disposition')).toContain("filename*=UTF-8''Z%C3%BCrich%20%2B%20%281%29.pdf")
      expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true)
      expect((await fetch(url.replace(id, newId()))).status).toBe(403)
    }
  })
})

describe('tells the operator', () => {
  it('that the access key is wrong, without revealing the secret', async () => {
    const settings = { ...createSettings(inject('s3')), secretAccessKey: 'wrong-and-secret' }
    const opening = open(settings).catch((error: Error) => error.message)
    expect(await opening).toMatch(/rejects the access key \(403 SignatureDoesNotMatch\).*S3_SECRET_ACCESS_KEY/)
    expect(await opening).not.toContain('wrong-and-secret')
  })

  it('that the bucket cannot be created', async () => {
    const settings = { ...createSettings(inject('s3')), bucket: 'No' }
    await expect(open(settings)).rejects.toThrow(/The bucket No at .* can't be created .*S3_BUCKET/)
  })

  it('that the store cannot be reached', async () => {
    const port = await new Promise<number>((resolve) => {
      const probe = createServer().listen(0, '127.0.0.1', () => {
        const { port } = probe.address() as { port: number }
        probe.close(() => resolve(port))
      })
    })
    const settings = { ...createSettings(inject('s3')), endpoint: `http://127.0.0.1:${port}` }
    await expect(open(settings)).rejects.toThrow(/can't be reached: connect ECONNREFUSED.*S3_ENDPOINT/)
  })
})

it('resumes a download whose connection breaks after minutes', async () => {
  const bytes = sample(900_000)
  const clock = performance.now.bind(performance)
  let aheadMs = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock() + aheadMs)
  let requests = 0
  const server = createHttpServer((request, response) => {
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1])
    aheadMs += 10 * 60_000
    const headers = {
      'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
      'content-length': bytes.length - start,
    }
    response.writeHead(206, headers)
    if (requests++ === 0) response.write(bytes.subarray(0, 400_000), () => response.destroy())
    else response.end(bytes.subarray(start))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const client = openS3Client(createSettings({ ...inject('s3'), S3_ENDPOINT: `http://127.0.0.1:${port}` }))
    expect((await buffer(openS3Blob(client, 'blobs/x', bytes.length).read())).equals(bytes)).toBe(true)
    expect(requests).toBe(2)
  } finally {
    now.mockRestore()
    server.close()
  }
})
