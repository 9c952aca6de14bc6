import { readdirSync } from 'node:fs'
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formOf, openOffice } from '../features/link/testing.ts'
import { startTestServer } from '../testing.ts'
import { loggedPath } from './request-log.ts'

const login = (payload: string | Buffer, type = 'application/json') =>
  ({ method: 'POST', url: '/v1/identity/login', headers: { 'content-type': type }, payload }) as const

describe('P39: bodies', () => {
  it.each([
    ['a prototype', '{"__proto__":{"x":1},"email":"a@b.example","password":"x"}', 400],
    ['a constructor', '{"constructor":{"prototype":{"x":1}},"email":"a@b.example","password":"x"}', 400],
    ['a key given twice', '{"email":"a@b.example","email":"c@d.example","password":"x"}', 400],
    ['nesting without end', `{"email":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    ['a byte-order mark', '\ufeff{"email":"a@b.example","password":"x"}', 400],
    ['something else than JSON', 'email=a', 400],
    ['a bare value', 'null', 400],
    ['a list', '[]', 400],
    ['nothing', '', 400],
    ['more than we read', `{"email":"${'a'.repeat(300_000)}"}`, 413],
  ])('%s is refused', async (_, payload, status) => {
    await using server = await startTestServer()
    const reply = await server.app.inject(login(payload))
    expect(reply.statusCode).toBe(status)
    expect(reply.headers['content-type']).toBe('application/problem+json')
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonx',
  ])('sent as %s are refused', async (type) => {
    await using server = await startTestServer()
    const reply = await server.app.inject(login('{"email":"a@b.example","password":"x"}', type))
    expect(reply.statusCode).toBe(415)
    expect(reply.json().code).toBe('request.wrong_type')
  })

  it('that break name no path, stack or SQL', async () => {
    await using server = await startTestServer()
    await server.deps.db.schema.dropTable('throttle').execute()
    const reply = await server.app.inject(login('{"email":"a@b.example","password":"x"}'))
    expect(reply.statusCode).toBe(500)
    expect(reply.json()).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      code: 'server.failed',
      detail: expect.any(String),
      requestId: reply.headers['x-request-id'],
    })
    expect(server.logLines.join('')).toContain(String(reply.headers['x-request-id']))
  })
})

describe('P43: what is not there', () => {
  it.each([
    '/.env',
    '/.git/config',
    '/..%2f..%2fpackage.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e%5c%2e%2e%5cpackage.json',
    '/v1/unknown',
    '/v1/',
    '/v1/identity/login/',
    '/v1%2funknown',
    '/%',
    '/%00',
  ])('%s is a plain 404, also for a browser', async (url) => {
    await using server = await startTestServer()
    for (const headers of [{}, { accept: 'text/html,*/*' }]) {
      const reply = await server.app.inject({ url, headers })
      expect(reply.statusCode).toBe(404)
      expect(reply.headers['content-type']).toBe('application/problem+json')
    }
  })

  it.each(['/package.json', '/server/src/main.ts', '/etc/passwd'])('%s is a 404 that holds nothing of it', async (url) => {
    await using server = await startTestServer()
    const reply = await server.app.inject({ url, headers: { accept: 'text/html' } })
    expect(reply.statusCode).toBe(404)
    expect(reply.body).not.toMatch(/dependencies|import |root:/)
  })

  it.each(['TRACE', 'PROPFIND', 'PATCH', 'OPTIONS'] as const)('%s is not answered', async (method) => {
    await using server = await startTestServer()
    for (const url of ['/', '/v1/identity/login', '/v1/identity']) {
      expect([404, 405]).toContain((await server.app.inject({ method: method as 'PATCH', url })).statusCode)
    }
  })
})

describe('every answer', () => {
  const always = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  }

  it.each(['/healthz', '/readyz', '/openapi.json', '/v1/identity', '/v1/unknown', '/nowhere', '/%'])(
    'carries the protective headers and none that tell what runs here: %s',
    async (url) => {
      await using server = await startTestServer()
      const { headers } = await server.app.inject(url)
      expect(headers).toMatchObject({ ...always, 'cache-control': 'no-store' })
      expect(headers).not.toHaveProperty('server')
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('strict-transport-security')
    },
  )

  it('asks for strict transport where the public address is https', async () => {
    await using server = await startTestServer({ PUBLIC_URL: 'https://files.example.com' })
    expect((await server.app.inject('/healthz')).headers['strict-transport-security']).toBe('max-age=31536000')
  })

  it('carries them even when the request was not HTTP', async () => {
    await using server = await startTestServer()
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const port = Number(new URL(server.app.listeningOrigin).port)
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    expect(answer).toContain('400 Bad Request')
    expect(answer).toContain('x-content-type-options: nosniff')
    expect(answer).toContain('"code":"request.invalid"')
    const [, id = 'none'] = /^x-request-id: ([\w-]{22})\r$/m.exec(answer) ?? []
    expect(answer).toContain(`"requestId":"${id}"`)
    expect(server.logLines.join('')).toContain(`"requestId":"${id}"`)
  })

  it.each([
    ['/healthz', 200],
    ['/openapi.json', 200],
    ['/.well-known/neptune-key.json', 200],
    ['/v1/identity', 401],
    ['/v1/receipt/absent', 404],
    ['/v1/file?limit=0', 401],
    ['/v1/unknown', 404],
    ['/nowhere', 404],
    ['/%', 404],
  ])('has an id, %s too, and an error repeats it', async (url, status) => {
    await using server = await startTestServer()
    const [one, other] = [await server.app.inject(url), await server.app.inject(url)]
    expect(one.statusCode).toBe(status)
    expect(one.headers['x-request-id']).toMatch(/^[\w-]{22}$/)
    expect(other.headers['x-request-id']).not.toBe(one.headers['x-request-id'])
    if (status >= 400) expect(one.json().requestId).toBe(one.headers['x-request-id'])
  })

  it('takes no id from whoever asks', async () => {
    await using server = await startTestServer()
    const { headers } = await server.app.inject({
      url: '/healthz',
      headers: { 'x-request-id': 'forged', 'request-id': 'forged' },
    })
    expect(headers['x-request-id']).not.toBe('forged')
  })
})

describe('the log', () => {
  it('has a line also for a download whose client went away', async () => {
    await using server = await startTestServer()
    await server.addUser({ email: 'kim@acme.example' })
    const headers = await server.bearerOf('kim@acme.example')
    const origin = await server.listen()
    const ask = (method: string, path: string, body: string | FormData) =>
      fetch(origin + path, {
        method,
        headers: { ...headers, ...(typeof body === 'string' && { 'content-type': 'application/json' }) },
        body,
      }).then((reply) => reply.json() as Promise<{ data: { id: string } }>)
    const { data: me } = (await (await fetch(`${origin}/v1/identity`, { headers })).json()) as { data: { company: string } }
    const { data: directory } = await ask('POST', '/v1/directory', JSON.stringify({ directory: 'Plans', client: me.company }))
    const form = new FormData()
    form.set('file', new Blob([Buffer.alloc(30_000_000)]))
    const { data: file } = await ask('PUT', `/v1/file/${directory.id}/large.bin`, form)
    const leaving = new AbortController()
    const reply = await fetch(`${origin}/v1/file/${file.id}`, { headers, signal: leaving.signal })
    await reply.body?.getReader().read()
    leaving.abort()
    const lines = () => server.logLines.map((line) => JSON.parse(line)).filter(({ isCut }) => isCut)
    await expect.poll(lines).toMatchObject([{ method: 'GET', path: `/v1/file/${file.id}`, status: 200, msg: 'request' }])
  })

  it('has one line a request, without query, header or body', async () => {
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

  it('shows a link’s key as a fingerprint', () => {
    const key = '7YqfT0pSecret'
    expect(loggedPath('/access/:accessKey', { accessKey: key }, `/access/${key}?x=1`)).toMatch(/^\/access\/#[0-9a-f]{8}$/)
    expect(loggedPath('/v1/link/:key/info', { key }, `/v1/link/${key}/info`)).toMatch(/^\/v1\/link\/#[0-9a-f]{8}\/info$/)
    expect(loggedPath('/v1/receipt/:id', { id: key }, '')).toMatch(/^\/v1\/receipt\/#[0-9a-f]{8}$/)
    expect(loggedPath('/receipt/:id', { id: key }, '')).toMatch(/^\/receipt\/#[0-9a-f]{8}$/)
    expect(loggedPath('/directories/:directory', { directory: 'd1' }, '/directories/d1')).toBe('/directories/d1')
    expect(loggedPath('/v1/link/verify', {}, '/v1/link/verify?x=1')).toBe('/v1/link/verify')
    expect(loggedPath(undefined, {}, '/nowhere?x=1')).toBe('/nowhere')
    for (const url of [
      'http://evil/access/7YqfT0pSecretKey0123',
      '/%61ccess/7YqfT0pSecretKey0123',
      '/Access/7YqfT0pSecretKey0123',
    ]) {
      expect(loggedPath(undefined, {}, url)).not.toContain('Secret')
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
  const answerOf = (sent: ClientRequest) => new Promise<IncomingMessage>((resolve) => sent.on('response', resolve))
  /** Something the server does not wait for, for at least so long. */
  async function linger(origin: string, milliseconds: number) {
    for (const begun = performance.now(); performance.now() - begun < milliseconds; ) await fetch(`${origin}/healthz`)
  }

  it('is a line of its own in the log, with what one needs to find it and nothing secret', async () => {
    await using server = await startTestServer({ SLOW_REQUEST_MS: '1' })
    await server.addUser({ email: 'kim@acme.example' })
    const reply = await server.signIn('kim@acme.example') // comparing a password takes its time
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

  it.each(['0', '3600000'])('is not told of with SLOW_REQUEST_MS=%s', async (SLOW_REQUEST_MS) => {
    await using server = await startTestServer({ SLOW_REQUEST_MS })
    await server.addUser({ email: 'kim@acme.example' })
    await server.signIn('kim@acme.example')
    expect(linesOf(server.logLines, 'slow request')).toEqual([])
  })

  it('is not one whose body took long to arrive', async () => {
    await using office = await openOffice({ SLOW_REQUEST_MS: '1' })
    const origin = await office.listen()
    const { payload, headers } = formOf('x'.repeat(200_000))
    const sent = request(`${origin}/v1/file/${office.plans}/late.txt`, { method: 'PUT', headers: { ...headers, ...office.kim } })
    const answer = answerOf(sent)
    sent.write(payload.slice(0, 150_000))
    // From now on it waits for nothing but the rest.
    await expect.poll(() => readdirSync(join(office.folder, 'tmp')).length, { timeout: 30_000 }).toBeGreaterThan(0)
    await linger(origin, 300)
    sent.end(payload.slice(150_000))
    const { statusCode, headers: replied } = await answer.then((response) => response.resume())
    expect(statusCode).toBe(200)
    const find = (msg: string) => linesOf(office.logLines, msg).find(({ requestId }) => requestId === replied['x-request-id'])
    await expect.poll(() => find('request')?.ms, { timeout: 30_000 }).toBeGreaterThanOrEqual(300)
    expect(find('slow request')?.ms ?? 0).toBeLessThanOrEqual((find('request')?.ms ?? 0) - 299)
  })

  it('is not one whose answer is read slowly', async () => {
    await using office = await openOffice({ SLOW_REQUEST_MS: '1' })
    const origin = await office.listen()
    const large = (await office.put(office.plans, 'large.txt', office.kim, 'x'.repeat(30_000_000))).json().data.id
    const response = await answerOf(get(`${origin}/v1/file/${large}`, { headers: office.kim }))
    await linger(origin, 300)
    for await (const _ of response);
    const find = (msg: string) =>
      linesOf(office.logLines, msg).find(({ requestId }) => requestId === response.headers['x-request-id'])
    await expect.poll(() => find('request')?.ms, { timeout: 30_000 }).toBeGreaterThanOrEqual(300)
    expect(find('slow request')?.ms ?? 0).toBeLessThanOrEqual((find('request')?.ms ?? 0) - 299)
  })
})

describe('health', () => {
  it('is alive and ready while the database answers', async () => {
    await using server = await startTestServer()
    expect((await server.app.inject('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await server.app.inject('/readyz')).json()).toEqual({ status: 'ok' })
  })

  it('is alive but not ready when it does not', async () => {
    await using server = await startTestServer()
    await server.deps.db.destroy()
    expect((await server.app.inject('/healthz')).statusCode).toBe(200)
    const reply = await server.app.inject('/readyz')
    expect(reply.statusCode).toBe(503)
    expect(reply.headers['retry-after']).toBe('5')
  })
})
