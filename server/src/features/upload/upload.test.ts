import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { BlobError } from '../../blobs/blob-store.ts'
import { startTestServer } from '../../testing.ts'
import { sweepUploads } from './upload-sweep.service.ts'

const day = 24 * 60 * 60_000
const tus = { 'tus-resumable': '1.0.0' }
const piece = { ...tus, 'content-type': 'application/offset+octet-stream' }
const digest = (bytes: Uint8Array, algorithm = 'sha256') => createHash(algorithm).update(bytes)

async function openUploadOffice(environment: Record<string, string> = {}) {
  const server = await startTestServer({ SESSION_IDLE_MINUTES: '6000000', ...environment })
  await server.addUser({ email: 'kim@acme.example' })
  await server.addUser({ email: 'eve@globex.example' })
  const origin = await server.listen()
  const [kim, eve] = [await server.startSessionAs('kim@acme.example'), await server.startSessionAs('eve@globex.example')]
  const send = async (method: string, path: string, headers: Record<string, string>, body?: Uint8Array) => {
    const reply = await fetch(origin + path, { method, headers, body: body ? Buffer.from(body) : null })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, code: text ? JSON.parse(text).code : undefined }
  }
  const json = async (method: string, path: string, payload?: object) =>
    (await server.app.inject({ method: method as 'GET', url: path, headers: kim, ...(payload && { payload }) })).json()
  const company = (await json('GET', '/v1/identity')).data.company
  const directory: string = (await json('POST', '/v1/directory', { directory: 'Plans', client: company })).data.id
  const begin = (length: number | string, name = 'a.bin', more: Record<string, string> = {}, where = directory) => {
    const metadata = `filename ${Buffer.from(name).toString('base64')},directory ${btoa(where)}`
    return send('POST', '/v1/upload', { ...kim, ...tus, 'upload-length': String(length), 'upload-metadata': metadata, ...more })
  }
  const pathOf = (reply: { headers: Headers }) => reply.headers.get('location') ?? ''
  const patch = (path: string, offset: number, bytes: Uint8Array, more: Record<string, string> = {}, who = kim) =>
    send('PATCH', path, { ...who, ...piece, 'upload-offset': String(offset), ...more }, bytes)
  const head = (path: string, who = kim) => send('HEAD', path, { ...who, ...tus })
  /** Starts a PATCH from the beginning, whose bytes are to be written to the returned socket. */
  const openPatch = (path: string, length: number) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined)
    const headers = { ...kim, ...piece, 'upload-offset': '0', 'content-length': String(length), host: 'x' }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`PATCH ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    return socket
  }
  /** Returns the progress of the upload with the most bytes, as the list shows it. Unlike HEAD, doesn't stop the upload. */
  const getProgress = async (): Promise<{ received: number; reserved: number }> => {
    const { data } = await json('GET', `/v1/upload?directory=${directory}`)
    return data.toSorted((a: { reserved: number }, b: { reserved: number }) => b.reserved - a.reserved)[0]
  }
  const listFiles = async () => (await json('GET', '/v1/file')).data as { id: string; file_name: string; sha256: string }[]
  const countTemporaryFiles = () => readdirSync(join(server.folder, 'tmp')).length
  return {
    ...server,
    ...{ origin, kim, eve, directory },
    ...{ send, json, begin, pathOf, patch, head, openPatch, getProgress, listFiles, countTemporaryFiles },
  }
}

describe('a resumable upload', () => {
  it('announces its tus version, extensions and maximum size', async () => {
    await using server = await openUploadOffice()
    const { status, headers } = await server.send('OPTIONS', '/v1/upload', {})
    expect(status).toBe(204)
    expect(headers.get('tus-version')).toBe('1.0.0')
    expect(headers.get('tus-extension')).toBe('creation,termination,expiration,checksum')
    expect(headers.get('tus-max-size')).toBe(String(20 * 2 ** 30))
  })

  it('becomes a file with its last byte, and not before', async () => {
    await using server = await openUploadOffice()
    const bytes = randomBytes(300_000)
    const begun = await server.begin(bytes.length, 'Übersicht.bin')
    expect(begun.status).toBe(201)
    const path = server.pathOf(begun)
    const first = await server.patch(path, 0, bytes.subarray(0, 100_000))
    expect(first.headers.get('upload-expires')).toBe(new Date(server.deps.now().getTime() + 7 * day).toUTCString())
    expect([first.status, first.headers.get('upload-offset'), first.headers.get('neptune-file')]).toEqual([204, '100000', null])
    expect(await server.listFiles()).toEqual([])
    const status = await server.head(path)
    expect(status.headers.get('upload-offset')).toBe('100000')
    expect(status.headers.get('upload-length')).toBe('300000')
    expect(status.headers.get('cache-control')).toBe('no-store')
    const last = await server.patch(path, 100_000, bytes.subarray(100_000))
    expect(last.headers.get('upload-offset')).toBe('300000')
    const [file] = await server.listFiles()
    expect(file).toMatchObject({ file_name: 'Übersicht.bin', sha256: digest(bytes).digest('hex') })
    expect(last.headers.get('neptune-file')).toBe(file?.id)
  })

  it('reports its file for a day, so that a lost response does not create a second file', async () => {
    await using server = await openUploadOffice()
    const path = server.pathOf(await server.begin(5))
    await server.patch(path, 0, Buffer.from('hello'))
    const again = await server.head(path)
    expect([again.headers.get('upload-offset'), again.headers.get('neptune-file')]).toEqual([
      '5',
      (await server.listFiles())[0]?.id,
    ])
    expect((await server.patch(path, 0, Buffer.from('hello'))).code).toBe('upload.wrong_offset')
    expect(await server.listFiles()).toHaveLength(1)
    server.advance(day)
    expect((await server.head(path)).status).toBe(404)
  })

  it('without bytes becomes a file immediately', async () => {
    await using server = await openUploadOffice()
    expect((await server.begin(0, 'empty.txt')).headers.get('neptune-file')).toBe((await server.listFiles())[0]?.id)
  })

  it('becomes a file on the next HEAD if the process died after its last byte', async () => {
    await using server = await openUploadOffice()
    const path = server.pathOf(await server.begin(5))
    const id = path.split('/').at(-1) ?? ''
    const { Readable } = await import('node:stream')
    await server.deps.blobs.append(id, Readable.from([Buffer.from('hello')]), { offset: 0, maxSize: 5 })
    expect(await server.listFiles()).toEqual([])
    const replies = await Promise.all([server.head(path), server.head(path), server.head(path)])
    expect(replies.map(({ headers }) => headers.get('neptune-file')).filter((file) => file === id).length).toBeGreaterThan(0)
    expect(await server.listFiles()).toHaveLength(1)
  })

  it('keeps the bytes that arrived before the connection broke', async () => {
    await using server = await openUploadOffice()
    const path = server.pathOf(await server.begin(1_000_000))
    server.openPatch(path, 1_000_000).end(randomBytes(250_000))
    await expect.poll(async () => (await server.getProgress()).received).toBe(250_000)
    await expect.poll(async () => (await server.patch(path, 250_000, randomBytes(10))).status).toBe(204)
    expect((await server.head(path)).headers.get('upload-offset')).toBe('250010')
  })

  it('resumes over a new connection while the old one still hangs, after the last byte that arrived', async () => {
    await using server = await openUploadOffice()
    const bytes = randomBytes(4_000_000)
    const path = server.pathOf(await server.begin(bytes.length))
    const old = server.openPatch(path, bytes.length)
    const oldReply = new Promise<string>((resolve) => old.once('data', (data) => resolve(String(data))))
    old.write(bytes.subarray(0, 3_000_000)) // then sends nothing more
    await expect.poll(async () => (await server.getProgress()).received).toBeGreaterThan(1_000_000)
    const offset = Number((await server.head(path)).headers.get('upload-offset'))
    expect(await oldReply).toContain('HTTP/1.1 408')
    expect(offset).toBeGreaterThan(1_000_000)
    expect((await server.patch(path, offset, bytes.subarray(offset))).status).toBe(204)
    expect((await server.listFiles())[0]?.sha256).toBe(digest(bytes).digest('hex'))
    old.destroy()
  })

  it.each([
    ['a wrong offset', (s: Office, path: string) => s.patch(path, 3, Buffer.from('x')), 409, 'upload.wrong_offset'],
    [
      'a missing offset',
      (s: Office, path: string) => s.send('PATCH', path, { ...s.kim, ...piece }, Buffer.from('x')),
      400,
      'upload.invalid',
    ],
    [
      'a wrong content type',
      (s: Office, path: string) => s.patch(path, 0, Buffer.from('x'), { 'content-type': 'text/plain' }),
      415,
      'request.wrong_type',
    ],
    [
      'an unsupported tus version',
      (s: Office, path: string) => s.patch(path, 0, Buffer.from('x'), { 'tus-resumable': '0.2.2' }),
      412,
      'upload.version',
    ],
    ['too many bytes', (s: Office, path: string) => s.patch(path, 0, randomBytes(11)), 413, 'file.too_large'],
    ['another user', (s: Office, path: string) => s.patch(path, 0, Buffer.from('x'), {}, s.eve), 404, 'upload.not_found'],
  ])('rejects %s', async (_, attempt, status, code) => {
    await using server = await openUploadOffice()
    const path = server.pathOf(await server.begin(10))
    expect(await attempt(server, path)).toMatchObject({ status, code })
    expect(await server.listFiles()).toEqual([])
  })

  it.each([
    ['no length', '', 'a.bin', 400],
    ['an invalid length', '-1', 'a.bin', 400],
    ['a length over the limit', String(20 * 2 ** 30 + 1), 'a.bin', 413],
    ['an invalid name', '5', '../a', 400],
    ['no name', '5', '', 400],
  ])('cannot be created with %s', async (_, length, name, status) => {
    await using server = await openUploadOffice()
    expect((await server.begin(length, name)).status).toBe(status)
    expect((await server.begin(5, 'a.bin', {}, 'absent')).code).toBe('directory.not_found')
    expect(server.countTemporaryFiles()).toBe(0)
  })

  it.each(['sha1', 'sha256'])('discards a piece with a wrong %s checksum, and can be resumed', async (algorithm) => {
    await using server = await openUploadOffice()
    const bytes = randomBytes(100_000)
    const path = server.pathOf(await server.begin(bytes.length))
    const checksumHeader = (part: Uint8Array) => ({
      'upload-checksum': `${algorithm} ${digest(part, algorithm).digest('base64')}`,
    })
    const [first, second] = [bytes.subarray(0, 60_000), bytes.subarray(60_000)]
    expect((await server.patch(path, 0, first, checksumHeader(first))).status).toBe(204)
    expect(await server.patch(path, 60_000, randomBytes(second.length), checksumHeader(second))).toMatchObject({
      status: 460,
      code: 'upload.checksum',
    })
    expect((await server.head(path)).headers.get('upload-offset')).toBe('60000')
    expect((await server.patch(path, 60_000, second, { 'upload-checksum': 'md5 AAAA' })).code).toBe('upload.invalid')
    expect((await server.patch(path, 60_000, second, checksumHeader(second))).status).toBe(204)
    expect((await server.listFiles())[0]?.sha256).toBe(digest(bytes).digest('hex'))
  })

  it('is removed when the person who began it cancels it, or when it expires', async () => {
    await using server = await openUploadOffice()
    const first = server.pathOf(await server.begin(10))
    expect((await server.send('DELETE', first, { ...server.eve, ...tus })).status).toBe(404)
    expect((await server.send('DELETE', first, { ...server.kim, ...tus })).status).toBe(204)
    expect((await server.head(first)).status).toBe(404)
    const second = server.pathOf(await server.begin(10))
    server.advance(7 * day)
    await sweepUploads(server.deps)
    expect((await server.head(second)).status).toBe(404)
    expect(server.countTemporaryFiles()).toBe(0)
  })

  it('with all its bytes waits until its directory is restored from the trash', async () => {
    await using server = await openUploadOffice()
    const bytes = randomBytes(1000)
    const path = server.pathOf(await server.begin(bytes.length))
    await server.patch(path, 0, bytes.subarray(0, 500))
    const finish = vi.spyOn(server.deps.blobs, 'finish').mockRejectedValueOnce(new Error('the process died'))
    await server.patch(path, 500, bytes.subarray(500))
    finish.mockRestore()
    await server.json('DELETE', `/v1/directory/${server.directory}`).catch(() => undefined)
    const waiting = await server.head(path)
    expect([waiting.status, waiting.headers.get('upload-offset'), waiting.headers.get('neptune-file')]).toEqual([
      200,
      '1000',
      null,
    ])
    await server.json('POST', `/v1/directory/${server.directory}/restore`)
    expect((await server.head(path)).headers.get('neptune-file')).toBeTruthy()
    expect(await server.listFiles()).toMatchObject([{ sha256: digest(bytes).digest('hex') }])
  })

  it('discards the bytes of a request that sends more than the upload has left', async () => {
    await using server = await openUploadOffice()
    const path = server.pathOf(await server.begin(10))
    await server.patch(path, 0, Buffer.from('012345678'))
    expect((await server.patch(path, 9, Buffer.from('9ABC'))).status).toBe(413)
    const { headers } = await server.head(path)
    expect([headers.get('upload-offset'), headers.get('neptune-file')]).toEqual(['9', null])
    expect((await server.patch(path, 9, Buffer.from('9'))).headers.get('neptune-file')).toBeTruthy()
  })

  it('expires a week after its last byte, not after its first', async () => {
    await using server = await openUploadOffice()
    const path = server.pathOf(await server.begin(10))
    for (let i = 0; i < 4; i++) {
      expect((await server.patch(path, i, Buffer.from('x'))).status).toBe(204)
      server.advance(5 * day)
      await sweepUploads(server.deps)
    }
    server.advance(8 * day)
    await sweepUploads(server.deps)
    expect((await server.head(path)).status).toBe(404)
    expect(server.countTemporaryFiles()).toBe(0)
  })

  it('is swept once it has expired, even while a request writes to it, and the sweep continues with the others', async () => {
    await using server = await openUploadOffice()
    const slow = server.pathOf(await server.begin(1_000_000))
    const other = server.pathOf(await server.begin(1000))
    const socket = server.openPatch(slow, 1_000_000)
    socket.write(randomBytes(600_000))
    await expect.poll(async () => (await server.getProgress()).reserved).toBeGreaterThan(0)
    server.advance(8 * day)
    await sweepUploads(server.deps)
    for (const path of [slow, other]) expect((await server.head(path)).status).toBe(404)
    expect(server.countTemporaryFiles()).toBe(0)
    socket.destroy()
  })

  it('is rejected when the disk is full, and leaves no row', async () => {
    await using server = await openUploadOffice()
    vi.spyOn(server.deps.blobs, 'create').mockRejectedValueOnce(new BlobError('no_space'))
    expect(await server.begin(10)).toMatchObject({ status: 507, code: 'storage.full' })
    expect(await server.deps.db.selectFrom('upload').selectAll().execute()).toEqual([])
  })

  it('returns directory.not_found if its directory is in the trash', async () => {
    await using server = await openUploadOffice()
    const path = server.pathOf(await server.begin(5))
    await server.app.inject({ method: 'DELETE', url: `/v1/directory/${server.directory}`, headers: server.kim })
    expect((await server.patch(path, 0, Buffer.from('hello'))).code).toBe('directory.not_found')
  })
})

type Office = Awaited<ReturnType<typeof openUploadOffice>>
