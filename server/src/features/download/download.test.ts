import { randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { openFileOffice } from '../file/testing.ts'

describe('a directory', () => {
  it('is downloaded as one ZIP of the announced length, also in ranges', async () => {
    await using server = await openFileOffice()
    for (const name of ['ä.txt', 'b.txt', '日本.txt']) await server.put(server.directory, name, randomBytes(70_000))
    const reply = await server.get(`/v1/directory/${server.directory}/zip`)
    const zip = Buffer.from(await reply.arrayBuffer())
    expect(reply.headers.get('content-length')).toBe(String(zip.length))
    expect(reply.headers.get('content-disposition')).toContain('Plans.zip')
    const headers = { range: 'bytes=100000-', 'if-range': reply.headers.get('etag') ?? '' }
    const rest = await server.get(`/v1/directory/${server.directory}/zip`, headers)
    expect(rest.status).toBe(206)
    expect(Buffer.from(await rest.arrayBuffer()).equals(zip.subarray(100_000))).toBe(true)
  })
})

describe('a ZIP', () => {
  it('is resumed only with a matching ETag, never by date', async () => {
    await using server = await openFileOffice()
    const old = await server.put(server.directory, 'old.bin', 'x'.repeat(2000))
    await server.put(server.directory, 'new.bin', 'y'.repeat(2000))
    const path = `/v1/directory/${server.directory}/zip`
    const { headers } = await server.get(path)
    expect(headers.get('last-modified')).toBe(null)
    const etag = headers.get('etag') ?? ''
    expect((await server.get(path, { range: 'bytes=100-200', 'if-range': etag })).status).toBe(206)
    await server.json(server.kim, 'DELETE', `/v1/file/${old.data.id}`)
    expect((await server.get(path, { range: 'bytes=100-200', 'if-range': etag })).status).toBe(200)
    const date = new Date().toUTCString()
    expect((await server.get(path, { range: 'bytes=100-200', 'if-range': date })).status).toBe(200)
  })
})

describe('a download', () => {
  it('is not cut off after ten minutes', async () => {
    await using server = await openFileOffice()
    const bytes = randomBytes(30_000_000)
    const { data } = await server.put(server.directory, 'large.bin', bytes)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const reply = await server.get(`/v1/file/${data.id}`)
      const reader = reply.body?.getReader()
      let receivedBytes = (await reader?.read())?.value?.length ?? 0
      vi.advanceTimersByTime(10 * 60_000)
      for (let next = await reader?.read(); next?.value; next = await reader?.read()) receivedBytes += next.value.length
      expect(receivedBytes).toBe(bytes.length)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('behind nginx', () => {
  it('sends X-Accel-Redirect only for requests that came through a trusted proxy', async () => {
    await using server = await openFileOffice({ X_ACCEL_REDIRECT: '/stored/', TRUST_PROXY: '127.0.0.1' })
    const { data } = await server.put(server.directory, 'a.txt', 'hello world')
    const path = `/v1/file/${data.id}`
    const proxied = await server.get(path, { 'x-forwarded-for': '192.0.2.7' })
    expect(proxied.headers.get('x-accel-redirect')).toMatch(new RegExp(`^/stored/[0-9a-f]{2}/[0-9a-f]{2}/${data.id}$`))
    expect(await proxied.text()).toBe('')
    const plain = await server.get(path)
    expect(plain.headers.get('x-accel-redirect')).toBeNull()
    expect(await plain.text()).toBe('hello world')
    const headers = { ...server.kim, 'x-forwarded-for': '192.0.2.7' }
    const untrusted = await server.app.inject({ url: path, headers, remoteAddress: '198.51.100.1' })
    expect(untrusted.headers['x-accel-redirect']).toBeUndefined()
    expect(untrusted.body).toBe('hello world')
  })
})

describe('a ticket', () => {
  it('lets a browser download one file or ZIP without an Authorization header, while the session lasts', async () => {
    await using server = await openFileOffice()
    const { data } = await server.put(server.directory, 'a.txt', 'hello world')
    const { url } = (await server.json(server.kim, 'POST', `/v1/file/${data.id}/ticket`)).data
    const reply = await fetch(server.origin + url, { headers: { range: 'bytes=6-' } })
    expect(reply.status).toBe(206)
    expect(await reply.text()).toBe('world')
    const zip = (await server.json(server.kim, 'POST', `/v1/directory/${server.directory}/ticket`)).data
    expect((await fetch(server.origin + zip.url)).headers.get('content-type')).toBe('application/zip')
    expect((await fetch(server.origin + url.replace('/v1/download/', '/v1/thumbnail/'))).status).toBe(404)
    expect((await fetch(server.origin + url.slice(0, -1))).status).toBe(404)
    await server.call(server.kim, 'DELETE', '/v1/identity')
    expect((await fetch(server.origin + url)).status).toBe(404)
  })

  it('expires after two hours, or when the file is deleted', async () => {
    await using server = await openFileOffice()
    const { data } = await server.put(server.directory, 'a.txt')
    const createTicket = async () => (await server.json(server.kim, 'POST', `/v1/file/${data.id}/ticket`)).data.url
    const first = await createTicket()
    server.advance(2 * 60 * 60_000)
    expect((await fetch(server.origin + first)).status).toBe(404)
    const second = await createTicket()
    await server.call(server.kim, 'DELETE', `/v1/file/${data.id}`)
    expect((await fetch(server.origin + second)).status).toBe(404)
  })
})
