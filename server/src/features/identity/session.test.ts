import { api, type Endpoint } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { bearer, startTestServer } from '../../testing.ts'

const email = 'kim@acme.example'
const hour = 3_600_000
const day = 24 * hour

async function signedIn(options: { remember?: boolean } = {}, environment?: Record<string, string>) {
  const server = await startTestServer(environment)
  const userId = await server.addUser({ email, role: 'NEPTUNE_ADMIN' })
  const reply = await server.signIn(email, undefined, options)
  const token: string = reply.json().token
  const status = async (bearerToken = token) =>
    (await server.app.inject({ url: '/v1/identity', headers: bearer(bearerToken) })).statusCode
  return { ...server, userId, token, setCookie: String(reply.headers['set-cookie']), cookie: cookieOf(reply), status }
}

const cookieOf = (reply: { headers: Record<string, unknown> }) => String(reply.headers['set-cookie']).split(';')[0] ?? ''

describe('a session', () => {
  it('tells who it belongs to', async () => {
    await using server = await signedIn()
    const reply = await server.app.inject({ url: '/v1/identity', headers: bearer(server.token) })
    expect(reply.json().data).toMatchObject({ id: server.userId, email, role: 'NEPTUNE_ADMIN' })
  })

  it('ends after twelve hours without a request', async () => {
    await using server = await signedIn()
    server.advance(12 * hour - 1)
    expect(await server.status()).toBe(200)
    server.advance(12 * hour)
    expect(await server.status()).toBe(401)
  })

  it('ends after thirty days without a request when it is remembered', async () => {
    await using server = await signedIn({ remember: true })
    server.advance(30 * day - 1)
    expect(await server.status()).toBe(200)
    server.advance(30 * day)
    expect(await server.status()).toBe(401)
  })

  it('ends at the lifetime that is set, however busy it is', async () => {
    await using server = await signedIn({}, { SESSION_MINUTES: '90' })
    server.advance(89 * 60_000)
    expect(await server.status()).toBe(200)
    server.advance(60_000)
    expect(await server.status()).toBe(401)
  })

  it('is written to at most once a minute', async () => {
    await using server = await signedIn()
    const seen = async () =>
      (await server.deps.db.selectFrom('session').select('last_seen_at').executeTakeFirstOrThrow()).last_seen_at
    const atStart = await seen()
    server.advance(59_000)
    await server.status()
    expect(await seen()).toBe(atStart)
    server.advance(2_000)
    await server.status()
    expect(await seen()).toBe('2026-12-01T09:01:01.000Z')
  })

  it('stays while it is used, however short the idle limit', async () => {
    await using server = await signedIn({}, { SESSION_IDLE_MINUTES: '1' })
    for (let i = 0; i < 10; i++) {
      server.advance(20_000)
      expect(await server.status()).toBe(200)
    }
    server.advance(61_000)
    expect(await server.status()).toBe(401)
  })

  it('is swept away some time after it ended', async () => {
    await using server = await signedIn()
    const { sweepSessions } = await import('./identity.service.ts')
    const count = async () => (await server.deps.db.selectFrom('session_token').selectAll().execute()).length
    await sweepSessions(server.deps)
    expect(await count()).toBe(1)
    server.advance(13 * hour)
    await sweepSessions(server.deps)
    expect(await count()).toBe(0)
  })

  it('P06: is over after sign-out, for its token and for its cookie', async () => {
    await using server = await signedIn()
    const reply = await server.app.inject({ method: 'DELETE', url: '/v1/identity', headers: bearer(server.token) })
    expect(reply.statusCode).toBe(204)
    expect(reply.headers['clear-site-data']).toBe('"storage"')
    expect(String(reply.headers['set-cookie'])).toMatch(/^_auth=;.*Max-Age=0$/)
    expect(await server.status()).toBe(401)
    expect((await server.restore(server.cookie)).statusCode).toBe(401)
  })

  it('P07: has a token of 256 random bits that is nowhere but in the answer', async () => {
    await using server = await signedIn()
    const tokens = new Set<string>()
    for (let i = 0; i < 8; i++) {
      const replies = await Promise.all(Array.from({ length: 5 }, () => server.signIn(email)))
      for (const reply of replies) tokens.add(reply.json().token)
    }
    expect(tokens.size).toBe(40)
    expect([...tokens].every((token) => /^nps_[\w-]{43}$/.test(token))).toBe(true)
    const stored = JSON.stringify([
      await server.deps.db.selectFrom('session').selectAll().execute(),
      await server.deps.db.selectFrom('session_token').selectAll().execute(),
    ])
    const secret = server.cookie.split('.').at(-1) ?? 'none'
    for (const place of [stored, server.logLines.join('')]) {
      expect([...tokens].some((token) => place.includes(token.slice(4)))).toBe(false)
      expect(place).not.toContain(secret)
    }
  })

  it.each([
    ['suspended', { suspended_at: '2026-12-01T09:00:00.000Z' }],
    ['given a new password, which raises the generation', { generation: 1 }],
  ])('P08: is over on the next request once its person is %s', async (_, change) => {
    await using server = await signedIn()
    expect(await server.status()).toBe(200)
    await server.deps.db.updateTable('user').set(change).execute()
    expect(await server.status()).toBe(401)
    expect((await server.restore(server.cookie)).statusCode).toBe(401)
  })

  it('P08: has the rights its person has now, not those they had', async () => {
    await using server = await signedIn()
    const { identify } = await import('./identity.service.ts')
    expect(await identify(server.deps, server.token, '192.0.2.1')).toMatchObject({ role: 'NEPTUNE_ADMIN' })
    await server.deps.db.updateTable('user').set({ role: 'NEPTUNE_USER' }).execute()
    expect(await identify(server.deps, server.token, '192.0.2.1')).toMatchObject({ role: 'NEPTUNE_USER' })
    const reply = await server.app.inject({ url: '/v1/identity', headers: bearer(server.token) })
    expect(reply.json().data.role).toBe('NEPTUNE_USER')
  })
})

