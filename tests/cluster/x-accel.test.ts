import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blobPath } from '../support/blob-files.ts'
import { digest } from '../support/client.ts'
import { startXAccelProxy } from '../support/services/x-accel-proxy.ts'
import { startSignedIn } from '../support/start-signed-in.ts'

let neptune: Awaited<ReturnType<typeof startSignedIn>>
let nginx: NonNullable<Awaited<ReturnType<typeof startXAccelProxy>>>
const bytes = randomBytes(3_000_000)
let id: string

beforeAll(async () => {
  neptune = await startSignedIn({
    X_ACCEL_REDIRECT: '/stored/',
    TRUST_PROXY: '127.0.0.1',
    CORS_ORIGINS: 'https://app.example.com',
  })
  const started = await startXAccelProxy(neptune)
  if (!started) throw new Error('nginx is not installed')
  nginx = started
  await neptune.put('Übersicht.txt', bytes)
  id = (await neptune.list())[0]?.id ?? ''
}, 60_000)
afterAll(async () => {
  await nginx?.[Symbol.asyncDispose]()
  await neptune?.[Symbol.asyncDispose]()
})

const get = (path: string, more: Record<string, string> = {}, url = nginx.url) =>
  fetch(url + path, { headers: { ...neptune.headers, ...more } })
const readLastDownload = async () => (await (await neptune.get('/v1/activity?action=file.downloaded&limit=1')).json()).data[0]

describe('Neptune behind nginx with X_ACCEL_REDIRECT', () => {
  it('lets nginx send a file, with identical bytes, its name and the security headers', async () => {
    const reply = await get(`/v1/file/${id}`)
    expect(reply.status).toBe(200)
    const { headers } = reply
    expect(headers.get('x-accel-redirect')).toBeNull()
    expect(headers.get('server')).toContain('nginx')
    expect(headers.get('content-length')).toBe(String(bytes.length))
    expect(headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%9Cbersicht.txt")
    expect(headers.get('content-filename')).toBe('%C3%9Cbersicht.txt')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('content-type')).toMatch(/^(text\/plain|application\/octet-stream)/)
    expect(digest(new Uint8Array(await reply.arrayBuffer()))).toBe(digest(bytes))
    const crossOrigin = await get(`/v1/file/${id}`, { origin: 'https://app.example.com' })
    expect(crossOrigin.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(crossOrigin.headers.get('access-control-expose-headers')).toContain('content-filename')
    expect(crossOrigin.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    await expect
      .poll(readLastDownload)
      .toMatchObject({ note: expect.stringMatching(/^by the proxy, SHA-256 /), bytes: bytes.length })
  })

  it('supports range requests and resumed downloads', async () => {
    const reply = await get(`/v1/file/${id}`, { range: 'bytes=1000-1999' })
    expect(reply.status).toBe(206)
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true)
    const etag = reply.headers.get('etag') ?? ''
    const rest = await get(`/v1/file/${id}`, { range: 'bytes=2999000-', 'if-range': etag })
    expect(rest.status).toBe(206)
    expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(2_999_000))).toBe(true)
    // nginx compares If-Range with its own ETag. Given Neptune's ETag, it ignores the range and sends the whole file, and the audit
    // entry has the size of the whole file.
    const { sha256 } = (await neptune.list())[0] ?? {}
    const fullReply = await get(`/v1/file/${id}`, { range: 'bytes=0-0', 'if-range': `"${sha256}"` })
    expect((await fullReply.arrayBuffer()).byteLength).toBe(bytes.length)
    await expect
      .poll(readLastDownload)
      .toMatchObject({ note: expect.stringMatching(/^by the proxy, SHA-256 /), bytes: bytes.length })
  })

  it('sends files itself to clients that bypass nginx, and keeps the internal location unreachable', async () => {
    const reply = await get(`/v1/file/${id}`, {}, neptune.url)
    expect(reply.headers.get('x-accel-redirect')).toBeNull()
    expect(digest(new Uint8Array(await reply.arrayBuffer()))).toBe(digest(bytes))
    const hex = Buffer.from(id, 'base64url').toString('hex')
    expect((await get(`/stored/${hex.slice(0, 2)}/${hex.slice(2, 4)}/${id}`)).status).toBe(404)
  })

  it('rejects unauthorized requests and reports damaged files itself', async () => {
    expect((await fetch(`${nginx.url}/v1/file/${id}`)).status).toBe(401)
    rmSync(blobPath(neptune.folder, id))
    const reply = await get(`/v1/file/${id}`)
    expect(reply.status).toBe(500)
    expect(await reply.json()).toMatchObject({ code: 'file.damaged' })
  })
})
