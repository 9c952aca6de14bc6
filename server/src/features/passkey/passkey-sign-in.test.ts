import { describe, expect, it } from 'vitest'
import { password, toBearerHeader } from '../../testing.ts'
import { createPasskeyDevice, email, listAuditEntries, startWithKim } from './testing.ts'

/** Starts a sign-in with the password. Returns the challenge and the methods for its second step. */
async function startSecondStep(server: Awaited<ReturnType<typeof startWithKim>>, more: { remember?: boolean } = {}) {
  const problem = (await server.signIn(email, password, more)).json()
  expect(problem.code).toBe('session.second_factor')
  return problem.second_factor as { challenge: string; methods: string[] }
}

describe('signing in with a passkey', () => {
  it('needs neither an email address nor a password', async () => {
    await using server = await startWithKim()
    const { key } = await server.addPasskey(server.kim)
    const options = await server.getOptions()
    expect(options).toEqual({
      challenge: expect.any(String),
      rpId: 'localhost',
      timeout: expect.any(Number),
      userVerification: 'required',
    })
    const reply = await server.sendResponse(key.get(options))
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ type: 'Bearer', info: { id: server.userId, email } })
    expect((await server.getUser(reply.json().token)).email).toBe(email)
  })

  it('is shown in the lists of sessions and passkeys, and in the audit log', async () => {
    await using server = await startWithKim()
    const { key } = await server.addPasskey(server.kim)
    server.advance(1000)
    const { token } = (await server.signInWith(key)).json()
    const sessions = await server.app.inject({ url: '/v1/identity/session', headers: toBearerHeader(token) })
    expect(sessions.json().data[0]).toMatchObject({ method: 'passkey', second_factor: null, current: true })
    expect(await listAuditEntries(server)).toContainEqual(
      expect.objectContaining({ action: 'session.started', note: 'passkey', name: email }),
    )
    expect((await server.list(server.kim)).passkeys[0].last_used_at).toBe(server.deps.now().toISOString())
  })

  it('is enough on its own when the organisation requires a second factor', async () => {
    await using server = await startWithKim({}, 'NEPTUNE_ADMIN')
    const { key } = await server.addPasskey(server.kim)
    const payload = { version: 0, values: { second_factor: 'everyone' } }
    await server.app.inject({ method: 'PATCH', url: '/v1/admin/settings/security', headers: server.kim, payload })
    const { token } = (await server.signInWith(key)).json()
    const headers = toBearerHeader(token)
    expect((await server.app.inject({ url: '/v1/admin/user', headers })).statusCode).toBe(200)
  })

  it.each([
    [true, /_auth=[^;]+;.*Max-Age=/],
    [false, /_auth=(?!.*Max-Age)/],
  ])('remembers the session only if asked to: %s', async (remember, cookie) => {
    await using server = await startWithKim()
    const { key } = await server.addPasskey(server.kim)
    const reply = await server.signInWith(key, {}, { remember })
    const [auth] = [reply.headers['set-cookie']].flat()
    expect(auth).toMatch(cookie)
  })

  it('works with each of several passkeys, with and without a counter', async () => {
    await using server = await startWithKim()
    const keys = [createPasskeyDevice(), createPasskeyDevice({ isCounting: true })]
    for (const key of keys) await server.addPasskey(server.kim, 'Key', key)
    for (const key of [...keys, ...keys]) expect((await server.signInWith(key)).statusCode).toBe(200)
  })

  it('does not store a challenge before a passkey has signed it', async () => {
    await using server = await startWithKim()
    const count = async () => (await server.deps.db.selectFrom('challenge').selectAll().execute()).length
    const { key } = await server.addPasskey(server.kim)
    const before = await count()
    const options = await server.getOptions()
    expect(await count()).toBe(before)
    await server.sendResponse(key.get(options))
    expect(await count()).toBe(before + 1)
  })
})

