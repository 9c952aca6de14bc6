import { hiddenPassword } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '../../testing.ts'
import { createAcmeRules, noRules, publicUrl, startWithProvider } from './testing.ts'
import { clientSecret, kim } from './testing-provider.ts'

type Server = Awaited<ReturnType<typeof startWithProvider>>

const readRow = async (server: Server, id = server.id) =>
  (await server.call('GET', '/v1/admin/provider')).json().data.find((row: { id: string }) => row.id === id)

describe('a provider in the settings', () => {
  it('is shown without its secret, which is stored sealed', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const { data, uris } = (await server.call('GET', '/v1/admin/provider')).json()
    expect(data).toEqual([
      {
        id: server.id,
        name: 'Acme login',
        issuer: server.provider.issuer,
        client_id: 'neptune',
        client_secret: hiddenPassword,
        rules: createAcmeRules(server.companyId),
        version: 1,
        disabled_at: null,
        locked: null,
        last_used_at: null,
        logout_uri: `${publicUrl}/v1/identity/provider/${server.id}/logout`,
      },
    ])
    expect(uris).toEqual({
      redirect_uri: `${publicUrl}/v1/identity/provider/callback`,
      post_logout_redirect_uri: `${publicUrl}/login`,
    })
    const rows = JSON.stringify([
      await server.deps.db.selectFrom('provider').selectAll().execute(),
      await server.deps.db.selectFrom('audit').selectAll().execute(),
    ])
    expect(rows + server.logLines.join('')).not.toContain(clientSecret)
    expect(await server.listAudit('provider.created')).toMatchObject([{ name: 'Acme login', note: server.provider.issuer }])
  })

  it('keeps its secret unless the issuer or the client changes', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const path = `/v1/admin/provider/${server.id}`
    const change = async (body: object) => (await server.call('PATCH', path, body)).json().data
    const renamed = await change({ version: 1, name: 'Renamed', client_secret: hiddenPassword })
    expect(renamed).toMatchObject({ name: 'Renamed', version: 2, client_secret: hiddenPassword })
    expect(await server.browser().signIn(server.id)).toBe('/')
    expect(await change({ version: 2, issuer: 'https://evil.example' })).toMatchObject({ client_secret: null })
    expect(await change({ version: 3, client_secret: 'new' })).toMatchObject({ client_secret: hiddenPassword })
    expect(await change({ version: 4, client_id: 'other' })).toMatchObject({ client_secret: null })
    expect(await change({ version: 5, client_secret: 'new' })).toMatchObject({ client_secret: hiddenPassword })
    expect(await change({ version: 6, client_secret: null })).toMatchObject({ client_secret: null })
    expect(await server.listAudit('provider.changed')).toMatchObject([
      { note: 'client_secret' },
      { note: 'client_secret' },
      { note: 'client_id, client_secret' },
      { note: 'client_secret' },
      { note: 'issuer, client_secret' },
      { note: 'name' },
    ])
  })

  it('is changed by one of two admins who save at the same time', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const path = `/v1/admin/provider/${server.id}`
    const replies = await Promise.all(['One', 'Two'].map((name) => server.call('PATCH', path, { version: 1, name })))
    expect(replies.map((reply) => reply.json().code ?? 'saved').toSorted()).toEqual(['saved', 'settings.changed'])
    expect((await server.call('PATCH', '/v1/admin/provider/absent', { version: 1 })).json().code).toBe('provider.not_found')
  })

  it('can be disabled, after which nobody signs in with it, and deleted', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const browser = server.browser()
    const callback = await browser.visitProvider(server.id)
    await server.call('PATCH', `/v1/admin/provider/${server.id}`, { version: 1, disabled: true })
    expect((await browser.send('GET', callback)).headers['location']).toBe('/login?sso=unknown')
    expect(await server.browser().signIn(server.id)).toBe('/login?sso=unknown')
    expect((await server.call('GET', '/v1/identity/provider', undefined, {})).json().data.providers).toEqual([])
    expect((await server.call('DELETE', `/v1/admin/provider/${server.id}`)).statusCode).toBe(204)
    expect((await server.call('DELETE', `/v1/admin/provider/${server.id}`)).json().code).toBe('provider.not_found')
    expect(await server.listAudit('provider.deleted')).toHaveLength(1)
  })

  it.each([
    ['http://id.acme.example', 'issuer'],
    ['https://user:password@id.acme.example', 'issuer'],
    ['https://id.acme.example/?x=1', 'issuer'],
    ['file:///etc/passwd', 'issuer'],
    ['http://localhost.evil.example', 'issuer'],
  ])('rejects an issuer to which requests would be unsafe: %s', async (issuer, field) => {
    await using server = await startWithProvider(createAcmeRules)
    const body = { name: 'X', issuer, client_id: 'x', rules: noRules }
    for (const path of ['/v1/admin/provider', '/v1/admin/provider/test']) {
      const { name: _, rules: __, ...test } = body
      const reply = await server.call('POST', path, path.endsWith('test') ? test : body)
      expect(reply.json()).toMatchObject({ code: 'request.invalid', errors: [{ field }] })
    }
  })

  it('needs existing companies, and a recent confirmation of the admin’s identity', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const body = { name: 'X', issuer: 'https://id.acme.example', client_id: 'x', rules: createAcmeRules('absent') }
    expect((await server.call('POST', '/v1/admin/provider', body)).json().code).toBe('company.not_found')
    server.advance(16 * 60_000)
    expect((await server.call('POST', '/v1/admin/provider', body)).json().code).toBe('session.unconfirmed')
  })
})

