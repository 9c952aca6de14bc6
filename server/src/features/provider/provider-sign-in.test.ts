import type { ProviderRules } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { addTotp, createAcmeRules, readClaims, startWithProvider } from './testing.ts'
import { kim, signToken } from './testing-provider.ts'

describe('a sign-in with a provider', () => {
  it('creates a person at their first sign-in, and recognizes them when they return', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const browser = server.browser()
    expect(await browser.signIn(server.id, 'to=/links')).toBe('/links')
    const user = await server.readUser(await browser.restore())
    expect(user).toMatchObject({
      email: kim.email,
      name: 'Kim Doe',
      company: server.companyId,
      role: 'NEPTUNE_USER',
      access: 'own',
    })
    expect(await server.listAudit('user.created')).toMatchObject([{ name: kim.email, note: 'NEPTUNE_USER, Acme login' }])
    const later = server.browser()
    expect(await later.signIn(server.id, 'remember=true')).toBe('/')
    const headers = await later.restore()
    expect(await server.readUser(headers)).toMatchObject({ id: user.id })
    const [session] = (await server.call('GET', '/v1/identity/session', undefined, headers)).json().data
    expect(session).toMatchObject({ method: 'provider', second_factor: null })
    expect((await server.signIn('kim@acme.example')).json().code).toBe('session.wrong_credentials')
  })

  it('reads the claims from the ID token if they are there', async () => {
    await using server = await startWithProvider(createAcmeRules, { isFullIdToken: true })
    expect(await server.browser().signIn(server.id)).toBe('/')
    expect(server.provider.requests).not.toContain('GET /me')
  })

  it('reports that the person canceled, without any text from the provider', async () => {
    await using server = await startWithProvider(createAcmeRules)
    server.provider.person = { ...kim, willCancel: true }
    const browser = server.browser()
    expect(await browser.signIn(server.id)).toBe('/login?sso=denied')
    expect([...browser.cookies.keys()]).toEqual([])
  })

  it('rejects people whom no rule admits', async () => {
    await using server = await startWithProvider()
    expect(await server.browser().signIn(server.id)).toBe('/login?sso=no-access')
    expect(await server.listAudit('user.created')).toHaveLength(0)
  })

  it('gives the rights of the first rule whose group the person has, otherwise those of their domain', async () => {
    await using server = await startWithProvider()
    const globex = (await server.call('POST', '/v1/admin/company', { name: 'Globex' })).json().data.id
    const claim: ProviderRules['claim'] = {
      name: 'groups',
      values: [
        { value: 'portal-admins', gives: { company: server.companyId, role: 'NEPTUNE_ADMIN', access: 'own' } },
        { value: 'globex', gives: { company: globex, role: 'NEPTUNE_USER', access: 'selected', companies: [server.companyId] } },
      ],
    }
    const { id } = await server.addProvider({ rules: { ...createAcmeRules(server.companyId), claim } })
    const signInAs = async (sub: string, groups: string[] | undefined, email = `${sub}@other.example`) => {
      server.provider.person = { ...kim, sub, email, ...(groups && { groups }) }
      const browser = server.browser()
      return [await browser.signIn(id), await server.readUser(await browser.restore())]
    }
    expect(await signInAs('ada', ['staff', 'globex'])).toMatchObject([
      '/',
      { company: globex, access: 'selected', role: 'NEPTUNE_USER' },
    ])
    expect(await signInAs('eve', ['globex', 'portal-admins'])).toMatchObject(['/', { role: 'NEPTUNE_ADMIN' }])
    expect(await signInAs('bob', ['staff'])).toMatchObject(['/login?sso=no-access', undefined])
    expect(await signInAs('cat', undefined, 'cat@acme.example')).toMatchObject([
      '/',
      { company: server.companyId, access: 'own' },
    ])
  })

  it.each([
    ['suspended', 'user', { suspended_at: '2026-01-01T00:00:00.000Z' }],
    ['of an archived company', 'company', { archived_at: '2026-01-01T00:00:00.000Z' }],
  ] as const)('keeps people out who are %s, with the same code as strangers', async (_, table, change) => {
    await using server = await startWithProvider(createAcmeRules)
    await server.browser().signIn(server.id)
    await server.deps.db.updateTable(table).set(change).execute()
    const browser = server.browser()
    expect(await browser.signIn(server.id)).toBe('/login?sso=no-access')
    expect(browser.cookies.has('_auth')).toBe(false)
    server.provider.person = { ...kim, sub: 'another Kim' }
    expect(await server.browser().signIn(server.id)).toBe('/login?sso=no-access')
  })

  it('never creates or connects anyone by an email address that is not verified', async () => {
    await using server = await startWithProvider(createAcmeRules)
    for (const email_verified of [false, undefined]) {
      for (const email of ['admin@acme.example', 'new@acme.example']) {
        const { email_verified: _, ...person } = kim
        server.provider.person = { ...person, email, ...(email_verified === false && { email_verified }) }
        expect(await server.browser().signIn(server.id)).toBe('/login?sso=unverified')
      }
    }
    expect(await server.deps.db.selectFrom('provider_account').selectAll().execute()).toEqual([])
  })

  it('trusts addresses of its domains if the rules say so, unless the provider says that they are not verified', async () => {
    await using server = await startWithProvider((company) => ({ ...createAcmeRules(company), trust_email: true }))
    const { email_verified: _, ...silent } = kim
    const signInAs = async (person: typeof kim) => {
      server.provider.person = person
      return server.browser().signIn(server.id)
    }
    expect(await signInAs({ ...kim, email_verified: false })).toBe('/login?sso=unverified')
    expect(await signInAs({ ...silent, email: 'kim@other.example' })).toBe('/login?sso=unverified')
    expect(await signInAs(silent)).toBe('/')
  })

  it('signs in the same user after their email address has changed at the provider', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const browser = server.browser()
    await browser.signIn(server.id)
    const before = await server.readUser(await browser.restore())
    server.provider.person = { ...kim, email: 'admin@acme.example', email_verified: false }
    expect(await browser.signIn(server.id)).toBe('/')
    const headers = await browser.restore()
    expect(await server.readUser(headers)).toEqual(before)
    const { data } = (await server.call('GET', '/v1/identity/provider-account', undefined, headers)).json()
    expect(data).toMatchObject([{ email: 'admin@acme.example', provider: { name: 'Acme login' } }])
  })
})