describe('a passkey as the second factor', () => {
  it('completes a sign-in with a password', async () => {
    await using server = await startWithKim()
    const { key } = await server.addPasskey(server.kim)
    const { challenge, methods } = await startSecondStep(server, { remember: true })
    expect(methods).toEqual(['passkey', 'recovery_code'])
    const options = await server.getOptions(challenge)
    expect(options.allowCredentials).toEqual([{ id: key.id, type: 'public-key', transports: ['hybrid', 'internal'] }])
    const reply = await server.sendResponse(key.get(options, { userHandle: null }), { challenge })
    expect(reply.statusCode).toBe(200)
    expect([reply.headers['set-cookie']].flat()[0]).toContain('Max-Age=')
    const headers = toBearerHeader(reply.json().token)
    const sessions = await server.app.inject({ url: '/v1/identity/session', headers })
    expect(sessions.json().data.find(({ current }: { current: boolean }) => current)).toMatchObject({
      method: 'password',
      second_factor: 'passkey',
    })
    expect(await listAuditEntries(server)).toContainEqual(
      expect.objectContaining({ action: 'session.started', note: 'password + passkey' }),
    )
  })

  it('lets the user trust the browser', async () => {
    await using server = await startWithKim()
    const { key } = await server.addPasskey(server.kim)
    const { challenge } = await startSecondStep(server)
    const reply = await server.signInWith(key, {}, { challenge, trust: true })
    const cookie = [reply.headers['set-cookie']].flat().find((each) => each?.startsWith('_browser=')) ?? ''
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    expect((await server.signIn(email, password, { headers })).statusCode).toBe(200)
  })

  it('completes each sign-in once', async () => {
    await using server = await startWithKim()
    const { key } = await server.addPasskey(server.kim)
    const { challenge } = await startSecondStep(server)
    const [first, second] = [await server.getOptions(challenge), await server.getOptions(challenge)]
    expect((await server.sendResponse(key.get(first), { challenge })).statusCode).toBe(200)
    expect((await server.sendResponse(key.get(second), { challenge })).json().code).toBe('session.challenge_ended')
    expect((await server.post('/options', { challenge })).json().code).toBe('session.challenge_ended')
  })

  it('is refused after ten minutes, and after all sessions of the user have ended', async () => {
    await using server = await startWithKim()
    const { key } = await server.addPasskey(server.kim)
    const old = await startSecondStep(server)
    const response = key.get(await server.getOptions(old.challenge))
    server.advance(10 * 60_000 + 1)
    expect((await server.sendResponse(response, old)).json().code).toBe('request.invalid')
    expect((await server.sendResponse(response, { challenge: old.challenge })).json().code).toBe('session.challenge_ended')
    const { challenge } = await startSecondStep(server)
    await server.app.inject({ method: 'DELETE', url: '/v1/identity/session', headers: server.kim })
    expect((await server.post('/options', { challenge })).json().code).toBe('session.challenge_ended')
  })

  it('is not offered to people without one', async () => {
    await using server = await startWithKim()
    const { challenge, methods } = await withTotpOnly(server)
    expect(methods).toEqual(['totp', 'recovery_code'])
    expect((await server.post('/options', { challenge })).json().code).toBe('passkey.not_found')
  })

  async function withTotpOnly(server: Awaited<ReturnType<typeof startWithKim>>) {
    const call = (url: string, payload?: object) =>
      server.app.inject({ method: 'POST', url: `/v1/identity/${url}`, headers: server.kim, ...(payload && { payload }) })
    const { TOTP } = await import('otpauth')
    const { secret } = (await call('totp')).json().data
    const code = new TOTP({ secret }).generate({ timestamp: server.deps.now().getTime() })
    expect((await call('totp/confirm', { code })).statusCode).toBe(200)
    return startSecondStep(server)
  }
})

describe('confirming with a passkey', () => {
  async function startUnconfirmed() {
    const server = await startWithKim()
    const { key } = await server.addPasskey(server.kim)
    server.advance(16 * 60_000)
    const getOptions = async (headers = server.kim) => (await server.post('/confirm/options', undefined, headers)).json().data
    const confirm = (response: object, headers = server.kim) => server.post('/confirm', { response }, headers)
    const isConfirmed = async () => (await server.post('/registration', undefined, server.kim)).statusCode === 200
    return { ...server, getOptionsToSignIn: server.getOptions, key, getOptions, confirm, isConfirmed }
  }

  it('allows sensitive calls again', async () => {
    await using server = await startUnconfirmed()
    expect(await server.isConfirmed()).toBe(false)
    const options = await server.getOptions()
    expect(options.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([server.key.id])
    expect((await server.confirm(server.key.get(options))).statusCode).toBe(204)
    expect(await server.isConfirmed()).toBe(true)
    expect(await listAuditEntries(server)).toContainEqual(
      expect.objectContaining({ action: 'session.confirmed', note: 'passkey' }),
    )
  })

  it('refuses the passkey of someone else, and records it', async () => {
    await using server = await startUnconfirmed()
    await server.addUser({ email: 'ada@acme.example' })
    const { key } = await server.addPasskey(await server.startSessionAs('ada@acme.example'))
    const reply = await server.confirm(key.get(await server.getOptions()))
    expect(reply.json().code).toBe('session.wrong_passkey')
    expect(await server.isConfirmed()).toBe(false)
    expect(await listAuditEntries(server)).toContainEqual(
      expect.objectContaining({ action: 'session.refused', who: 'staff', name: email, note: 'passkey: of someone else' }),
    )
  })

  it('refuses a response that was signed for another session or a sign-in, or used before', async () => {
    await using server = await startUnconfirmed()
    const other = await server.startSessionAs(email)
    const options = await server.getOptions()
    const response = server.key.get(options)
    const replies = [
      await server.confirm(server.key.get(await server.getOptions(other))),
      await server.confirm(server.key.get(await server.getOptionsToSignIn())),
      await server.sendResponse(server.key.get(options)),
    ]
    expect(replies.map((reply) => reply.json().code)).toEqual(Array(3).fill('session.wrong_passkey'))
    expect(await server.isConfirmed()).toBe(false)
    expect((await server.confirm(response)).statusCode).toBe(204)
    expect((await server.confirm(response)).json().code).toBe('session.wrong_passkey')
  })

  it('returns 404 for people without a passkey', async () => {
    await using server = await startWithKim()
    expect((await server.post('/confirm/options', undefined, server.kim)).json().code).toBe('passkey.not_found')
  })
})
