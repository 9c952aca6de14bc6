import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openFileOffice } from './testing.ts'

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('a file', () => {
  it.each([0, 1, 64 * 1024 + 1, 5 * 1024 * 1024])('P27: of %i bytes is downloaded unchanged', async (size) => {
    await using server = await openFileOffice()
    const bytes = randomBytes(size)
    const { status, data } = await server.put(server.directory, 'data.bin', bytes)
    expect(status).toBe(200)
    expect(data).toMatchObject({ file_name: 'data.bin', size, sha256: digest(bytes), directory: 'Plans', client: 'Acme GmbH' })
    const reply = await server.get(`/v1/file/${data.id}`)
    expect(reply.headers.get('content-length')).toBe(String(size))
    expect(reply.headers.get('etag')).toBe(`"${digest(bytes)}"`)
    expect(digest(new Uint8Array(await reply.arrayBuffer()))).toBe(digest(bytes))
    expect(server.countStored()).toEqual({ tmp: 0, blobs: 1 })
  })

  it('returns its name and type for HEAD, without a body', async () => {
    await using server = await openFileOffice()
    const { data } = await server.put(server.directory, 'Übersicht 🌊.pdf', '%PDF-1.7\n')
    const reply = await fetch(`${server.origin}/v1/file/${data.id}`, { method: 'HEAD', headers: server.kim })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/pdf')
    expect(decodeURIComponent(reply.headers.get('content-filename') ?? '')).toBe('Übersicht 🌊.pdf')
    expect(reply.headers.get('content-length')).toBe('9')
  })

  it('P28: gets a number if its name is taken, and the first file stays unchanged', async () => {
    await using server = await openFileOffice()
    const first = await server.put(server.directory, 'Report.pdf', 'one')
    expect((await server.put(server.directory, 'report.PDF', 'two')).data.file_name).toBe('report (1).PDF')
    expect((await server.put(server.directory, 'Report.pdf', 'three')).data.file_name).toBe('Report (2).pdf')
    expect(await (await server.get(`/v1/file/${first.data.id}`)).text()).toBe('one')
  })

  it('replaces another file only on request, and becomes its current version', async () => {
    await using server = await openFileOffice()
    const first = await server.put(server.directory, 'Report.pdf', 'one')
    const second = await server.put(server.directory, 'Report.pdf', 'twice', { query: '?conflict=replace' })
    expect(second.data).toMatchObject({ id: first.data.id, file_name: 'Report.pdf', version: 2, versions: 2 })
    expect(await server.listNames()).toEqual(['Report.pdf'])
    expect(await (await server.get(`/v1/file/${first.data.id}`)).text()).toBe('twice')
    expect(await server.listNames(server.kim, '?trash=true')).toEqual([])
    expect((await server.json(server.kim, 'GET', `/v1/directory/${server.directory}`)).data).toMatchObject({ files: 1, size: 5 })
  })

  it('gets a unique name when twenty with the same name are uploaded at once', async () => {
    await using server = await openFileOffice()
    await Promise.all(Array.from({ length: 20 }, (_, i) => server.put(server.directory, 'same.txt', `text ${i}`)))
    const found = await server.listNames(server.kim, '?sort=name')
    expect(new Set(found).size).toBe(20)
    expect((await server.json(server.kim, 'GET', '/v1/stats')).data).toEqual({ links: 0, directories: 1, files: 20 })
  })

  it('P29: is rejected if the given company is not the directory’s', async () => {
    await using server = await openFileOffice()
    const { data } = await server.json(server.eve, 'GET', '/v1/identity')
    for (const who of [server.kim, server.admin]) {
      const reply = await server.put(server.directory, 'a.txt', 'x', { who, query: `?company=${data.company}` })
      expect(reply).toMatchObject({ status: 404, code: 'directory.not_found' })
    }
    expect(server.countStored()).toEqual({ tmp: 0, blobs: 0 })
    expect((await server.put(server.directory, 'a.txt', 'x', { query: `?company=${server.company}` })).status).toBe(200)
  })

  it.each([
    '../../etc/passwd',
    '..',
    '.',
    'a/b.txt',
    'a\\b.txt',
    '/etc/passwd',
    'C:\\evil',
    'nul\u0000.txt',
    'line\r\nSet-Cookie: a=b',
    'x'.repeat(300),
    'gnp.\u202etxt',
    '   ',
  ])('P30: cannot have the name %j', async (name) => {
    await using server = await openFileOffice()
    const reply = await server.put(server.directory, name)
    expect([400, 404]).toContain(reply.status)
    expect(server.countStored()).toEqual({ tmp: 0, blobs: 0 })
  })

  it.each(['%2e%2e%2f%2e%2e', '..%2f..%2fx', '%5c..%5c', '%00', '..;/x'])(
    'P30: cannot be uploaded to the directory %j',
    async (path) => {
      await using server = await openFileOffice()
      const form = new FormData()
      form.set('file', new Blob(['x']), '../../../../tmp/evil')
      const reply = await fetch(`${server.origin}/v1/file/${path}/a.txt`, { method: 'PUT', headers: server.kim, body: form })
      expect([400, 404]).toContain(reply.status)
      expect(server.countStored()).toEqual({ tmp: 0, blobs: 0 })
    },
  )

  it.each(['a "quoted"; name.txt', 'semi;colon=1.txt', '日本語.txt', '🌊.txt', "o'brien.txt", '%0d%0aX: y.txt'])(
    'P31: named %j keeps its name and breaks no header',
    async (name) => {
      await using server = await openFileOffice()
      const { data } = await server.put(server.directory, name)
      const { headers } = await server.get(`/v1/file/${data.id}`)
      expect(headers.get('content-filename')).toMatch(/^[\x20-\x7e]+$/)
      expect(decodeURIComponent(headers.get('content-filename') ?? '')).toBe(name)
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[^"]*"; filename\*=UTF-8''[\w.%-]+$/)
      expect(headers.get('x')).toBeNull()
    },
  )

  it.each([
    ['page.html', '<!doctype html><script>alert(1)</script>'],
    ['picture.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['feed.xml', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>'],
    ['fake.png', '<script>alert(1)</script>'],
    ['note.txt', 'plain'],
  ])('P32: %s is sent as an attachment that a browser never runs', async (name, text) => {
    await using server = await openFileOffice()
    const { data } = await server.put(server.directory, name, text, { type: 'text/html' })
    const { headers } = await server.get(`/v1/file/${data.id}?content-type=text/html&download=0`)
    expect(headers.get('content-type')).not.toMatch(/html|svg|script|xhtml/)
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox; frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('private, no-store')
  })

  it.each([
    [206, 'bytes=0-4', 'hello', 'bytes 0-4/11'],
    [206, 'bytes=6-', 'world', 'bytes 6-10/11'],
    [206, 'bytes=-5', 'world', 'bytes 6-10/11'],
    [206, 'bytes=0-99', 'hello world', 'bytes 0-10/11'],
    [416, 'bytes=11-', undefined, 'bytes */11'],
    [200, 'bytes=0-1,3-4', 'hello world', null],
    [200, 'lines=1', 'hello world', null],
  ])('P38: returns %i for the range %s', async (status, range, text, contentRange) => {
    await using server = await openFileOffice()
    const { data } = await server.put(server.directory, 'a.txt', 'hello world')
    const reply = await server.get(`/v1/file/${data.id}`, { range })
    expect(reply.status).toBe(status)
    expect(reply.headers.get('content-range')).toBe(contentRange)
    if (text !== undefined) expect(await reply.text()).toBe(text)
  })

  it('can be downloaded with a ticket that does not appear in the log', async () => {
    await using server = await openFileOffice()
    const { data } = await server.put(server.directory, 'a.txt')
    const ticket = (await server.json(server.kim, 'POST', `/v1/file/${data.id}/ticket`)).data.url
    expect((await fetch(server.origin + ticket)).status).toBe(200)
    await expect.poll(() => server.logLines.join('')).toContain('/v1/download/#')
    expect(server.logLines.join('')).not.toContain(ticket.split('/').at(-1))
  })

  it('honors If-None-Match and If-Range', async () => {
    await using server = await openFileOffice()
    const { data } = await server.put(server.directory, 'a.txt', 'hello world')
    const etag = `"${data.sha256}"`
    expect((await server.get(`/v1/file/${data.id}`, { 'if-none-match': etag })).status).toBe(304)
    expect((await server.get(`/v1/file/${data.id}`, { range: 'bytes=6-', 'if-range': etag })).status).toBe(206)
    expect((await server.get(`/v1/file/${data.id}`, { range: 'bytes=6-', 'if-range': '"another"' })).status).toBe(200)
  })

  it('returns file.damaged if its bytes are missing', async () => {
    await using server = await openFileOffice()
    const { data } = await server.put(server.directory, 'a.txt', 'hello world')
    await server.deps.blobs.remove(data.id)
    const reply = await server.get(`/v1/file/${data.id}`)
    expect(reply.status).toBe(500)
    expect(await reply.json()).toMatchObject({ code: 'file.damaged' })
  })
})
