import { readdirSync } from 'node:fs'
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildForm, openOffice } from '../../features/link/testing.ts'
import { startTestServer } from '../../testing.ts'
import { getLoggedPath } from './request-log.ts'

describe('the log', () => {
  it('has a line for a download whose client disconnected', async () => {
    await using server = await startTestServer()
    await server.addUser({ email: 'kim@acme.example' })
    const headers = await server.startSessionAs('kim@acme.example')
    const origin = await server.listen()
    const send = (method: string, path: string, body: string | FormData) =>
      fetch(origin + path, {
        method,
        headers: { ...headers, ...(typeof body === 'string' && { 'content-type': 'application/json' }) },
        body,
      }).then((reply) => reply.json() as Promise<{ data: { id: string } }>)
    const { data: me } = (await (await fetch(`${origin}/v1/identity`, { headers })).json()) as { data: { company: string } }
    const { data: directory } = await send('POST', '/v1/directory', JSON.stringify({ directory: 'Plans', client: me.company }))
    const form = new FormData()
    form.set('file', new Blob([Buffer.alloc(30_000_000)]))
    const { data: file } = await send('PUT', `/v1/file/${directory.id}/large.bin`, form)
    const disconnect = new AbortController()
    const reply = await fetch(`${origin}/v1/file/${file.id}`, { headers, signal: disconnect.signal })
    await reply.body?.getReader().read()
    disconnect.abort()
    const lines = () => server.logLines.map((line) => JSON.parse(line)).filter(({ isCut }) => isCut)
    await expect.poll(lines).toMatchObject([{ method: 'GET', path: `/v1/file/${file.id}`, status: 200, msg: 'request' }])
  })

  it('has one line per request, without query, header or body', async () => {
    await using server = await startTestServer()
    await server.app.inject({
      method: 'POST',
      url: '/v1/identity/login?token=hidden1',
      headers: { authorization: 'Bearer hidden2', cookie: '_auth=hidden3' },
      payload: { email: 'hidden4@acme.example', password: 'hidden5' },
    })
    const lines = server.logLines.map((line) => JSON.parse(line)).filter((line) => line.msg === 'request')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ method: 'POST', path: '/v1/identity/login', status: 401, requestId: expect.any(String) })
    expect(server.logLines.join('')).not.toContain('hidden')
  })

  it('shows the keys of links and the ids of receipts only as fingerprints', () => {
    const key = '7YqfT0pSecret'
    expect(getLoggedPath('/access/:accessKey', { accessKey: key }, `/access/${key}?x=1`)).toMatch(/^\/access\/#[0-9a-f]{8}$/)
    expect(getLoggedPath('/v1/link/:key/info', { key }, `/v1/link/${key}/info`)).toMatch(/^\/v1\/link\/#[0-9a-f]{8}\/info$/)
    expect(getLoggedPath('/v1/receipt/:id', { id: key }, '')).toMatch(/^\/v1\/receipt\/#[0-9a-f]{8}$/)
    expect(getLoggedPath('/receipt/:id', { id: key }, '')).toMatch(/^\/receipt\/#[0-9a-f]{8}$/)
    expect(getLoggedPath('/directories/:directory', { directory: 'd1' }, '/directories/d1')).toBe('/directories/d1')
    expect(getLoggedPath('/v1/link/verify', {}, '/v1/link/verify?x=1')).toBe('/v1/link/verify')
    expect(getLoggedPath(undefined, {}, '/nowhere?x=1')).toBe('/nowhere')
    for (const url of [
      'http://evil/access/7YqfT0pSecretKey0123',
      '/%61ccess/7YqfT0pSecretKey0123',
      '/Access/7YqfT0pSecretKey0123',
    ]) {
      expect(getLoggedPath(undefined, {}, url)).not.toContain('Secret')
    }
  })
})

describe('a slow request', () => {
  interface Line {
    msg: string
    level: number
    ms: number
    path: string
    method: string
    requestId: string
  }
  const linesOf = (logLines: string[], msg: string) =>
    logLines.map((line) => JSON.parse(line) as Line).filter((line) => line.msg === msg)
  const waitForResponse = (sent: ClientRequest) => new Promise<IncomingMessage>((resolve) => sent.on('response', resolve))
  /** Sends other requests for at least this long. */
  async function sendOtherRequests(origin: string, milliseconds: number) {
    for (const startedAt = performance.now(); performance.now() - startedAt < milliseconds; ) await fetch(`${origin}/healthz`)
  }

  it('has its own log line with the request id and without secrets', async () => {
    await using server = await startTestServer({ SLOW_REQUEST_MS: '1' })
    await server.addUser({ email: 'kim@acme.example' })
    const reply = await server.signIn('kim@acme.example') // hashing a password takes long enough
    const [line, ...others] = linesOf(server.logLines, 'slow request')
    expect(others).toEqual([])
    expect(line).toEqual({
      level: 40,
      time: expect.any(Number),
      method: 'POST',
      path: '/v1/identity/login',
      ms: expect.any(Number),
      requestId: reply.headers['x-request-id'],
      msg: 'slow request',
    })
  })

  it.each(['0', '3600000'])('is not logged with SLOW_REQUEST_MS=%s', async (SLOW_REQUEST_MS) => {
    await using server = await startTestServer({ SLOW_REQUEST_MS })
    await server.addUser({ email: 'kim@acme.example' })
    await server.signIn('kim@acme.example')
    expect(linesOf(server.logLines, 'slow request')).toEqual([])
  })

  it('is measured without the time that the body takes to arrive', async () => {
    await using office = await openOffice({ SLOW_REQUEST_MS: '1' })
    const origin = await office.listen()
    const { payload, headers } = buildForm('x'.repeat(200_000))
    const sent = request(`${origin}/v1/file/${office.plans}/late.txt`, { method: 'PUT', headers: { ...headers, ...office.kim } })
    const answer = waitForResponse(sent)
    sent.write(payload.slice(0, 150_000))
    // Once the temporary file exists, the server only waits for the rest of the body.
    await expect.poll(() => readdirSync(join(office.folder, 'tmp')).length).toBeGreaterThan(0)
    await sendOtherRequests(origin, 300)
    sent.end(payload.slice(150_000))
    const { statusCode, headers: replyHeaders } = await answer.then((response) => response.resume())
    expect(statusCode).toBe(200)
    const find = (msg: string) =>
      linesOf(office.logLines, msg).find(({ requestId }) => requestId === replyHeaders['x-request-id'])
    await expect.poll(() => find('request')?.ms).toBeGreaterThanOrEqual(300)
    expect(find('slow request')?.ms ?? 0).toBeLessThanOrEqual((find('request')?.ms ?? 0) - 299)
  })

  it('is measured without the time that the client takes to read the reply', async () => {
    await using office = await openOffice({ SLOW_REQUEST_MS: '1' })
    const origin = await office.listen()
    const large = (await office.put(office.plans, 'large.txt', office.kim, 'x'.repeat(30_000_000))).json().data.id
    const response = await waitForResponse(get(`${origin}/v1/file/${large}`, { headers: office.kim }))
    await sendOtherRequests(origin, 300)
    for await (const _ of response);
    const find = (msg: string) =>
      linesOf(office.logLines, msg).find(({ requestId }) => requestId === response.headers['x-request-id'])
    await expect.poll(() => find('request')?.ms).toBeGreaterThanOrEqual(300)
    expect(find('slow request')?.ms ?? 0).toBeLessThanOrEqual((find('request')?.ms ?? 0) - 299)
  })
})
