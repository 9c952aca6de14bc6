import { describe, expect, it } from 'vitest'
import { buildApp } from '../../app.ts'
import { password } from '../../testing.ts'
import { addTotp, createAcmeRules, openBrowser, readClaims, startWithProvider } from './testing.ts'
import { createForeignKey, signToken } from './testing-provider.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** Starts a server where Kim has signed in twice with the provider, in two browsers. */
async function startSignedIn() {
  const server = await startWithProvider(createAcmeRules)
  const browsers = [openBrowser(server.app), openBrowser(server.app)]
  const sessions: Record<string, string>[] = []
  for (const browser of browsers) {
    await browser.signIn(server.id)
    sessions.push(await browser.restore())
  }
  const rows = await server.deps.db.selectFrom('provider_session').select('sid').execute()
  const logout = (token: string, id = server.id) =>
    server.app.inject({
      method: 'POST',
      url: `/v1/identity/provider/${id}/logout`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: token }).toString(),
    })
  const listLive = async () =>
    Promise.all(
      sessions.map(async (headers) => (await server.call('GET', '/v1/identity', undefined, headers)).statusCode === 200),
    )
  return { ...server, sids: rows.map(({ sid }) => sid ?? ''), sessions, logout, listLive }
}

describe('back-channel logout', () => {
  it('ends the session that the provider names', async () => {
    await using server = await startSignedIn()
    expect(server.sids.filter(Boolean)).toHaveLength(2)
    const token = await server.provider.createLogoutToken('kim', server.sids[0])
    expect((await server.logout(token)).statusCode).toBe(204)
    expect((await server.listLive()).toSorted()).toEqual([false, true])
    expect((await server.listAudit('session.ended'))[0]).toMatchObject({
      name: 'kim@acme.example',
      who: 'system',
      note: 'by Acme login',
    })
    expect((await server.logout(token)).json().code).toBe('provider.logout_invalid')
  })

  it('ends all sessions of a person, on all nodes', async () => {
    await using server = await startSignedIn()
    await using other = buildApp(server.deps)
    const askOther = async () => (await other.inject({ url: '/v1/identity', headers: server.sessions[0] ?? {} })).statusCode
    expect(await askOther()).toBe(200)
    const { sid: _, ...claims } = readClaims(await server.provider.createLogoutToken('kim', server.sids[0]))
    expect((await server.logout(signToken(claims))).statusCode).toBe(204)
    expect(await server.listLive()).toEqual([false, false])
    expect(await askOther()).toBe(401)
    expect((await server.call('GET', '/v1/identity')).statusCode).toBe(200)
  })

  it('ends a sign-in that still waits for the second factor', async () => {
    await using server = await startSignedIn()
    const code = await addTotp(server, server.sessions[0] ?? {})
    const browser = server.browser()
    expect(await browser.signIn(server.id)).toBe('/login?sso=second-factor')
    const { challenge } = (await browser.pending()).second_factor
    const { sid: _, ...claims } = readClaims(await server.provider.createLogoutToken('kim', server.sids[0]))
    const iat = Math.floor(server.clock.now.getTime() / 1000)
    expect((await server.logout(signToken({ ...claims, iat }))).statusCode).toBe(204)
    const reply = await server.call('POST', '/v1/identity/second-factor', { challenge, code: code() }, {})
    expect(reply.json().code).toBe('session.challenge_ended')
  })

  it('ends a session that continued after a change of the password', async () => {
    await using server = await startWithProvider(createAcmeRules)
    await server.addUser({ email: 'kim@acme.example', company_id: server.companyId })
    const browser = server.browser()
    await browser.signIn(server.id)
    const before = { authorization: `Bearer ${(await browser.link()).json().token}` }
    const passwords = { oldPassword: password, newPassword: 'a brand new password' }
    const { token } = (await server.call('PATCH', '/v1/identity/password', passwords, before)).json()
    const headers = { authorization: `Bearer ${token}` }
    expect((await server.call('GET', '/v1/identity/provider/logout', undefined, headers)).json().data.url).toContain(
      'id_token_hint=',
    )
    const { sid: _, ...claims } = readClaims(await server.provider.createLogoutToken('kim', 'x'))
    const payload = new URLSearchParams({ logout_token: signToken(claims) }).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = `/v1/identity/provider/${server.id}/logout`
    expect((await server.app.inject({ method: 'POST', url, headers: type, payload })).statusCode).toBe(204)
    expect((await server.call('GET', '/v1/identity', undefined, headers)).statusCode).toBe(401)
  })

  it('ends a session whose id at the provider is long', async () => {
    await using server = await startWithProvider(createAcmeRules, { isFullIdToken: true })
    const sid = 's'.repeat(400)
    server.provider.tamper = (reply) => ({ ...reply, id_token: signToken({ ...readClaims(reply.id_token), sid }) })
    const browser = server.browser()
    await browser.signIn(server.id)
    const headers = await browser.restore()
    const { sub: _, ...claims } = readClaims(await server.provider.createLogoutToken('kim', 'x'))
    const payload = new URLSearchParams({ logout_token: signToken({ ...claims, sid }) }).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = `/v1/identity/provider/${server.id}/logout`
    expect((await server.app.inject({ method: 'POST', url, headers: type, payload })).statusCode).toBe(204)
    expect((await server.call('GET', '/v1/identity', undefined, headers)).statusCode).toBe(401)
  })

  it('P59: rejects forged, incomplete and outdated tokens', async () => {
    await using server = await startSignedIn()
    const claims = readClaims(await server.provider.createLogoutToken('kim', server.sids[0]))
    const now = Math.floor(Date.now() / 1000)
    const forged: [string, string][] = [
      ['no token', ''],
      ['no JWT', 'x.y.z'],
      ['signed by someone else', signToken(claims, { key: createForeignKey() })],
      ['an unknown key', signToken(claims, { header: { kid: 'unknown' } })],
      ['a symmetric algorithm', signToken(claims, { header: { alg: 'HS256' } })],
      [
        'no algorithm',
        `${signToken(claims, { header: { alg: 'none' } })
          .split('.')
          .slice(0, 2)
          .join('.')}.`,
      ],
      ['another issuer', signToken({ ...claims, iss: 'https://evil.example' })],
      ['another client', signToken({ ...claims, aud: 'another' })],
      ['a nonce', signToken({ ...claims, nonce: 'x' })],
      ['no event', signToken({ ...claims, events: {} })],
      ['an event that is no object', signToken({ ...claims, events: { [event]: true } })],
      ['no id', signToken({ ...claims, jti: undefined })],
      ['an old token', signToken({ ...claims, iat: now - 400 })],
      ['a token of the future', signToken({ ...claims, iat: now + 90 })],
      ['an expired token', signToken({ ...claims, exp: now - 90 })],
      ['nobody', signToken({ ...claims, sub: undefined, sid: undefined })],
      ['a list', signToken({ ...claims, sub: ['kim'] })],
    ]
    for (const [name, token] of forged) expect((await server.logout(token)).json().code, name).toBe('provider.logout_invalid')
    expect(await server.listLive()).toEqual([true, true])
    expect((await server.logout(signToken(claims), 'absent')).json().code).toBe('provider.logout_invalid')
    const json = {
      method: 'POST',
      url: `/v1/identity/provider/${server.id}/logout`,
      payload: { logout_token: signToken(claims) },
    } as const
    expect((await server.app.inject(json)).statusCode).toBe(415)
    expect((await server.logout(signToken(claims))).statusCode).toBe(204)
  })

  it('limits requests for the provider’s keys, however many unknown keys tokens name', async () => {
    await using server = await startSignedIn()
    const claims = readClaims(await server.provider.createLogoutToken('kim', server.sids[0]))
    const before = server.provider.requests.length
    for (let i = 0; i < 5; i++) await server.logout(signToken(claims, { header: { kid: `unknown ${i}` } }))
    expect(server.provider.requests.length - before).toBeLessThanOrEqual(1)
  })
})

describe('signing out of a session that began with a provider', () => {
  it('offers to sign out at the provider, too', async () => {
    await using server = await startSignedIn()
    const [headers = {}] = server.sessions
    const { url } = (await server.call('GET', '/v1/identity/provider/logout', undefined, headers)).json().data
    const { origin, pathname, searchParams } = new URL(url)
    expect([origin, pathname]).toEqual([server.provider.issuer, '/session/end'])
    expect(readClaims(searchParams.get('id_token_hint') ?? '')).toMatchObject({ sub: 'kim', aud: 'neptune' })
    expect(searchParams.get('post_logout_redirect_uri')).toBe('https://files.acme.example/login')
    expect((await fetch(url)).status).toBe(200)
    expect((await server.call('DELETE', '/v1/identity', undefined, headers)).statusCode).toBe(204)
    expect((await server.call('GET', '/v1/identity/provider/logout')).json().data).toEqual({ url: null })
  })

  it('uses an ID token that is stored sealed', async () => {
    await using server = await startSignedIn()
    const rows = await server.deps.db.selectFrom('provider_session').selectAll().execute()
    expect(rows[0]?.id_token).toMatch(/^[\w-]{100,}$/)
    expect(rows[0]?.id_token).not.toContain('eyJ')
  })
})
