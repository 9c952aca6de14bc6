import { describe, expect, it } from 'vitest'
import { password } from '../../testing.ts'
import { sweepFactorResets } from './factor-reset.service.ts'
import { createAuthenticatorApp, email, startWithKim } from './testing.ts'

const minuteMs = 60_000

describe('an authenticator app', () => {
  it('is set up with a secret that has no effect until a code confirms it', async () => {
    await using server = await startWithKim()
    const { secret, uri } = (await server.post('/v1/identity/totp')).json().data
    expect(uri).toBe(
      `otpauth://totp/Neptune:kim%40acme.example?issuer=Neptune&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
    expect((await server.enterPassword()).reply.statusCode).toBe(200)
    const wrong = await server.post('/v1/identity/totp/confirm', { code: '000000' })
    expect(wrong.json().code).toBe('session.wrong_code')
    const authenticatorApp = createAuthenticatorApp(secret, () => server.clock.now)
    expect((await server.post('/v1/identity/totp/confirm', { code: authenticatorApp.read() })).statusCode).toBe(200)
    expect((await server.get('/v1/identity/factor')).json().data).toMatchObject({
      totp_since: server.deps.now().toISOString(),
      recovery_codes: 10,
      is_required: false,
    })
    expect((await server.enterPassword()).reply.json().code).toBe('session.second_factor')
  })

  it('can be removed, which also removes the recovery codes', async () => {
    await using server = await startWithKim()
    await server.setUpTotp()
    expect((await server.post('/v1/identity/totp')).json().code).toBe('factor.exists')
    expect((await server.remove('/v1/identity/totp')).statusCode).toBe(204)
    expect((await server.remove('/v1/identity/totp')).json().code).toBe('factor.missing')
    expect((await server.get('/v1/identity/factor')).json().data).toMatchObject({ totp_since: null, recovery_codes: 0 })
    expect((await server.enterPassword()).reply.statusCode).toBe(200)
  })

  it('is sealed in the database, and its changes are sent by email', async () => {
    await using server = await startWithKim()
    const { secret } = await server.setUpTotp()
    const [row] = await server.deps.db.selectFrom('totp').selectAll().execute()
    expect(JSON.stringify(row)).not.toContain(secret)
    await server.remove('/v1/identity/totp')
    await server.deliver()
    const texts = server.sentEmails.map(({ text }) => text)
    expect(texts).toHaveLength(2)
    // Emails with the same timestamp are sent in any order.
    for (const line of [
      'An authenticator app was added to your account.',
      'The authenticator app was removed from your account.',
    ])
      expect(texts).toContainEqual(expect.stringContaining(line))
  })
})

describe('a required second factor', () => {
  const require = (server: Awaited<ReturnType<typeof startWithKim>>, values: object) =>
    server.app.inject({
      method: 'PATCH',
      url: '/v1/admin/settings/security',
      headers: server.headers,
      payload: { version: 0, values },
    })

  it('blocks open sessions and API tokens until it is set up, and then can’t be removed', async () => {
    await using server = await startWithKim('NEPTUNE_ADMIN')
    const { token } = (await server.post('/v1/token', { name: 'script', scope: 'write' })).json().data
    const script = { authorization: `Bearer ${token}` }
    expect((await server.get('/v1/directory', script)).statusCode).toBe(200)
    expect((await require(server, { second_factor: 'admins' })).statusCode).toBe(200)
    for (const headers of [server.headers, script])
      expect((await server.get('/v1/directory', headers)).json().code).toBe('session.factor_required')
    expect((await server.get('/v1/link/x/info')).statusCode).toBe(404)
    expect((await server.get('/v1/identity')).statusCode).toBe(200)
    expect((await server.get('/v1/identity/factor')).json().data).toMatchObject({ is_required: true, required_from: null })
    await server.setUpTotp()
    for (const headers of [server.headers, script]) expect((await server.get('/v1/directory', headers)).statusCode).toBe(200)
    expect((await server.remove('/v1/identity/totp')).json().code).toBe('factor.required')
  })

  it('is not required of users if only admins need one', async () => {
    await using server = await startWithKim('NEPTUNE_ADMIN')
    await server.addUser({ email: 'lee@acme.example' })
    const lee = await server.startSessionAs('lee@acme.example')
    await require(server, { second_factor: 'admins' })
    expect((await server.get('/v1/directory', lee)).statusCode).toBe(200)
  })

  it('is required from the chosen day on', async () => {
    await using server = await startWithKim('NEPTUNE_ADMIN')
    await require(server, { second_factor: 'everyone', second_factor_from: '2026-12-03' })
    expect((await server.get('/v1/directory')).statusCode).toBe(200)
    expect((await server.get('/v1/identity/factor')).json().data).toMatchObject({
      is_required: true,
      required_from: '2026-12-03',
    })
    server.clock.now = new Date('2026-12-03T00:00:00.000Z')
    const headers = await server.startSessionAs(email)
    expect((await server.get('/v1/directory', headers)).json().code).toBe('session.factor_required')
  })
})

describe('removing the second factor of someone else', () => {
  async function startWithLee() {
    const server = await startWithKim('NEPTUNE_ADMIN')
    const lee = 'lee@acme.example'
    const id = await server.addUser({ email: lee })
    const leesHeaders = await server.startSessionAs(lee)
    const url = `/v1/admin/user/${id}/factor-reset`
    const needsCode = async () => (await server.signIn(lee)).json().code === 'session.second_factor'
    const readToken = async () => {
      await server.deliver()
      const mail = server.sentEmails.find(({ to, text }) => to === lee && text.includes('/factor-reset/'))
      return /\/factor-reset\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    }
    return { ...server, id, url, leesHeaders, needsCode, readToken }
  }

  it('takes effect after an hour, and then notifies the person', async () => {
    await using server = await startWithLee()
    await server.setUpTotp(server.leesHeaders)
    const reply = await server.post(server.url)
    const dueAt = new Date(server.deps.now().getTime() + 60 * minuteMs).toISOString()
    expect(reply.json().data).toEqual({ due_at: dueAt })
    expect((await server.get(`/v1/admin/user/${server.id}`)).json().data).toMatchObject({
      has_second_factor: true,
      factor_reset_at: dueAt,
    })
    server.advance(59 * minuteMs)
    expect(await server.needsCode()).toBe(true)
    server.advance(minuteMs)
    expect(await server.needsCode()).toBe(false)
    await server.deliver()
    expect(server.sentEmails.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('Your second factors and passkeys were removed'),
    )
  })

  it('takes effect after an hour in a background task, too', async () => {
    await using server = await startWithLee()
    await server.setUpTotp(server.leesHeaders)
    await server.post(server.url)
    server.advance(60 * minuteMs)
    await sweepFactorResets(server.deps)
    expect((await server.get(`/v1/admin/user/${server.id}`, await server.startSessionAs(email))).json().data).toMatchObject({
      has_second_factor: false,
      factor_reset_at: null,
    })
  })

  it('takes effect at once if the person agrees, with a token that works once', async () => {
    await using server = await startWithLee()
    await server.setUpTotp(server.leesHeaders)
    await server.post(server.url)
    const token = await server.readToken()
    const check = await server.post('/v1/identity/factor-reset/check', { token }, {})
    expect(check.json().data).toMatchObject({ email: 'lee@acme.example' })
    expect(await server.needsCode()).toBe(true)
    expect((await server.post('/v1/identity/factor-reset', { token, agree: true }, {})).statusCode).toBe(204)
    expect(await server.needsCode()).toBe(false)
    const again = await server.post('/v1/identity/factor-reset', { token, agree: true }, {})
    expect(again.json().code).toBe('factor.reset_not_found')
  })

  it('does not take effect if the person or an admin cancels it', async () => {
    await using server = await startWithLee()
    await server.setUpTotp(server.leesHeaders)
    await server.post(server.url)
    const token = await server.readToken()
    expect((await server.post('/v1/identity/factor-reset', { token, agree: false }, {})).statusCode).toBe(204)
    await server.post(server.url)
    expect((await server.remove(server.url)).statusCode).toBe(204)
    expect((await server.remove(server.url)).json().code).toBe('factor.missing')
    server.advance(60 * minuteMs)
    expect(await server.needsCode()).toBe(true)
  })

  it('does not take effect after a change of the email address, because the link to cancel it was sent to the old one', async () => {
    await using server = await startWithLee()
    await server.setUpTotp(server.leesHeaders)
    await server.post(server.url)
    const user = `/v1/admin/user/${server.id}`
    const payload = { email: 'new.lee@acme.example' }
    const change = await server.app.inject({ method: 'PATCH', url: user, payload, headers: server.headers })
    expect(change.statusCode).toBe(200)
    expect((await server.get(user)).json().data).toMatchObject({ has_second_factor: true, factor_reset_at: null })
    expect((await server.get('/v1/activity?action=factor.reset_cancelled')).json().data).toHaveLength(1)
  })

  it('does not remove factors that the person has set up again meanwhile', async () => {
    await using server = await startWithLee()
    await server.setUpTotp(server.leesHeaders)
    await server.post(server.url)
    expect((await server.remove('/v1/identity/totp', server.leesHeaders)).statusCode).toBe(204)
    await server.setUpTotp(server.leesHeaders)
    server.advance(60 * minuteMs)
    await sweepFactorResets(server.deps)
    expect(await server.needsCode()).toBe(true)
  })

  it('rejects a request for oneself, and a forged token', async () => {
    await using server = await startWithLee()
    await server.setUpTotp(server.leesHeaders)
    await server.setUpTotp()
    expect((await server.post(`/v1/admin/user/${server.userId}/factor-reset`)).json().code).toBe('user.own_role')
    await server.post(server.url)
    const forged = `${(await server.readToken()).slice(0, 22)}${'A'.repeat(22)}`
    const reply = await server.post('/v1/identity/factor-reset', { token: forged, agree: true }, {})
    expect(reply.json().code).toBe('factor.reset_not_found')
  })
})

describe('a sensitive call', () => {
  const quarterHourMs = 15 * minuteMs

  it('needs a confirmation after 15 minutes, with the password or a code', async () => {
    await using server = await startWithKim()
    const authenticatorApp = await server.setUpTotp()
    const createToken = () => server.post('/v1/token', { name: 'script', scope: 'read' })
    expect((await createToken()).statusCode).toBe(200)
    server.advance(quarterHourMs)
    expect((await createToken()).json()).toMatchObject({ status: 403, code: 'session.unconfirmed' })
    expect((await server.get('/v1/token')).statusCode).toBe(200)
    expect((await server.post('/v1/identity/confirm', { password: 'a wrong password' })).statusCode).toBe(401)
    expect((await server.post('/v1/identity/confirm', { password })).statusCode).toBe(204)
    expect((await createToken()).statusCode).toBe(200)
    server.advance(quarterHourMs + 1000)
    expect((await createToken()).statusCode).toBe(403)
    expect((await server.post('/v1/identity/confirm', { code: '000000' })).json().code).toBe('session.wrong_code')
    expect((await server.post('/v1/identity/confirm', { code: authenticatorApp.read() })).statusCode).toBe(204)
    expect((await createToken()).statusCode).toBe(200)
  })

  it('is creating or promoting an admin, but not creating a user', async () => {
    await using server = await startWithKim('NEPTUNE_ADMIN')
    server.advance(quarterHourMs + 1000)
    const company = (await server.get('/v1/company')).json().data[0].id
    const create = (role: string) =>
      server.post('/v1/admin/user', {
        name: 'Lee Park',
        email: `${role}@acme.example`,
        company,
        role,
        password: 'a long new password',
      })
    expect((await create('NEPTUNE_USER')).statusCode).toBe(200)
    expect((await create('NEPTUNE_ADMIN')).json().code).toBe('session.unconfirmed')
    const promote = { method: 'PATCH' as const, url: '/v1/admin/role', headers: server.headers }
    const payload = { email: 'NEPTUNE_USER@acme.example', role: 'NEPTUNE_ADMIN' }
    expect((await server.app.inject({ ...promote, payload })).json().code).toBe('session.unconfirmed')
  })

  it('is changing the email address of another account, inviting its owner again, or restoring it', async () => {
    await using server = await startWithKim('NEPTUNE_ADMIN')
    const company = (await server.get('/v1/company')).json().data[0].id
    const lee = await server.addUser({ email: 'lee@acme.example', role: 'NEPTUNE_ADMIN' })
    const invite = { name: 'Ada', email: 'ada@acme.example', company, role: 'NEPTUNE_ADMIN', invite: true }
    const ada = (await server.post('/v1/admin/user', invite)).json().data.id
    const change = (payload: object) =>
      server.app.inject({ method: 'PATCH', url: `/v1/admin/user/${lee}`, headers: server.headers, payload })
    server.advance(quarterHourMs + 1000)
    expect((await change({ email: 'kim+lee@acme.example' })).json().code).toBe('session.unconfirmed')
    expect((await change({ name: 'Lee', email: 'LEE@acme.example' })).statusCode).toBe(200) // the same address
    expect((await server.post(`/v1/admin/user/${ada}/invitation`)).json().code).toBe('session.unconfirmed')
    expect((await server.post(`/v1/admin/user/${lee}/suspend`)).statusCode).toBe(200)
    expect((await server.post(`/v1/admin/user/${lee}/restore`)).json().code).toBe('session.unconfirmed')
    await server.post('/v1/identity/confirm', { password })
    expect((await server.post(`/v1/admin/user/${lee}/restore`)).statusCode).toBe(200)
    expect((await change({ email: 'kim+lee@acme.example' })).statusCode).toBe(200)
    expect((await server.post(`/v1/admin/user/${ada}/invitation`)).statusCode).toBe(200)
  })
})
