import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { office } from './testing.ts'

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('a file', () => {
  it.each([0, 1, 64 * 1024 + 1, 5 * 1024 * 1024])('P27: of %i bytes comes down as it went up', async (size) => {
    await using server = await office()
    const bytes = randomBytes(size)
    const { status, data } = await server.put(server.directory, 'data.bin', bytes)
    expect(status).toBe(200)
    expect(data).toMatchObject({ file_name: 'data.bin', size, sha256: digest(bytes), directory: 'Plans', client: 'Acme GmbH' })
    const reply = await server.get(`/v1/file/${data.id}`)
    expect(reply.headers.get('content-length')).toBe(String(size))
    expect(reply.headers.get('etag')).toBe(`"${digest(bytes)}"`)
    expect(digest(new Uint8Array(await reply.arrayBuffer()))).toBe(digest(bytes))
    expect(server.stored()).toEqual({ tmp: 0, blobs: 1 })
  })

  it('tells its name and type to HEAD, and sends no body', async () => {
    await using server = await office()
    const { data } = await server.put(server.directory, 'Übersicht 🌊.pdf', '%PDF-1.7\n')
    const reply = await fetch(`${server.origin}/v1/file/${data.id}`, { method: 'HEAD', headers: server.kim })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/pdf')
    expect(decodeURIComponent(reply.headers.get('content-filename') ?? '')).toBe('Übersicht 🌊.pdf')
    expect(reply.headers.get('content-length')).toBe('9')
  })

  it('P28: of a name that is taken becomes another file, and the first stays as it was', async () => {
    await using server = await office()
    const first = await server.put(server.directory, 'Report.pdf', 'one')
    expect((await server.put(server.directory, 'report.PDF', 'two')).data.file_name).toBe('report (1).PDF')
    expect((await server.put(server.directory, 'Report.pdf', 'three')).data.file_name).toBe('Report (2).pdf')
    expect(await (await server.get(`/v1/file/${first.data.id}`)).text()).toBe('one')
  })

  it('takes the place of another only when told to, and the other one goes to the trash', async () => {
    await using server = await office()
    const first = await server.put(server.directory, 'Report.pdf', 'one')
    const second = await server.put(server.directory, 'Report.pdf', 'twice', { query: '?conflict=replace' })
    expect(second.data.file_name).toBe('Report.pdf')
    expect(await server.names()).toEqual(['Report.pdf'])
    expect((await server.get(`/v1/file/${first.data.id}`)).status).toBe(404)
    expect(await server.names(server.kim, '?trash=true')).toEqual(['Report.pdf'])
    expect((await server.json(server.kim, 'GET', `/v1/directory/${server.directory}`)).data).toMatchObject({ files: 1, size: 5 })
  })

  it('keeps its number also when twenty of one name come at once', async () => {
    await using server = await office()
    await Promise.all(Array.from({ length: 20 }, (_, i) => server.put(server.directory, 'same.txt', `text ${i}`)))
    const found = await server.names(server.kim, '?sort=name')
    expect(new Set(found).size).toBe(20)
    expect((await server.json(server.kim, 'GET', '/v1/stats')).data).toEqual({ links: 0, directories: 1, files: 20 })
  })

  it('P29: goes nowhere when the company named is not the directory’s', async () => {
    await using server = await office()
    const { data } = await server.json(server.eve, 'GET', '/v1/identity')
    for (const who of [server.kim, server.admin]) {
      const reply = await server.put(server.directory, 'a.txt', 'x', { who, query: `?company=${data.company}` })
      expect(reply).toMatchObject({ status: 404, code: 'directory.not_found' })
    }
    expect(server.stored()).toEqual({ tmp: 0, blobs: 0 })
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
    await using server = await office()
    const reply = await server.put(server.directory, name)
    expect([400, 404]).toContain(reply.status)
    expect(server.stored()).toEqual({ tmp: 0, blobs: 0 })
  })

  it.each(['%2e%2e%2f%2e%2e', '..%2f..%2fx', '%5c..%5c', '%00', '..;/x'])(
    'P30: cannot be put in a directory %j',
    async (path) => {
      await using server = await office()
      const form = new FormData()
      form.set('file', new Blob(['x']), '../../../../tmp/evil')
      const reply = await fetch(`${server.origin}/v1/file/${path}/a.txt`, { method: 'PUT', headers: server.kim, body: form })
      expect([400, 404]).toContain(reply.status)
      expect(server.stored()).toEqual({ tmp: 0, blobs: 0 })
    },
  )

  it.each(['a "quoted"; name.txt', 'semi;colon=1.txt', '日本語.txt', '🌊.txt', "o'brien.txt", '%0d%0aX: y.txt'])(
    'P31: named %j keeps its name, and no header breaks',
    async (name) => {
      await using server = await office()
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
  ])('P32: %s is saved, never run', async (name, text) => {
    await using server = await office()
    const { data } = await server.put(server.directory, name, text, { type: 'text/html' })
    const { headers } = await server.get(`/v1/file/${data.id}?content-type=text/html&download=0`)
    expect(headers.get('content-type')).not.toMatch(/html|svg|script|xhtml/)
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox; frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('private, no-store')
  })

  it('P34: over the limit is refused, announced or not, and leaves nothing behind', async () => {
    await using server = await office({ MAX_UPLOAD_BYTES: '100000' })
    expect(await server.put(server.directory, 'big.bin', randomBytes(100_001))).toMatchObject({
      status: 413,
      code: 'file.too_large',
    })
    const stream = new ReadableStream({
      async start(controller) {
        controller.enqueue(Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'))
        controller.enqueue(randomBytes(300_000))
        controller.enqueue(Buffer.from('\r\n--x--\r\n'))
        controller.close()
      },
    })
    const reply = await fetch(`${server.origin}/v1/file/${server.directory}/big.bin`, {
      method: 'PUT',
      headers: { ...server.kim, 'content-type': 'multipart/form-data; boundary=x' },
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect(reply.status).toBe(413)
    expect((await server.put(server.directory, 'fits.bin', randomBytes(100_000))).status).toBe(200)
    expect(server.stored()).toEqual({ tmp: 0, blobs: 1 })
  })

  it('P34: many small ones cannot go over what a company may keep', async () => {
    await using server = await office({ COMPANY_QUOTA_BYTES: '100000' })
    const replies = await Promise.all(
      Array.from({ length: 15 }, (_, i) => server.put(server.directory, `${i}.bin`, randomBytes(10_000))),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(replies.filter(({ code }) => code === 'company.full')).toHaveLength(5)
    expect(server.stored()).toEqual({ tmp: 0, blobs: 10 })
  })

  it('P35: is made of a proper form with one file in the field `file`, and of nothing else', async () => {
    await using server = await office()
    const part = (name: string, body = 'hello', filename = 'a.txt') =>
      `--x\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n${body}\r\n`
    const whole = `${part('file')}--x--\r\n`
    const send = async (body: string, type = 'multipart/form-data; boundary=x') => {
      const url = `${server.origin}/v1/file/${server.directory}/a.txt`
      return (await fetch(url, { method: 'PUT', headers: { ...server.kim, 'content-type': type }, body })).status
    }
    const faults: [string, string?][] = [
      [whole, 'multipart/form-data'],
      [whole, `multipart/form-data; boundary=${'x'.repeat(71)}`],
      [`${part('other')}--x--\r\n`],
      [`${part('file')}${part('file')}--x--\r\n`],
      [
        `${Array.from({ length: 1000 }, (_, i) => `--x\r\ncontent-disposition: form-data; name="f${i}"\r\n\r\nv\r\n`).join('')}${whole}`,
      ],
      ['--x\r\ncontent-disposition: form-data\r\n\r\nhello\r\n--x--\r\n'],
      ['--x--\r\n'],
      [''],
      ['no form at all'],
      ...Array.from({ length: 9 }, (_, i): [string] => [whole.slice(0, Math.floor((whole.length * (i + 1)) / 10))]),
    ]
    for (const [body, type] of faults) expect(await send(body, type), body.slice(0, 200)).toBe(400)
    expect(await server.names()).toEqual([])
    expect(server.stored()).toEqual({ tmp: 0, blobs: 0 })
    expect(await send(whole)).toBe(200)
    expect(await send('{}', 'application/json')).toBe(415)
  })

  it.each([
    ['bytes=0-4', 206, 'hello', 'bytes 0-4/11'],
    ['bytes=6-', 206, 'world', 'bytes 6-10/11'],
    ['bytes=-5', 206, 'world', 'bytes 6-10/11'],
    ['bytes=0-99', 206, 'hello world', 'bytes 0-10/11'],
    ['bytes=11-', 416, undefined, 'bytes */11'],
    ['bytes=0-1,3-4', 200, 'hello world', null],
    ['lines=1', 200, 'hello world', null],
  ])('P38: range %s', async (range, status, text, contentRange) => {
    await using server = await office()
    const { data } = await server.put(server.directory, 'a.txt', 'hello world')
    const reply = await server.get(`/v1/file/${data.id}`, { range })
    expect(reply.status).toBe(status)
    expect(reply.headers.get('content-range')).toBe(contentRange)
    if (text !== undefined) expect(await reply.text()).toBe(text)
  })

  it.each([
    [
      'whose last part is broken',
      `--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhello\r\n--x\r\nbroken\r\n--x--\r\n`,
    ],
    ['whose only part has no end of its head', `--x\r\ncontent-disposition: form-data; name="file"; filename="a"`],
  ])('P35: a form %s is answered, and leaves nothing behind', async (_, body) => {
    await using server = await office()
    const path = `${server.origin}/v1/file/${server.directory}/a.txt`
    const headers = { ...server.kim, 'content-type': 'multipart/form-data; boundary=x' }
    const reply = await fetch(path, { method: 'PUT', headers, body })
    expect(reply.status).toBe(400)
    await vi.waitFor(() => expect(server.stored()).toEqual({ tmp: 0, blobs: 0 }))
  })

  it.each(['multipart/form-data; xboundary=abc', `multipart/form-data; xboundary=a; boundary=${'q'.repeat(300)}`])(
    'P35: a form of the type %s is refused',
    async (type) => {
      await using server = await office()
      const path = `${server.origin}/v1/file/${server.directory}/a.txt`
      const reply = await fetch(path, { method: 'PUT', headers: { ...server.kim, 'content-type': type }, body: 'x' })
      expect(reply.status).toBe(400)
    },
  )

  it('never brings the disk to its last byte, announced or not: the reserve stays free', async () => {
    await using server = await office()
    const free = vi.spyOn(server.deps.blobs, 'space').mockResolvedValue({ free: 2 ** 30 + 1000, total: 2 ** 40 })
    expect(await server.put(server.directory, 'a.txt', 'x'.repeat(2000))).toMatchObject({ status: 507, code: 'storage.full' })
    free.mockRestore()
  })

  it('is not logged with what opens it', async () => {
    await using server = await office()
    const { data } = await server.put(server.directory, 'a.txt')
    const ticket = (await server.json(server.kim, 'POST', `/v1/file/${data.id}/ticket`)).data.url
    expect((await fetch(server.origin + ticket)).status).toBe(200)
    await vi.waitFor(() => expect(server.logLines.join('')).toContain('/v1/download/#'))
    expect(server.logLines.join('')).not.toContain(ticket.split('/').at(-1))
  })

  it('is not sent again to whoever has it, nor in part to whoever has another one', async () => {
    await using server = await office()
    const { data } = await server.put(server.directory, 'a.txt', 'hello world')
    const etag = `"${data.sha256}"`
    expect((await server.get(`/v1/file/${data.id}`, { 'if-none-match': etag })).status).toBe(304)
    expect((await server.get(`/v1/file/${data.id}`, { range: 'bytes=6-', 'if-range': etag })).status).toBe(206)
    expect((await server.get(`/v1/file/${data.id}`, { range: 'bytes=6-', 'if-range': '"another"' })).status).toBe(200)
  })

  it('that is damaged on the disk says so, and sends no bytes', async () => {
    await using server = await office()
    const { data } = await server.put(server.directory, 'a.txt', 'hello world')
    await server.deps.blobs.remove(data.id)
    const reply = await server.get(`/v1/file/${data.id}`)
    expect(reply.status).toBe(500)
    expect(await reply.json()).toMatchObject({ code: 'file.damaged' })
  })
})

describe('who sees a file', () => {
  it('P13, P14: nobody of another company, in any way', async () => {
    await using server = await office()
    const { data } = await server.put(server.directory, 'secret plan.txt')
    const absent = 'AAAAAAAAAAAAAAAAAAAAAA'
    const calls = (id: string, directory: string): [string, string, object?][] => [
      ['GET', `/v1/file/${id}`],
      ['POST', `/v1/file/${id}/ticket`],
      ['PATCH', `/v1/file/${id}`, { file_name: 'mine.txt' }],
      ['DELETE', `/v1/file/${id}`],
      ['POST', '/v1/file/delete', { ids: [id] }],
      ['POST', '/v1/file/restore', { ids: [id] }],
      ['GET', `/v1/directory/${directory}`],
      ['GET', `/v1/directory/${directory}/zip`],
      ['POST', `/v1/directory/${directory}/ticket`],
      ['PATCH', `/v1/directory/${directory}`, { directory: 'Mine' }],
      ['DELETE', `/v1/directory/${directory}`],
      ['POST', `/v1/directory/${directory}/restore`],
    ]
    for (const [i, [method, path, body]] of calls(data.id, server.directory).entries()) {
      const [, absentPath = '', absentBody] = calls(absent, absent)[i] ?? []
      const foreign = await server.call(server.eve, method, path, body)
      const missing = await server.call(server.eve, method, absentPath, absentBody)
      expect(foreign.status, path).toBe(404)
      const alike = (text: string) => text.replace(/"requestId":"[\w-]{22}"/, '')
      expect(alike(foreign.text), path).toBe(alike(missing.text))
    }
    for (const query of ['', `?directory=${server.directory}`, `?company=${server.company}`, '?search=secret', '?trash=true']) {
      expect(await server.names(server.eve, query), query).toEqual([])
    }
    expect((await server.json(server.eve, 'GET', `/v1/directory?company=${server.company}`)).data).toEqual([])
    expect((await server.json(server.eve, 'GET', '/v1/stats')).data).toEqual({ links: 0, directories: 0, files: 0 })
    expect((await server.put(server.directory, 'mine.txt', 'x', { who: server.eve })).status).toBe(404)
    expect(await server.names()).toEqual(['secret plan.txt'])
  })

  it('admins see every company’s, users their own', async () => {
    await using server = await office()
    await server.put(server.directory, 'ours.txt')
    const { company } = (await server.json(server.eve, 'GET', '/v1/identity')).data
    await server.put(await server.makeDirectory('Theirs', server.admin, company), 'theirs.txt', 'x', { who: server.admin })
    expect((await server.names(server.admin)).toSorted()).toEqual(['ours.txt', 'theirs.txt'])
    expect(await server.names(server.admin, `?company=${company}`)).toEqual(['theirs.txt'])
    expect(await server.names(server.eve)).toEqual(['theirs.txt'])
  })
})

describe('the list of files', () => {
  it('is searched by any part of a name, and takes no sign for a wildcard', async () => {
    await using server = await office()
    for (const name of ['Annual Report 2026.pdf', 'report-draft.txt', '100% done_final.txt', 'Größe.txt', 'ab.txt']) {
      await server.put(server.directory, name)
    }
    const found = async (text: string) =>
      (await server.names(server.kim, `?sort=name&search=${encodeURIComponent(text)}`)) as string[]
    expect(await found('REPORT')).toEqual(['Annual Report 2026.pdf', 'report-draft.txt'])
    expect(await found('port 20')).toEqual(['Annual Report 2026.pdf'])
    expect(await found('größe')).toEqual(['Größe.txt'])
    expect(await found('%')).toEqual(['100% done_final.txt'])
    expect(await found('e_f')).toEqual(['100% done_final.txt'])
    expect(await found('ab')).toEqual(['ab.txt'])
    expect(await found('"ab')).toEqual([])
    expect(await found('nothing like it')).toEqual([])
  })

  it('pages without losing or repeating one, in every order', async () => {
    await using server = await office()
    for (let i = 0; i < 25; i++) {
      await server.put(server.directory, `file ${String(i).padStart(2, '0')}.txt`, 'x'.repeat(i % 5))
      server.advance(i % 3)
    }
    for (const sort of ['name', '-name', 'size', '-size', 'created_at', '-created_at']) {
      const seen: string[] = []
      let cursor = ''
      do {
        const page = await server.json(server.kim, 'GET', `/v1/file?limit=7&sort=${sort}${cursor && `&cursor=${cursor}`}`)
        seen.push(...page.data.map((file: { id: string }) => file.id))
        cursor = page.next ?? ''
      } while (cursor)
      expect(new Set(seen).size, sort).toBe(25)
      expect(seen, sort).toHaveLength(25)
    }
  })

  it('is filtered by directory and by kind', async () => {
    await using server = await office()
    const other = await server.makeDirectory('Other')
    await server.put(server.directory, 'a.pdf', '%PDF-1.7\n')
    await server.put(other, 'b.txt')
    expect(await server.names(server.kim, '?kind=pdf')).toEqual(['a.pdf'])
    expect(await server.names(server.kim, '?kind=text')).toEqual(['b.txt'])
    expect(await server.names(server.kim, `?directory=${other}`)).toEqual(['b.txt'])
    expect(await server.names(server.kim, '?directory=&company=')).toHaveLength(2)
  })
})
