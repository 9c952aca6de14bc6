import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '../testing.ts'

const login = (payload: string | Buffer, type = 'application/json') =>
  ({ method: 'POST', url: '/v1/identity/login', headers: { 'content-type': type }, payload }) as const

describe('P39: bodies', () => {
  it.each([
    ['a prototype', '{"__proto__":{"x":1},"email":"a@b.example","password":"x"}', 400],
    ['a constructor', '{"constructor":{"prototype":{"x":1}},"email":"a@b.example","password":"x"}', 400],
    ['a key given twice', '{"email":"a@b.example","email":"c@d.example","password":"x"}', 400],
    ['deep nesting', `{"email":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    ['a byte-order mark', '\ufeff{"email":"a@b.example","password":"x"}', 400],
    ['something other than JSON', 'email=a', 400],
    ['a bare value', 'null', 400],
    ['a list', '[]', 400],
    ['no content', '', 400],
    ['more than 256 KiB', `{"email":"${'a'.repeat(300_000)}"}`, 413],
  ])('with %s are rejected', async (_, payload, status) => {
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
  ])('sent as %s are rejected', async (type) => {
    await using server = await startTestServer()
    const reply = await server.app.inject(login('{"email":"a@b.example","password":"x"}', type))
    expect(reply.statusCode).toBe(415)
    expect(reply.json().code).toBe('request.wrong_type')
  })

  it('that cause a server error expose no path, stack or SQL', async () => {
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

describe('P43: an unknown path or method', () => {
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
  ])('%s is a 404 problem document, even for a browser', async (url) => {
    await using server = await startTestServer()
    for (const headers of [{}, { accept: 'text/html,*/*' }]) {
      const reply = await server.app.inject({ url, headers })
      expect(reply.statusCode).toBe(404)
      expect(reply.headers['content-type']).toBe('application/problem+json')
    }
  })

  it.each(['/package.json', '/server/src/main.ts', '/etc/passwd'])(
    '%s is a 404 without the content of that file',
    async (url) => {
      await using server = await startTestServer()
      const reply = await server.app.inject({ url, headers: { accept: 'text/html' } })
      expect(reply.statusCode).toBe(404)
      expect(reply.body).not.toMatch(/dependencies|import |root:/)
    },
  )

  it.each(['TRACE', 'PROPFIND', 'PATCH', 'OPTIONS'] as const)('%s is 404 or 405, even for a known path', async (method) => {
    await using server = await startTestServer()
    for (const url of ['/', '/v1/identity/login', '/v1/identity']) {
      expect([404, 405]).toContain((await server.app.inject({ method: method as 'PATCH', url })).statusCode)
    }
  })
})

describe('every reply', () => {
  const always = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  }

  it.each(['/healthz', '/readyz', '/openapi.json', '/v1/identity', '/v1/unknown', '/nowhere', '/%'])(
    'has the security headers and none that name the software: %s',
    async (url) => {
      await using server = await startTestServer()
      const { headers } = await server.app.inject(url)
      expect(headers).toMatchObject({ ...always, 'cache-control': 'no-store' })
      expect(headers).not.toHaveProperty('server')
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('strict-transport-security')
    },
  )

  it('has HSTS when PUBLIC_URL is https', async () => {
    await using server = await startTestServer({ PUBLIC_URL: 'https://files.example.com' })
    expect((await server.app.inject('/healthz')).headers['strict-transport-security']).toBe('max-age=31536000')
  })

  it('has the security headers even when the request is not valid HTTP', async () => {
    await using server = await startTestServer()
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const port = Number(new URL(server.app.listeningOrigin).port)
    const response = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    expect(response).toContain('400 Bad Request')
    expect(response).toContain('x-content-type-options: nosniff')
    expect(response).toContain('"code":"request.invalid"')
    const [, id = 'none'] = /^x-request-id: ([\w-]{22})\r$/m.exec(response) ?? []
    expect(response).toContain(`"requestId":"${id}"`)
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
  ])('has a request id, which errors repeat in the body: %s', async (url, status) => {
    await using server = await startTestServer()
    const [one, other] = [await server.app.inject(url), await server.app.inject(url)]
    expect(one.statusCode).toBe(status)
    expect(one.headers['x-request-id']).toMatch(/^[\w-]{22}$/)
    expect(other.headers['x-request-id']).not.toBe(one.headers['x-request-id'])
    if (status >= 400) expect(one.json().requestId).toBe(one.headers['x-request-id'])
  })

  it('ignores request ids from the client', async () => {
    await using server = await startTestServer()
    const { headers } = await server.app.inject({
      url: '/healthz',
      headers: { 'x-request-id': 'forged', 'request-id': 'forged' },
    })
    expect(headers['x-request-id']).not.toBe('forged')
  })
})

describe('the server', () => {
  it('is alive and ready while the database responds', async () => {
    await using server = await startTestServer()
    expect((await server.app.inject('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await server.app.inject('/readyz')).json()).toEqual({ status: 'ok' })
  })

  it('is alive but not ready when the database does not respond', async () => {
    await using server = await startTestServer()
    await server.deps.db.destroy()
    expect((await server.app.inject('/healthz')).statusCode).toBe(200)
    const reply = await server.app.inject('/readyz')
    expect(reply.statusCode).toBe(503)
    expect(reply.headers['retry-after']).toBe('5')
  })
})
