import { describe, expect, it } from 'vitest'
import { createAcmeRules, readClaims, startWithProvider } from './testing.ts'
import { kim, signToken } from './testing-provider.ts'

/** Starts a server whose provider sends an ID token with these claims. */
async function startWithClaims(more: object) {
  const server = await startWithProvider(createAcmeRules, { isFullIdToken: true })
  server.provider.tamper = (reply) => ({ ...reply, id_token: signToken({ ...readClaims(reply.id_token), ...more }) })
  return server
}

describe('P59: an ID token of a hostile provider', () => {
  it.each([
    ['is empty', ''],
    ['has a NUL', 'kim\u0000'],
    ['has a line break', 'kim\n'],
    ['has a lone surrogate', 'kim\ud800'],
    ['has 100 KB', 'k'.repeat(100_000)],
  ])('is rejected if its subject %s', async (_, sub) => {
    await using server = await startWithClaims({ sub })
    expect(await server.browser().signIn(server.id)).toBe('/login?sso=rejected')
    expect(await server.deps.db.selectFrom('provider_account').selectAll().execute()).toEqual([])
  })

  it.each<[string, object, string]>([
    ['an email address that is an object', { email: { toString: 'kim@acme.example' } }, '/login?sso=unverified'],
    ['a list of email addresses', { email: ['kim@acme.example'] }, '/login?sso=unverified'],
    ['two email addresses in one', { email: 'kim@acme.example,eve@evil.example' }, '/login?sso=unverified'],
    ['a look-alike in the address', { email: '\u212aim@acme.example' }, '/login?sso=unverified'],
    ['a domain that only ends like ours', { email: 'kim@evil-acme.example' }, '/login?sso=no-access'],
    ['a subdomain of ours', { email: 'kim@evil.acme.example' }, '/login?sso=no-access'],
    ['an email_verified that is a word', { email_verified: 'yes' }, '/login?sso=unverified'],
    ['an email_verified that is a number', { email_verified: 1 }, '/login?sso=unverified'],
    ['a name of 300 KB, and other types', { name: 'n'.repeat(300_000), sid: 5, amr: {}, groups: [[['admins']]] }, '/'],
    ['an auth_time that is out of range', { auth_time: -1e300 }, '/login?sso=rejected'],
  ])('signs the person in only if its email address and time are acceptable: %s', async (_, claims, location) => {
    await using server = await startWithClaims(claims)
    const browser = server.browser()
    expect(await browser.signIn(server.id)).toBe(location)
    expect(browser.cookies.has('_auth')).toBe(location === '/')
  })

  it('finds the user of an email address in capital letters, and asks for consent', async () => {
    await using server = await startWithClaims({ email: 'ADMIN@Acme.Example' })
    expect(await server.browser().signIn(server.id)).toBe('/login?sso=link')
  })

  it('gives no rights for a claim with the name of an object’s method', async () => {
    await using server = await startWithProvider()
    for (const name of ['constructor', '__proto__', 'toString']) {
      const gives = { company: server.companyId, role: 'NEPTUNE_ADMIN' as const, access: 'own' as const }
      const claim = { name, values: [{ value: '[object Object]', gives }] }
      const { id } = await server.addProvider({ rules: { ...createAcmeRules(server.companyId), create: null, claim } })
      expect(await server.browser().signIn(id)).toBe('/login?sso=no-access')
    }
  })
})

describe('a hostile provider', () => {
  const describeProvider = (issuer: string) => ({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  })

  it.each([
    ['scopes', { scopes_supported: 5 }],
    ['response types', { response_types_supported: { code: true } }],
    ['PKCE methods', { code_challenge_methods_supported: 'S256' }],
    ['authentication methods', { token_endpoint_auth_methods_supported: 1 }],
    ['claims', { claims_supported: 'email' }],
    ['algorithms', { id_token_signing_alg_values_supported: true }],
  ])('is reported to admins if its metadata has %s of the wrong type', async (_, more) => {
    await using server = await startWithProvider(createAcmeRules)
    server.provider.intercept = (request, reply) => {
      if (!request.url?.includes('.well-known')) return false
      reply.writeHead(200).end(JSON.stringify({ ...describeProvider(server.provider.issuer), ...more }))
      return true
    }
    const body = { issuer: server.provider.issuer, client_id: 'neptune' }
    const reply = await server.call('POST', '/v1/admin/provider/test', body)
    expect(reply.json()).toMatchObject({ data: { findings: [{ code: 'not_discovery' }], supports: null } })
    expect(await server.browser().signIn(server.id)).toBe('/login?sso=misconfigured')
  })

  it('can’t complete a sign-in if it has ten thousand keys', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const browser = server.browser()
    const callback = await browser.visitProvider(server.id)
    const keys = Array.from({ length: 10_000 }, (_, i) => ({ kty: 'RSA', n: 'AQ', e: 'AQAB', kid: `${i}` }))
    server.provider.intercept = (request, reply) => {
      if (!request.url?.startsWith('/jwks')) return false
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }))
      return true
    }
    expect((await browser.send('GET', callback)).headers['location']).toBe('/login?sso=misconfigured')
  })
})

describe('three first sign-ins of one person at the same time', () => {
  it('all succeed, as the same user', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const browsers = [server.browser(), server.browser(), server.browser()]
    const callbacks = await Promise.all(browsers.map((browser) => browser.visitProvider(server.id)))
    const replies = await Promise.all(browsers.map((browser, i) => browser.send('GET', callbacks[i] ?? '')))
    expect(replies.map(({ headers }) => headers['location'])).toEqual(['/', '/', '/'])
    const users = await Promise.all(browsers.map(async (browser) => server.readUser(await browser.restore())))
    expect(new Set(users.map(({ id }) => id)).size).toBe(1)
    expect(await server.listAudit('user.created')).toMatchObject([{ name: kim.email }])
  })
})
