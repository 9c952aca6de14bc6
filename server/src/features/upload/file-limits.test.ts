import { randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { openFileOffice } from '../file/testing.ts'

describe('a file', () => {
  it('P34: over the size limit is rejected, with or without an announced length, and leaves nothing behind', async () => {
    await using server = await openFileOffice({ MAX_UPLOAD_BYTES: '100000' })
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
    expect(server.countStored()).toEqual({ tmp: 0, blobs: 1 })
  })

  it('P34: is rejected once the company quota is used up, even when many arrive at once', async () => {
    await using server = await openFileOffice({ COMPANY_QUOTA_BYTES: '100000' })
    const replies = await Promise.all(
      Array.from({ length: 15 }, (_, i) => server.put(server.directory, `${i}.bin`, randomBytes(10_000))),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(replies.filter(({ code }) => code === 'company.full')).toHaveLength(5)
    expect(server.countStored()).toEqual({ tmp: 0, blobs: 10 })
  })

  it('P35: is accepted only in a well-formed form with one file in the field `file`', async () => {
    await using server = await openFileOffice()
    const buildPart = (name: string, body = 'hello', filename = 'a.txt') =>
      `--x\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n${body}\r\n`
    const validForm = `${buildPart('file')}--x--\r\n`
    const send = async (body: string, type = 'multipart/form-data; boundary=x') => {
      const url = `${server.origin}/v1/file/${server.directory}/a.txt`
      return (await fetch(url, { method: 'PUT', headers: { ...server.kim, 'content-type': type }, body })).status
    }
    const invalidForms: [string, string?][] = [
      [validForm, 'multipart/form-data'],
      [validForm, `multipart/form-data; boundary=${'x'.repeat(71)}`],
      [`${buildPart('other')}--x--\r\n`],
      [`${buildPart('file')}${buildPart('file')}--x--\r\n`],
      [
        `${Array.from({ length: 1000 }, (_, i) => `--x\r\ncontent-disposition: form-data; name="f${i}"\r\n\r\nv\r\n`).join('')}${validForm}`,
      ],
      ['--x\r\ncontent-disposition: form-data\r\n\r\nhello\r\n--x--\r\n'],
      ['--x--\r\n'],
      [''],
      ['no form at all'],
      ...Array.from({ length: 9 }, (_, i): [string] => [validForm.slice(0, Math.floor((validForm.length * (i + 1)) / 10))]),
    ]
    for (const [body, type] of invalidForms) expect(await send(body, type), body.slice(0, 200)).toBe(400)
    expect(await server.listNames()).toEqual([])
    expect(server.countStored()).toEqual({ tmp: 0, blobs: 0 })
    expect(await send(validForm)).toBe(200)
    expect(await send('{}', 'application/json')).toBe(415)
  })

  it.each([
    [
      'whose last part is malformed',
      `--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhello\r\n--x\r\nbroken\r\n--x--\r\n`,
    ],
    ['whose only part has incomplete headers', `--x\r\ncontent-disposition: form-data; name="file"; filename="a"`],
  ])('P35: is rejected in a form %s, and leaves nothing behind', async (_, body) => {
    await using server = await openFileOffice()
    const path = `${server.origin}/v1/file/${server.directory}/a.txt`
    const headers = { ...server.kim, 'content-type': 'multipart/form-data; boundary=x' }
    const reply = await fetch(path, { method: 'PUT', headers, body })
    expect(reply.status).toBe(400)
    await expect.poll(() => server.countStored()).toEqual({ tmp: 0, blobs: 0 })
  })

  it.each(['multipart/form-data; xboundary=abc', `multipart/form-data; xboundary=a; boundary=${'q'.repeat(300)}`])(
    'P35: is rejected in a form of the type %s',
    async (type) => {
      await using server = await openFileOffice()
      const path = `${server.origin}/v1/file/${server.directory}/a.txt`
      const reply = await fetch(path, { method: 'PUT', headers: { ...server.kim, 'content-type': type }, body: 'x' })
      expect(reply.status).toBe(400)
    },
  )

  it('is rejected when it would use the reserved disk space', async () => {
    await using server = await openFileOffice()
    const free = vi.spyOn(server.deps.blobs, 'getSpace').mockResolvedValue({ free: 2 ** 30 + 1000, total: 2 ** 40 })
    expect(await server.put(server.directory, 'a.txt', 'x'.repeat(2000))).toMatchObject({ status: 507, code: 'storage.full' })
    free.mockRestore()
  })
})
