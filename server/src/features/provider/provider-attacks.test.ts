import { describe, expect, it } from 'vitest'
import { createAcmeRules, openBrowser, publicUrl, readClaims, startWithProvider } from './testing.ts'
import { createForeignKey, kim, signToken, startProvider } from './testing-provider.ts'

type Claims = Record<string, unknown>

describe('P59: a tampered ID token', () => {
  const withoutSignature = (claims: Claims) => {
    const parts = [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    return `${parts.join('.')}.`
  }
  it.each<[string, (claims: Claims) => string]>([
    ['has no signature', withoutSignature],
    ['is signed with the client secret', (claims) => signToken(claims, { header: { alg: 'HS256' } })],
    ['is signed by someone else', (claims) => signToken(claims, { key: createForeignKey() })],
    [
      'was changed after it was signed',
      (claims) =>
        signToken(claims).replace(
          /\.[\w-]+\./,
          `.${Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url')}.`,
        ),
    ],
    ['is from another issuer', (claims) => signToken({ ...claims, iss: 'https://evil.example' })],
    ['is for another client', (claims) => signToken({ ...claims, aud: 'another' })],
    ['is for several clients', (claims) => signToken({ ...claims, aud: ['neptune', 'another'] })],
    ['was issued to another client', (claims) => signToken({ ...claims, azp: 'another' })],
    ['has another nonce', (claims) => signToken({ ...claims, nonce: 'another' })],
    ['has no nonce', ({ nonce: _, ...claims }) => signToken(claims)],
    ['has expired more than a minute ago', (claims) => signToken({ ...claims, exp: Math.floor(Date.now() / 1000) - 65 })],
    ['has no subject', ({ sub: _, ...claims }) => signToken(claims)],
  ])('is rejected if it %s', async (_, tamper) => {
    await using server = await startWithProvider(createAcmeRules)
    server.provider.tamper = (reply) => ({ ...reply, id_token: tamper(readClaims(reply.id_token)) })
    const browser = server.browser()
    expect(await browser.signIn(server.id)).toBe('/login?sso=rejected')
    expect(browser.cookies.has('_auth')).toBe(false)
    expect(await server.listAudit('user.created')).toHaveLength(0)
  })

  it('is accepted if it has expired less than a minute ago', async () => {
    await using server = await startWithProvider(createAcmeRules)
    server.provider.tamper = (reply) => ({
      ...reply,
      id_token: signToken({ ...readClaims(reply.id_token), exp: Math.floor(Date.now() / 1000) - 40 }),
    })
    expect(await server.browser().signIn(server.id)).toBe('/')
  })
})

describe('P59: the callback', () => {
  it('works once: neither the state nor the code can be replayed', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const browser = server.browser()
    const callback = await browser.visitProvider(server.id)
    const cookie = `_sso_flow=${browser.cookies.get('_sso_flow')}`
    expect((await browser.send('GET', callback)).headers['location']).toBe('/')
    expect((await browser.send('GET', callback)).headers['location']).toBe('/login?sso=expired')
    expect((await browser.send('GET', callback, { cookie })).headers['location']).toBe('/login?sso=expired')
    // The code of one sign-in, in another one.
    const fresh = server.browser()
    const next = new URL(await fresh.visitProvider(server.id), 'https://files.acme.example')
    next.searchParams.set('code', new URLSearchParams(callback.split('?')[1]).get('code') ?? '')
    expect((await fresh.send('GET', `${next.pathname}${next.search}`)).headers['location']).toBe('/login?sso=expired')
  })

  it('signs in once for three concurrent requests', async () => {
    await using server = await startWithProvider(createAcmeRules, { isFullIdToken: true })
    const browser = server.browser()
    const callback = await browser.visitProvider(server.id)
    const headers = { cookie: `_sso_flow=${browser.cookies.get('_sso_flow')}` }
    const replies = await Promise.all([1, 2, 3].map(() => server.app.inject({ url: callback, headers })))
    expect(replies.filter((reply) => reply.headers['location'] === '/')).toHaveLength(1)
  })

  it('is refused in another browser, with another state, without a state, and after ten minutes', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const browser = server.browser()
    const callback = await browser.visitProvider(server.id)
    const open = async (url: string, cookie = `_sso_flow=${browser.cookies.get('_sso_flow')}`) =>
      (await server.app.inject({ url, headers: { cookie } })).headers['location']
    expect(await open(callback, '')).toBe('/login?sso=expired')
    expect(await open(callback.replace(/state=[^&]+/, 'state=x'))).toBe('/login?sso=expired')
    expect(await open(callback.replace(/state=[^&]+/, ''))).toBe('/login?sso=expired')
    expect(await open(callback, '_sso_flow=forged')).toBe('/login?sso=expired')
    server.advance(10 * 60_000)
    expect(await open(callback)).toBe('/login?sso=expired')
  })

  it('stores nothing for anonymous calls, and limits them per client', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const browser = server.browser()
    const locations: unknown[] = []
    for (let i = 0; i < 61; i++) {
      const start = await browser.send('GET', `/v1/identity/provider/${server.id}/start`)
      const state = new URL(String(start.headers['location'])).searchParams.get('state')
      const path = `/v1/identity/provider/callback?code=x&state=${state}&iss=${encodeURIComponent(server.provider.issuer)}`
      locations.push((await browser.send('GET', path)).headers['location'])
    }
    expect(new Set(locations.slice(0, 60))).toEqual(new Set(['/login?sso=expired']))
    expect(locations.at(-1)).toBe('/login?sso=too-many')
    expect(await server.deps.db.selectFrom('challenge').selectAll().execute()).toEqual([])
  })

  it('fails when providers are mixed up', async () => {
    await using server = await startWithProvider(createAcmeRules)
    await using evil = await startDisposableProvider()
    const other = await server.addProvider({ name: 'Other', issuer: evil.issuer })
    const browser = server.browser()
    const callback = await browser.visitProvider(server.id)
    // The browser began with the other provider, and comes back from the first one.
    const mixed = server.browser()
    const started = new URL(String((await mixed.send('GET', `/v1/identity/provider/${other.id}/start`)).headers['location']))
    const state = started.searchParams.get('state') ?? ''
    const cookie = `_sso_flow=${mixed.cookies.get('_sso_flow')}`
    const before = evil.requests.length
    const query = callback.replace(/state=[^&]+/, `state=${state}`)
    for (const url of [query, query.replace(/iss=[^&]+/, '')])
      expect((await mixed.send('GET', url, { cookie })).headers['location']).toBe('/login?sso=rejected')
    expect(evil.requests.slice(before)).toEqual([])
  })

  it.each([
    ['//evil.example', '/'],
    ['https://evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['/%5Cevil.example', '/%5Cevil.example'],
    ['javascript:alert(1)', '/'],
    ['/v1/identity/provider/x/start', '/'],
    ['/links?x=1', '/links?x=1'],
    ['/links\r\nSet-Cookie: x=1', '/linksSet-Cookie:%20x=1'],
  ])('P59: redirects only to a path of this portal: %j', async (to, location) => {
    await using server = await startWithProvider(createAcmeRules)
    expect(await server.browser().signIn(server.id, `to=${encodeURIComponent(to)}`)).toBe(location)
  })

  it('shows nothing that the provider sends', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const browser = server.browser()
    const start = await browser.send('GET', `/v1/identity/provider/${server.id}/start`)
    const state = new URL(String(start.headers['location'])).searchParams.get('state')
    const iss = encodeURIComponent(server.provider.issuer)
    const reply = await browser.send(
      'GET',
      `/v1/identity/provider/callback?error=evil%3Cb%3E&error_description=evil&state=${state}&iss=${iss}`,
    )
    expect([reply.statusCode, reply.headers['location'], reply.body]).toEqual([302, '/login?sso=misconfigured', ''])
  })
})