describe('a provider in the environment', () => {
  const environment = (issuer: string, rules: object = {}) => ({
    PUBLIC_URL: publicUrl,
    OIDC_PROVIDERS: JSON.stringify([
      { id: 'acme', name: 'Acme', issuer, client_id: 'neptune', client_secret: clientSecret, rules },
    ]),
  })

  it('can’t be changed, and can refer to companies by name', async () => {
    await using source = await startWithProvider()
    const create = { company: 'Acme GmbH', role: 'NEPTUNE_USER', access: 'own' }
    await using server = await startTestServer(environment(source.provider.issuer, { domains: ['ACME.example'], create }))
    server.clock.now = new Date()
    await server.addUser({ email: 'admin@acme.example', role: 'NEPTUNE_ADMIN' })
    const headers = await server.startSessionAs('admin@acme.example')
    const { data } = (await server.app.inject({ url: '/v1/admin/provider', headers })).json()
    expect(data).toMatchObject([
      { id: 'acme', locked: 'OIDC_PROVIDERS', client_secret: hiddenPassword, rules: { trust_email: false } },
    ])
    const change = { method: 'PATCH', url: '/v1/admin/provider/acme', headers, payload: { version: 0, name: 'X' } } as const
    expect((await server.app.inject(change)).json().code).toBe('provider.locked')
    expect((await server.app.inject({ method: 'DELETE', url: '/v1/admin/provider/acme', headers })).json().code).toBe(
      'provider.locked',
    )
    const { openBrowser } = await import('./testing.ts')
    expect(await openBrowser(server.app).signIn('acme')).toBe('/')
  })

  it.each([
    ['invalid JSON', 'x', /OIDC_PROVIDERS must be a JSON array of providers/],
    ['an unknown field', '[{"id":"a","name":"A","issuer":"https://a.example","client_id":"x","secret":"s3cret"}]', /0 .*secret/i],
    [
      'an invalid issuer',
      '[{"id":"a","name":"A","issuer":"http://a.example","client_id":"x"}]',
      /0\.issuer This must be an address/,
    ],
    [
      'an invalid rule',
      '[{"id":"a","name":"A","issuer":"https://a.example","client_id":"x","rules":{"domains":["@"]}}]',
      /rules\.domains\.0/,
    ],
  ])('is rejected at start if it has %s', async (_, value, message) => {
    const { readConfig } = await import('../../config.ts')
    expect(() => readConfig({ OIDC_PROVIDERS: value })).toThrow(message)
    expect(() => readConfig({ OIDC_PROVIDERS: value })).not.toThrow(/s3cret/)
  })
})

