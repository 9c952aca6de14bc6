import { describe, expect, it } from 'vitest'
import { buildApp } from '../../app.ts'
import { password } from '../../testing.ts'
import { createAuthenticatorApp } from '../factor/testing.ts'
import { createPasskeyDevice } from '../passkey/testing.ts'
import { createAcmeRules, openBrowser, publicUrl, readClaims, startWithProvider } from './testing.ts'
import { signToken } from './testing-provider.ts'

type Headers = Record<string, string>

/** Starts a server with a provider, and another node with the same database and keys, whose caches are its own. */
async function startTwoNodes() {
  const server = await startWithProvider(createAcmeRules, { isFullIdToken: true })
  const config = { ...server.deps.config, settingsMaxAgeMs: 500 }
  const other = buildApp({ ...server.deps, config })
  await other.ready()
  const nodes = [server.app, other] as const
  const send = (node: 0 | 1, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, headers: Headers, payload?: object) =>
    nodes[node].inject({ method, url, headers, ...(payload && { payload }) })
  await server.addUser({ email: 'kim@acme.example', company_id: server.companyId })
  const kim = (await server.startSessionAs('kim@acme.example')) as Headers
  return {
    ...server,
    nodes,
    send,
    kim,
    /** Enters the password at a node. Returns the challenge of the second step. */
    async enterPassword(node: 0 | 1) {
      const reply = await send(node, 'POST', '/v1/identity/login', {}, { email: 'kim@acme.example', password })
      return reply.json().second_factor.challenge as string
    },
    enterCode: (node: 0 | 1, challenge: string, code: string) =>
      send(node, 'POST', '/v1/identity/second-factor', {}, { challenge, code }),
    async setUpTotp() {
      const { secret } = (await send(0, 'POST', '/v1/identity/totp', kim)).json().data
      const authenticatorApp = createAuthenticatorApp(secret, () => server.clock.now)
      const reply = await send(1, 'POST', '/v1/identity/totp/confirm', kim, { code: authenticatorApp.read() })
      server.advance(30_000)
      return { ...authenticatorApp, codes: reply.json().data.recovery_codes as string[] }
    },
    [Symbol.asyncDispose]: async () => {
      await other.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('two nodes', () => {
  it('let a sign-in begin at one node and end at the other, and accept each code once', async () => {
    await using server = await startTwoNodes()
    const authenticatorApp = await server.setUpTotp()
    const challenges = [await server.enterPassword(0), await server.enterPassword(1)] as const
    const code = authenticatorApp.read()
    expect((await server.enterCode(1, challenges[0], code)).statusCode).toBe(200)
    expect((await server.enterCode(0, challenges[1], code)).json().code).toBe('session.wrong_code')
    server.advance(30_000)
    expect((await server.enterCode(0, challenges[0], authenticatorApp.read())).json().code).toBe('session.challenge_ended')
    expect((await server.enterCode(0, challenges[1], authenticatorApp.read())).statusCode).toBe(200)
  })

  it('accept one of twenty concurrent uses of a code, and of a recovery code', async () => {
    await using server = await startTwoNodes()
    const authenticatorApp = await server.setUpTotp()
    for (const code of [authenticatorApp.read(), authenticatorApp.codes[0] ?? '']) {
      const challenges: string[] = []
      for (let i = 0; i < 5; i++) challenges.push(await server.enterPassword((i % 2) as 0 | 1))
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) => server.enterCode((i % 2) as 0 | 1, challenges[i % 5] ?? '', code)),
      )
      expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      server.advance(15 * 60_000) // the rejected uses count as attempts
    }
  })

  it('count attempts together: of forty, they check ten', async () => {
    await using server = await startTwoNodes()
    await server.setUpTotp()
    const challenge = await server.enterPassword(0)
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => server.enterCode((i % 2) as 0 | 1, challenge, '000000')),
    )
    const count = (status: number) => replies.filter(({ statusCode }) => statusCode === status).length
    expect([count(401), count(429)]).toEqual([10, 30])
    for (const node of [0, 1] as const) expect((await server.enterCode(node, challenge, '000000')).statusCode).toBe(429)
  })

  it('accept a passkey whose challenge is from the other node, once', async () => {
    await using server = await startTwoNodes()
    const key = createPasskeyDevice()
    const { data } = (await server.send(0, 'POST', '/v1/identity/passkey/registration', server.kim)).json()
    const added = { name: 'Key', response: key.create(data, { origin: publicUrl }) }
    expect((await server.send(1, 'POST', '/v1/identity/passkey', server.kim, added)).statusCode).toBe(200)
    const options = (await server.send(0, 'POST', '/v1/identity/passkey/options', {}, {})).json().data
    const response = key.get(options, { origin: publicUrl })
    const signIn = (node: 0 | 1) => server.send(node, 'POST', '/v1/identity/passkey/sign-in', {}, { response })
    const replies = await Promise.all([signIn(1), signIn(0), signIn(1), signIn(0)])
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  it('complete a sign-in with a provider that began at the other node, once', async () => {
    await using server = await startTwoNodes()
    server.provider.person = { sub: 'ada', email: 'ada@acme.example', email_verified: true }
    const callback = await startSignIn(server)
    const replies = await Promise.all([callback.open(1), callback.open(0), callback.open(1)])
    expect(replies.filter(({ headers }) => headers['location'] === '/')).toHaveLength(1)
    expect((await callback.open(1)).headers['location']).toBe('/login?sso=expired')
  })

  it('both end the sessions of a user whom the provider signs out at one node, and accept the logout token only once', async () => {
    await using server = await startTwoNodes()
    server.provider.person = { sub: 'ada', email: 'ada@acme.example', email_verified: true }
    const browser = openBrowser(server.nodes[1])
    await browser.signIn(server.id)
    const ada = await browser.restore()
    const status = async (node: 0 | 1) => (await server.send(node, 'GET', '/v1/identity', ada)).statusCode
    expect([await status(0), await status(1)]).toEqual([200, 200])
    const { sid: _, ...claims } = readClaims(await server.provider.createLogoutToken('ada', 'x'))
    const payload = new URLSearchParams({ logout_token: signToken(claims) }).toString()
    const logout = (node: 0 | 1) =>
      server.nodes[node].inject({
        method: 'POST',
        url: `/v1/identity/provider/${server.id}/logout`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload,
      })
    expect((await logout(0)).statusCode).toBe(204)
    expect([await status(0), await status(1)]).toEqual([401, 401])
    expect((await logout(1)).json().code).toBe('provider.logout_invalid')
  })

  it('both require a second factor, even in open sessions, within a second after one node turned it on', async () => {
    await using server = await startTwoNodes()
    const read = async (node: 0 | 1) => (await server.send(node, 'GET', '/v1/directory', server.kim)).json().code
    expect([await read(0), await read(1)]).toEqual([undefined, undefined])
    const payload = { version: 0, values: { second_factor: 'everyone' } }
    expect((await server.send(0, 'PATCH', '/v1/admin/settings/security', server.admin, payload)).statusCode).toBe(200)
    const changedAt = performance.now()
    await expect.poll(() => read(1), { interval: 50 }).toBe('session.factor_required')
    expect(performance.now() - changedAt).toBeLessThan(1_000)
    expect(await read(0)).toBe('session.factor_required')
  })

  it('pick up at the other node that a provider was added, and later disabled', async () => {
    await using server = await startTwoNodes()
    const { id } = await server.addProvider({ name: 'Second' })
    expect(await openBrowser(server.nodes[1]).signIn(id)).toBe('/login?sso=link')
    await server.call('PATCH', `/v1/admin/provider/${id}`, { version: 1, disabled: true })
    expect(await openBrowser(server.nodes[1]).signIn(id)).toBe('/login?sso=unknown')
  })
})

/** Starts a sign-in at the first node. Returns a function that opens its callback at a node, any number of times. */
async function startSignIn(server: Awaited<ReturnType<typeof startTwoNodes>>) {
  const browser = openBrowser(server.nodes[0])
  const url = await browser.visitProvider(server.id)
  const headers = { cookie: `_sso_flow=${browser.cookies.get('_sso_flow')}` }
  return { open: (node: 0 | 1) => server.nodes[node].inject({ url, headers }) }
}