async function startDisposableProvider() {
  const provider = await startProvider({ publicUrl })
  return Object.assign(provider, { [Symbol.asyncDispose]: provider.stop })
}

describe('a provider', () => {
  it('can replace its keys while people sign in', async () => {
    await using server = await startWithProvider(createAcmeRules)
    expect(await server.browser().signIn(server.id)).toBe('/')
    server.provider.rotateKey()
    expect(await server.browser().signIn(server.id)).toBe('/')
    const count = () => server.provider.requests.filter((request) => request === 'GET /jwks').length
    const before = count()
    expect(await server.browser().signIn(server.id)).toBe('/')
    expect(count()).toBe(before)
  })

  it('doesn’t affect the login page while it is down', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const browser = server.browser()
    const callback = await browser.visitProvider(server.id)
    server.provider.intercept = (request) => request.socket.destroy() !== undefined
    expect((await browser.send('GET', callback)).headers['location']).toBe('/login?sso=unreachable')
    await server.call('POST', '/v1/admin/provider', {
      name: 'Down',
      issuer: 'http://127.0.0.1:1',
      client_id: 'x',
      rules: createAcmeRules(server.companyId),
    })
    const { data } = (await server.call('GET', '/v1/identity/provider', undefined, {})).json()
    expect(data).toEqual({
      providers: [
        { id: server.id, name: 'Acme login' },
        { id: expect.any(String), name: 'Down' },
      ],
      password: true,
    })
    expect(await server.browser().signIn(data.providers[1].id)).toBe('/login?sso=unreachable')
    expect((await server.signIn('admin@acme.example')).statusCode).toBe(200)
  })

  it.each<[string, string, { status: number; location?: string; body?: string }]>([
    ['redirects', '/login?sso=misconfigured', { status: 302, location: 'http://127.0.0.1:1/' }],
    ['fails', '/login?sso=unreachable', { status: 503 }],
    ['sends a reply that is too large', '/login?sso=misconfigured', { status: 200, body: 'x'.repeat(2 ** 20) }],
    ['sends HTML', '/login?sso=misconfigured', { status: 200, body: '<html>' }],
  ])('can’t be used if its metadata endpoint %s', async (_, location, { status, body = '', ...headers }) => {
    await using server = await startWithProvider(createAcmeRules)
    server.provider.intercept = (_request, reply) => {
      reply.writeHead(status, headers).end(body)
      return true
    }
    expect(await server.browser().signIn(server.id)).toBe(location)
  })

  it('that hangs gets one request for several concurrent sign-ins, all of which fail', async () => {
    await using server = await startWithProvider(createAcmeRules)
    server.provider.intercept = () => true // never replies
    const startedAt = performance.now()
    const locations = await Promise.all([1, 2, 3, 4].map(() => openBrowser(server.app).signIn(server.id)))
    expect(new Set(locations)).toEqual(new Set(['/login?sso=unreachable']))
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect(server.provider.requests).toHaveLength(1)
  })

  it('is reported as misconfigured if it rejects the client secret, and as unknown if it doesn’t exist', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const { id } = await server.addProvider({ name: 'Wrong', client_secret: 'wrong' })
    expect(await server.browser().signIn(id)).toBe('/login?sso=misconfigured')
    server.provider.person = kim
    expect(await server.browser().signIn('absent')).toBe('/login?sso=unknown')
  })
})