describe('the second factor of someone who signs in with a provider', () => {
  it('is required, without its challenge appearing in the URL', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const browser = server.browser()
    await browser.signIn(server.id)
    const code = await addTotp(server, await browser.restore())
    const later = server.browser()
    expect(await later.signIn(server.id, 'to=/links')).toBe('/login?sso=second-factor')
    expect(later.cookies.has('_auth')).toBe(false)
    expect((await later.send('POST', '/v1/identity/provider/pending')).statusCode).toBe(401)
    const crossSite = { 'x-neptune': '1', 'sec-fetch-site': 'cross-site' }
    expect((await later.send('POST', '/v1/identity/provider/pending', crossSite)).statusCode).toBe(401)
    const pending = await later.pending()
    expect(pending).toMatchObject({ kind: 'second_factor', to: '/links', second_factor: { methods: ['totp', 'recovery_code'] } })
    const { challenge } = pending.second_factor
    const reply = await server.call('POST', '/v1/identity/second-factor', { challenge, code: code() }, {})
    expect(reply.statusCode).toBe(200)
    const headers = { authorization: `Bearer ${reply.json().token}` }
    const [session] = (await server.call('GET', '/v1/identity/session', undefined, headers)).json().data
    expect(session).toMatchObject({ method: 'provider', second_factor: 'totp' })
    expect((await server.call('GET', '/v1/identity/provider/logout', undefined, headers)).json().data.url).toContain(
      'id_token_hint=',
    )
  })

  it.each([
    ['the rules trust the provider’s', { second_factor: 'provider' as const }, {}],
    ['the provider reports several factors (mfa)', {}, { amr: ['pwd', 'mfa'] }],
  ])('is not asked for if %s', async (_, rules, more) => {
    await using server = await startWithProvider((company) => ({ ...createAcmeRules(company), ...rules }))
    server.provider.person = { ...kim, ...more }
    const browser = server.browser()
    await browser.signIn(server.id)
    await addTotp(server, await browser.restore())
    expect(await browser.signIn(server.id)).toBe('/')
    const { data } = (await server.call('GET', '/v1/identity/session', undefined, await browser.restore())).json()
    expect(data[0]).toMatchObject({ current: true, method: 'provider', second_factor: 'provider' })
  })

  it('counts as set up if the organisation requires one and the provider has checked one', async () => {
    await using server = await startWithProvider(createAcmeRules)
    await server.deps.db
      .insertInto('setting')
      .values({ section: 'security', value: '{"second_factor":"everyone"}', version: 1, changed_at: '' })
      .execute()
    const signIn = async () => {
      const browser = server.browser()
      await browser.signIn(server.id)
      return (await server.call('GET', '/v1/link', undefined, await browser.restore())).json().code
    }
    expect(await signIn()).toBe('session.factor_required')
    server.provider.person = { ...kim, amr: ['mfa'] }
    expect(await signIn()).toBeUndefined()
  })
})

describe('the proof of identity by a provider', () => {
  it('is as old as the sign-in at the provider: after 15 minutes, sensitive calls need a new one', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const signIn = async (query = '') => {
      const browser = server.browser()
      expect(await browser.signIn(server.id, query)).toBe('/')
      const headers = await browser.restore()
      return (await server.call('POST', '/v1/identity/totp', undefined, headers)).json().code ?? 'done'
    }
    expect(await signIn()).toBe('done')
    const auth_time = Math.floor(Date.now() / 1000) - 16 * 60
    server.provider.tamper = (reply) => ({ ...reply, id_token: signToken({ ...readClaims(reply.id_token), auth_time }) })
    expect(await signIn()).toBe('session.unconfirmed')
    const start = await server.browser().send('GET', `/v1/identity/provider/${server.id}/start?fresh=true`)
    expect(new URL(String(start.headers['location'])).searchParams.get('prompt')).toBe('login')
  })

  it('is missing if the provider doesn’t say when the person signed in, unless it was told to ask again', async () => {
    await using server = await startWithProvider(createAcmeRules)
    server.provider.tamper = (reply) => {
      const { auth_time: _, ...claims } = readClaims(reply.id_token)
      return { ...reply, id_token: signToken(claims) }
    }
    const signIn = async (query: string) => {
      const browser = server.browser()
      expect(await browser.signIn(server.id, query)).toBe('/')
      const headers = await browser.restore()
      return (await server.call('POST', '/v1/identity/totp', undefined, headers)).json().code ?? 'done'
    }
    expect(await signIn('')).toBe('session.unconfirmed')
    expect(await signIn('fresh=true')).toBe('done')
    const start = await server.browser().send('GET', `/v1/identity/provider/${server.id}/start?fresh=true`)
    expect(new URL(String(start.headers['location'])).searchParams.get('max_age')).toBe('300')
  })
})