describe('P02: credentials that are none', () => {
  const jwt = (header: object) =>
    `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${Buffer.from('{"sub":"admin"}').toString('base64url')}.c2ln`

  it.each([
    ['an empty bearer', 'Bearer '],
    ['a bearer alone', 'Bearer'],
    ['basic', `Basic ${Buffer.from(`${email}:x`).toString('base64')}`],
    ['ten kilobytes', `Bearer ${'A'.repeat(10_000)}`],
    ['a JWT without algorithm', `Bearer ${jwt({ alg: 'none' })}`],
    ['a JWT with a guessed key', `Bearer ${jwt({ alg: 'HS256' })}`],
    ['an SQL fragment', "Bearer ' or '1'='1"],
  ])('%s is refused', async (_, authorization) => {
    await using server = await signedIn()
    const reply = await server.app.inject({ url: '/v1/identity', headers: { authorization } })
    expect(reply.statusCode).toBe(401)
  })

  it('one changed character is refused', async () => {
    await using server = await signedIn()
    expect(await server.status(server.token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).toBe(401)
  })

  it('two headers are refused, even with the right token in both', async () => {
    await using server = await signedIn()
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const { request } = await import('node:http')
    const status = await new Promise((resolve) => {
      const header = `Bearer ${server.token}`
      request(
        `${server.app.listeningOrigin}/v1/identity`,
        { headers: ['host', 'localhost', 'authorization', header, 'authorization', header] },
        (reply) => {
          reply.resume()
          resolve(reply.statusCode)
        },
      ).end()
    })
    expect(status).toBe(401)
  })
})

describe('the _auth cookie', () => {
  it('is out of reach of scripts and other sites, and forgotten with the browser', async () => {
    await using server = await signedIn()
    expect(server.setCookie).toMatch(/^_auth=npr_[\w.-]+; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(server.setCookie).not.toContain(server.token)
  })

  it('stays thirty days with Remember me, and travels by https alone where there is https', async () => {
    await using server = await signedIn({ remember: true }, { PUBLIC_URL: 'https://files.example.com' })
    expect(server.setCookie).toMatch(/; HttpOnly; SameSite=Strict; Secure; Max-Age=2592000$/)
  })

  it('gives a new tab a token of its own', async () => {
    await using server = await signedIn()
    const reply = await server.restore(server.cookie)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ type: 'Bearer', info: { email } })
    expect(reply.json().token).not.toBe(server.token)
    expect(await server.status(reply.json().token)).toBe(200)
    expect(await server.status()).toBe(200)
  })

  it('ends with its session in every tab', async () => {
    await using server = await signedIn()
    const second: string = (await server.restore(server.cookie)).json().token
    await server.app.inject({ method: 'DELETE', url: '/v1/identity', headers: bearer(second) })
    expect(await server.status()).toBe(401)
  })

  it('changes its secret as it is used, and keeps Remember me', async () => {
    await using server = await signedIn({ remember: true })
    server.advance(hour)
    const reply = await server.restore(server.cookie)
    expect(cookieOf(reply)).not.toBe(server.cookie)
    expect(String(reply.headers['set-cookie'])).toContain('Max-Age=2592000')
    server.advance(hour)
    expect((await server.restore(cookieOf(reply))).statusCode).toBe(200)
  })

  it('serves many tabs that open at once, and one whose answer got lost', async () => {
    await using server = await signedIn()
    server.advance(hour)
    const replies = await Promise.all(Array.from({ length: 5 }, () => server.restore(server.cookie)))
    expect(replies.map((reply) => reply.statusCode)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(replies.map(cookieOf)).size).toBe(1)
    server.advance(50_000)
    const again = await server.restore(server.cookie)
    expect(cookieOf(again)).toBe(cookieOf(replies[0] ?? again))
  })

  it('is turned away, not broken, when the session ends in the same moment', async () => {
    await using server = await signedIn()
    const replies = await Promise.all([
      server.restore(server.cookie),
      server.app.inject({ method: 'DELETE', url: '/v1/identity', headers: bearer(server.token) }),
      server.restore(server.cookie),
      server.restore(server.cookie),
    ])
    for (const reply of replies) expect([200, 204, 401]).toContain(reply.statusCode)
  })

  it('ends the session when a spent secret comes back', async () => {
    await using server = await signedIn()
    server.advance(hour)
    const fresh = await server.restore(server.cookie)
    server.advance(61_000)
    expect((await server.restore(server.cookie)).statusCode).toBe(401)
    expect(await server.status(fresh.json().token)).toBe(401)
    expect((await server.restore(cookieOf(fresh))).statusCode).toBe(401)
    expect(server.logLines.join('')).toContain('a spent restore secret came back')
  })

  it.each([
    ['another site', { 'x-neptune': '1', 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain', { 'x-neptune': '1', 'sec-fetch-site': 'same-site' }],
    ['a form, which cannot send our header', { 'sec-fetch-site': 'same-origin' }],
  ])('is not believed from %s', async (_, headers) => {
    await using server = await signedIn()
    expect((await server.restore(server.cookie, headers)).statusCode).toBe(401)
  })

  it('cannot be made up', async () => {
    await using server = await signedIn()
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

  const harmless = ['GET', 'HEAD', 'OPTIONS']
  const changing = Object.values(api).flatMap((group) =>
    Object.values<Endpoint>(group).filter((e) => !harmless.includes(e.method)),
  )
  it.each(changing.map((e) => [`${e.method} ${e.path}`, e] as const))('P09: alone it changes nothing at %s', async (_, e) => {
    await using server = await signedIn()
    const bodies = [
      ['application/json', '{}'],
      ['text/plain', '{"email":"kim@acme.example"}'],
      ['application/x-www-form-urlencoded', 'email=kim%40acme.example'],
    ]
    for (const [type, payload] of bodies) {
      const reply = await server.call(e, { headers: { cookie: server.cookie, 'content-type': type }, payload: payload ?? '' })
      expect([400, 401, 415]).toContain(reply.statusCode)
    }
    expect(await server.status()).toBe(200)
  })
})

describe('P10: other origins', () => {
  const preflight = {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-neptune',
  }

  it('are told nothing', async () => {
    await using server = await signedIn()
    for (const reply of [
      await server.app.inject({ url: '/v1/identity', headers: { ...bearer(server.token), origin: 'https://evil.example' } }),
      await server.app.inject({ method: 'OPTIONS', url: '/v1/identity/session', headers: preflight }),
      await server.restore(server.cookie, { 'x-neptune': '1', 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
    ]) {
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })

  it('may call when they are named in CORS_ORIGINS, and only those', async () => {
    await using server = await signedIn({}, { CORS_ORIGINS: 'https://app.example.com' })
    const named = await server.app.inject({
      method: 'OPTIONS',
      url: '/v1/identity/session',
      headers: { ...preflight, origin: 'https://app.example.com' },
    })
    expect(named.statusCode).toBe(204)
    expect(named.headers['access-control-allow-origin']).toBe('https://app.example.com')
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
