import { api, type Endpoint } from '@neptune/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { toBearerHeader } from '../../testing.ts'
import { cookieOf, email, startSignedIn } from '../identity/testing.ts'

const hour = 3_600_000

describe('the _auth cookie', () => {
  it('is hidden from scripts and other sites, and deleted when the browser closes', async () => {
    await using server = await startSignedIn()
    expect(server.setCookie).toMatch(/^_auth=npr_[\w.-]+; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(server.setCookie).not.toContain(server.token)
  })

  it('lasts thirty days with Remember me, and is Secure over HTTPS', async () => {
    await using server = await startSignedIn({ remember: true }, { PUBLIC_URL: 'https://files.example.com' })
    expect(server.setCookie).toMatch(/; HttpOnly; SameSite=Strict; Secure; Max-Age=2592000$/)
  })

  it('gives a new tab a token of its own', async () => {
    await using server = await startSignedIn()
    const reply = await server.restore(server.cookie)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ type: 'Bearer', info: { email } })
    expect(reply.json().token).not.toBe(server.token)
    expect(await server.getStatus(reply.json().token)).toBe(200)
    expect(await server.getStatus()).toBe(200)
  })

  it('gives tokens that stop working in every tab when one of them signs out', async () => {
    await using server = await startSignedIn()
    const second: string = (await server.restore(server.cookie)).json().token
    await server.app.inject({ method: 'DELETE', url: '/v1/identity', headers: toBearerHeader(second) })
    expect(await server.getStatus()).toBe(401)
  })

  it('rotates its secret when it is used, and keeps Remember me', async () => {
    await using server = await startSignedIn({ remember: true })
    server.advance(hour)
    const reply = await server.restore(server.cookie)
    expect(cookieOf(reply)).not.toBe(server.cookie)
    expect(String(reply.headers['set-cookie'])).toContain('Max-Age=2592000')
    server.advance(hour)
    expect((await server.restore(cookieOf(reply))).statusCode).toBe(200)
  })

  it('works for many tabs that open at once, and again after a lost response', async () => {
    await using server = await startSignedIn()
    server.advance(hour)
    const replies = await Promise.all(Array.from({ length: 5 }, () => server.restore(server.cookie)))
    expect(replies.map((reply) => reply.statusCode)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(replies.map(cookieOf)).size).toBe(1)
    server.advance(50_000)
    const again = await server.restore(server.cookie)
    expect(cookieOf(again)).toBe(cookieOf(replies[0] ?? again))
  })

  it('never causes a server error when the session ends at the same time', async () => {
    await using server = await startSignedIn()
    const replies = await Promise.all([
      server.restore(server.cookie),
      server.app.inject({ method: 'DELETE', url: '/v1/identity', headers: toBearerHeader(server.token) }),
      server.restore(server.cookie),
      server.restore(server.cookie),
    ])
    for (const reply of replies) expect([200, 204, 401]).toContain(reply.statusCode)
  })

  it('ends the session when an old secret is used again', async () => {
    await using server = await startSignedIn()
    server.advance(hour)
    const fresh = await server.restore(server.cookie)
    server.advance(61_000)
    expect((await server.restore(server.cookie)).statusCode).toBe(401)
    expect(await server.getStatus(fresh.json().token)).toBe(401)
    expect((await server.restore(cookieOf(fresh))).statusCode).toBe(401)
    expect(server.logLines.join('')).toContain('an old restore secret was used again')
  })

  it.each([
    ['another site', { 'x-neptune': '1', 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain', { 'x-neptune': '1', 'sec-fetch-site': 'same-site' }],
    ['a form, which cannot send our header', { 'sec-fetch-site': 'same-origin' }],
  ])('is rejected from %s', async (_, headers) => {
    await using server = await startSignedIn()
    expect((await server.restore(server.cookie, headers)).statusCode).toBe(401)
  })

  it('is not required: without it, the reply is empty rather than an error', async () => {
    await using server = await startSignedIn()
    for (const cookie of ['', 'theme=dark']) {
      const reply = await server.restore(cookie)
      expect([reply.statusCode, reply.body, reply.headers['set-cookie']]).toEqual([200, '{}', undefined])
    }
    expect((await server.restore('', {})).statusCode).toBe(401)
  })

  it('cannot be forged', async () => {
    await using server = await startSignedIn()
    const [start = '', number = '', signature = ''] = server.cookie.split('.')
    for (const cookie of [
      `${start}.${Number(number) + 1}.${signature}`,
      `${start}.${number}.${'A'.repeat(43)}`,
      '_auth=',
      '_auth=npr_x.0.y',
      `${server.cookie}; ${server.cookie}`,
    ]) {
      expect((await server.restore(cookie)).statusCode, cookie).toBe(401)
    }
    expect((await server.restore(server.cookie)).statusCode).toBe(200)
  })

  const safeMethods = ['GET', 'HEAD', 'OPTIONS']
  /** Shared by tests that change nothing. */
  let shared: ReturnType<typeof startSignedIn> | undefined
  afterAll(async () => (await shared)?.[Symbol.asyncDispose]())
  /** Returns whether an endpoint stores nothing. Anyone can get a challenge for a passkey. */
  const storesNothing = (e: Endpoint) => e.path === api.passkey.signInOptions.path
  const changing = Object.values(api).flatMap((group) =>
    Object.values<Endpoint>(group).filter((e) => !safeMethods.includes(e.method) && !storesNothing(e)),
  )
  it.each(changing.map((e) => [`${e.method} ${e.path}`, e] as const))(
    'P09: is not enough to change anything at %s',
    async (_, e) => {
      shared ??= startSignedIn()
      const server = await shared
      const bodies = [
        ['application/json', '{}'],
        ['text/plain', '{"email":"kim@acme.example"}'],
        ['application/x-www-form-urlencoded', 'email=kim%40acme.example'],
      ]
      for (const [type, payload] of bodies) {
        const reply = await server.call(e, { headers: { cookie: server.cookie, 'content-type': type }, payload: payload ?? '' })
        expect([400, 401, 415]).toContain(reply.statusCode)
      }
      expect(await server.getStatus()).toBe(200)
    },
  )
})

describe('P10: other origins', () => {
  const preflight = {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-neptune',
  }

  it('get no CORS headers', async () => {
    await using server = await startSignedIn()
    for (const reply of [
      await server.app.inject({
        url: '/v1/identity',
        headers: { ...toBearerHeader(server.token), origin: 'https://evil.example' },
      }),
      await server.app.inject({ method: 'OPTIONS', url: '/v1/identity/session', headers: preflight }),
      await server.restore(server.cookie, { 'x-neptune': '1', 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
    ]) {
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })

  it('may call the API only if they are listed in CORS_ORIGINS', async () => {
    await using server = await startSignedIn({}, { CORS_ORIGINS: 'https://app.example.com' })
    const allowed = await server.app.inject({
      method: 'OPTIONS',
      url: '/v1/identity/session',
      headers: { ...preflight, origin: 'https://app.example.com' },
    })
    expect(allowed.statusCode).toBe(204)
    expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example.com')
    const restored = await server.restore(server.cookie, {
      'x-neptune': '1',
      'sec-fetch-site': 'same-site',
      origin: 'https://app.example.com',
    })
    expect(restored.statusCode).toBe(200)
    const other = await server.app.inject({ method: 'OPTIONS', url: '/v1/identity/session', headers: preflight })
    expect(other.headers['access-control-allow-origin']).toBeUndefined()
  })
})
