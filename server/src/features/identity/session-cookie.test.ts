import { api, type Endpoint } from '@neptune/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { bearer } from '../../testing.ts'
import { cookieOf, email, signedIn } from './testing.ts'

const hour = 3_600_000

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
    expect(server.logLines.join('')).toContain('an old restore secret was used again')
  })

  it.each([
    ['another site', { 'x-neptune': '1', 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain', { 'x-neptune': '1', 'sec-fetch-site': 'same-site' }],
    ['a form, which cannot send our header', { 'sec-fetch-site': 'same-origin' }],
  ])('is not believed from %s', async (_, headers) => {
    await using server = await signedIn()
    expect((await server.restore(server.cookie, headers)).statusCode).toBe(401)
  })

  it('is not missed by a browser in which nobody is signed in: asking is no fault', async () => {
    await using server = await signedIn()
    for (const cookie of ['', 'theme=dark']) {
      const reply = await server.restore(cookie)
      expect([reply.statusCode, reply.body, reply.headers['set-cookie']]).toEqual([200, '{}', undefined])
    }
    expect((await server.restore('', {})).statusCode).toBe(401)
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
  /** For calls that change nothing. */
  let shared: ReturnType<typeof signedIn> | undefined
  afterAll(async () => (await shared)?.[Symbol.asyncDispose]())
  const changing = Object.values(api).flatMap((group) =>
    Object.values<Endpoint>(group).filter((e) => !harmless.includes(e.method)),
  )
  it.each(changing.map((e) => [`${e.method} ${e.path}`, e] as const))('P09: alone it changes nothing at %s', async (_, e) => {
    shared ??= signedIn()
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