describe('the test of a provider', () => {
  const test = async (server: Server, more: object = {}) => {
    const body = { issuer: server.provider.issuer, client_id: 'neptune', client_secret: clientSecret, ...more }
    const reply = await server.call('POST', '/v1/admin/provider/test', body)
    const { findings, supports } = reply.json().data
    return { codes: findings.map(({ code }: { code: string }) => code), findings, supports }
  }

  it('reports nothing for a provider that works', async () => {
    await using server = await startWithProvider(createAcmeRules)
    expect(await test(server)).toMatchObject({
      codes: [],
      supports: { back_channel_logout: true, logout: true, issuer_parameter: true, claims: expect.arrayContaining(['email']) },
    })
  })

  it('uses the stored secret only for its own client ID', async () => {
    await using server = await startWithProvider(createAcmeRules)
    expect(await test(server, { id: server.id, client_secret: hiddenPassword })).toMatchObject({ codes: [] })
    expect(await test(server, { id: server.id, client_secret: hiddenPassword, client_id: 'other' })).toMatchObject({
      codes: ['wrong_client'],
    })
    expect(await test(server, { client_secret: 'wrong' })).toMatchObject({ codes: ['wrong_client'] })
  })

  it('reports problems of the address, the metadata, the keys and the clock', async () => {
    await using server = await startWithProvider(createAcmeRules)
    expect(await test(server, { issuer: 'http://127.0.0.1:1' })).toMatchObject({ codes: ['unreachable'], supports: null })
    expect(await test(server, { issuer: `${server.provider.issuer}/tenant` })).toMatchObject({ codes: ['not_found'] })
    const answer = (body: object, headers: object = {}) => {
      server.provider.intercept = (request, reply) => {
        if (!request.url?.includes('.well-known')) return false
        reply.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
        return true
      }
    }
    const { issuer } = server.provider
    const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` }
    const good = { issuer, ...endpoints, code_challenge_methods_supported: ['S256'] }
    answer({ ...good, issuer: 'https://other.example' })
    expect((await test(server)).findings).toMatchObject([
      { code: 'wrong_issuer', detail: expect.stringContaining('https://other.example') },
    ])
    answer({ ...good, token_endpoint: 'http://metadata.internal/token' })
    expect((await test(server)).codes).toEqual(['insecure'])
    answer({
      ...good,
      code_challenge_methods_supported: ['plain'],
      scopes_supported: ['openid'],
      response_types_supported: ['id_token'],
    })
    expect((await test(server)).codes).toEqual(['no_code_flow', 'no_scopes', 'no_pkce'])
    answer({ ...good, jwks_uri: `${issuer}/nothing` })
    expect((await test(server)).codes).toEqual(['no_keys'])
    answer(good, { date: new Date(Date.now() - 300_000).toUTCString() })
    expect((await test(server)).findings).toMatchObject([{ code: 'clock', detail: expect.stringMatching(/behind the clock/) }])
    answer({ hello: 'world' })
    expect((await test(server)).codes).toEqual(['not_discovery'])
  })
})

describe('turning off passwords', () => {
  const turnOff = async (server: Server) => {
    const { version } = (await server.call('GET', '/v1/admin/settings')).json().data.security
    return server.call('PATCH', '/v1/admin/settings/security', { version, values: { password_sign_in: false } })
  }
  const asAdmin = (company: string) => ({
    ...createAcmeRules(company),
    create: { company, role: 'NEPTUNE_ADMIN' as const, access: 'own' as const },
  })

  it('requires an admin who signs in with a provider, which then can’t be deleted, disabled or given another issuer', async () => {
    await using server = await startWithProvider(asAdmin)
    expect((await turnOff(server)).json().code).toBe('provider.last_admin')
    await server.browser().signIn(server.id)
    expect((await turnOff(server)).statusCode).toBe(200)
    const path = `/v1/admin/provider/${server.id}`
    expect((await server.call('DELETE', path)).json().code).toBe('provider.last_admin')
    expect((await server.call('PATCH', path, { version: 1, disabled: true })).json().code).toBe('provider.last_admin')
    expect((await server.call('PATCH', path, { version: 1, issuer: 'https://a.example' })).json().code).toBe(
      'provider.last_admin',
    )
    expect((await server.call('PATCH', path, { version: 1, name: 'Still there' })).statusCode).toBe(200)
    expect(await readRow(server)).toMatchObject({ name: 'Still there', last_used_at: expect.any(String) })
  })

  it('is rejected while the only admin with an account at the provider is suspended', async () => {
    await using server = await startWithProvider(asAdmin)
    await server.browser().signIn(server.id)
    await server.deps.db
      .updateTable('user')
      .set({ suspended_at: 'x' })
      .where('email', '=', kim.email ?? '')
      .execute()
    expect((await turnOff(server)).json().code).toBe('provider.last_admin')
  })

  it('makes calls to sign in with, reset or choose a password return the same error for everyone', async () => {
    await using server = await startWithProvider(asAdmin)
    const invited = { name: 'Ada', email: 'ada@acme.example', company: server.companyId, role: 'NEPTUNE_USER', invite: true }
    const { link } = (await server.call('POST', '/v1/admin/user', invited)).json()
    const token = link.url.split('/').at(-1)
    await server.browser().signIn(server.id)
    await turnOff(server)
    const replies = await Promise.all([
      server.signIn('admin@acme.example'),
      server.signIn('admin@acme.example', 'wrong'),
      server.signIn('nobody@acme.example'),
      server.signIn('admin@acme.example', undefined, { path: '/v1/user/identity' }),
      server.call('POST', '/v1/identity/forgot', { email: 'admin@acme.example' }, {}),
      server.call('POST', '/v1/identity/reset/check', { token: 'x' }, {}),
      server.call('POST', '/v1/identity/reset', { token: 'x', password: 'another long password' }, {}),
      server.call('POST', '/v1/identity/invitation', { token, password: 'another long password' }, {}),
      server.call('POST', `/v1/admin/user/${server.adminId}/reset`),
    ])
    for (const reply of replies) expect([reply.statusCode, reply.json().code]).toEqual([403, 'session.password_off'])
    expect((await server.call('POST', '/v1/identity/invitation/check', { token }, {})).statusCode).toBe(200)
    expect((await server.call('GET', '/v1/identity/provider', undefined, {})).json().data.password).toBe(false)
  })
})
