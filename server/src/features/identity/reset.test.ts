import { describe, expect, it } from 'vitest'
import { startTestServer, toBearerHeader } from '../../testing.ts'

const email = 'kim@acme.example'
const newPassword = 'another long password'
const hour = 60 * 60_000

async function startWithKim() {
  const server = await startTestServer({ PUBLIC_URL: 'https://files.acme.example' })
  const userId = await server.addUser({ email })
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    server.app.inject({ method: 'POST', url, payload, headers })
  return {
    ...server,
    userId,
    forgot: (address: string, headers?: Record<string, string>) => post('/v1/identity/forgot', { email: address }, headers),
    check: (token: string) => post('/v1/identity/reset/check', { token }),
    reset: (token: string, secret = newPassword) => post('/v1/identity/reset', { token, password: secret }),
    /** Requests an email and returns the token in it. */
    async requestToken() {
      await post('/v1/identity/forgot', { email })
      await server.deliver()
      return tokenIn(server.sentEmails.at(-1)?.text)
    },
  }
}

const tokenIn = (text = '') => /^https:\/\/files\.acme\.example\/reset\/([\w-]{44})$/m.exec(text)?.[1] ?? ''

describe('a password reset', () => {
  it('replaces the password through an emailed link and ends all sessions', async () => {
    await using server = await startWithKim()
    const session = (await server.signIn(email)).json().token
    const token = await server.requestToken()
    expect((await server.check(token)).json()).toEqual({ data: { email } })
    expect((await server.reset(token)).statusCode).toBe(204)
    expect((await server.app.inject({ url: '/v1/identity', headers: toBearerHeader(session) })).statusCode).toBe(401)
    expect((await server.signIn(email)).statusCode).toBe(401)
    expect((await server.signIn(email, newPassword)).statusCode).toBe(200)
  })

  it('whose email is not sent within an hour is listed as failed, and cannot be sent again', async () => {
    await using server = await startWithKim()
    await server.addUser({ email: 'admin@acme.example', role: 'NEPTUNE_ADMIN' })
    await server.forgot(email)
    server.advance(hour)
    await server.deliver()
    const { db } = server.deps
    const readState = () => db.selectFrom('outbox').select(['id', 'state', 'problem']).executeTakeFirstOrThrow()
    expect(await readState()).toMatchObject({ state: 'failed', problem: 'The email couldn’t be sent in time.' })
    const headers = await server.startSessionAs('admin@acme.example')
    const again = { method: 'POST', url: `/v1/admin/mail/${(await readState()).id}/again`, headers } as const
    expect((await server.app.inject(again)).json().code).toBe('mail.not_repeatable')
    const list = await server.app.inject({ url: '/v1/admin/mail', headers })
    expect(list.json().data).toMatchObject([{ state: 'failed', can_repeat: false }])
  })

  it('returns the same response for a known and an unknown address, and sends an email only to the known one', async () => {
    await using server = await startWithKim()
    const [known, unknown] = [await server.forgot(' Kim@ACME.example '), await server.forgot('nobody@acme.example')]
    const withoutHeaderValues = ({ statusCode, body, headers }: typeof known) => ({
      statusCode,
      body,
      headers: Object.keys(headers),
    })
    expect(withoutHeaderValues(known)).toEqual(withoutHeaderValues(unknown))
    expect(known.statusCode).toBe(204)
    await server.deliver()
    expect(server.sentEmails.map(({ to }) => to)).toEqual([email])
    expect(await server.deps.db.selectFrom('outbox').select('recipient').execute()).toEqual([{ recipient: email }])
  })

  it('writes as many rows for an unknown address as for a known one, so that the response time reveals nothing', async () => {
    await using server = await startWithKim()
    const countRows = async () => ({
      resets: (await server.deps.db.selectFrom('password_reset').selectAll().execute()).length,
      emails: (await server.deps.db.selectFrom('outbox').selectAll().execute()).length,
    })
    await server.forgot(email)
    expect(await countRows()).toEqual({ resets: 1, emails: 1 })
    await server.forgot('nobody@acme.example')
    expect(await countRows()).toEqual({ resets: 2, emails: 2 })
  })

  it('works once: a second use, and all links sent before, are rejected', async () => {
    await using server = await startWithKim()
    const [first, second] = [await server.requestToken(), await server.requestToken()]
    expect((await server.reset(second)).statusCode).toBe(204)
    for (const token of [first, second]) {
      expect((await server.check(token)).json().code).toBe('reset.not_found')
      expect((await server.reset(token, 'yet another password')).json().code).toBe('reset.not_found')
    }
    expect((await server.signIn(email, newPassword)).statusCode).toBe(200)
  })

  it('works once for two concurrent requests', async () => {
    await using server = await startWithKim()
    const token = await server.requestToken()
    const replies = await Promise.all(['first long password', 'second long password'].map((p) => server.reset(token, p)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 404])
  })

  it('is valid for one hour', async () => {
    await using server = await startWithKim()
    const token = await server.requestToken()
    server.advance(hour - 1)
    expect((await server.check(token)).statusCode).toBe(200)
    server.advance(1)
    expect((await server.reset(token)).json().code).toBe('reset.not_found')
  })

  it('does not work for a user who is suspended before or after requesting it', async () => {
    await using server = await startWithKim()
    const token = await server.requestToken()
    await server.deps.db.updateTable('user').set({ suspended_at: 'now' }).where('id', '=', server.userId).execute()
    expect((await server.reset(token)).statusCode).toBe(404)
    await server.forgot(email)
    await server.deliver()
    expect(server.sentEmails).toHaveLength(1)
  })

  it('rejects a token that is altered, truncated or invented', async () => {
    await using server = await startWithKim()
    const token = await server.requestToken()
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    for (const guess of [changed, token.slice(0, 22), 'x', `${token}A`, 'A'.repeat(44)]) {
      expect((await server.reset(guess)).json().code, guess).toBe('reset.not_found')
    }
    expect((await server.reset(token)).statusCode).toBe(204)
  })

  it('stores its token neither in the database nor in the logs', async () => {
    await using server = await startWithKim()
    const token = await server.requestToken()
    await server.app.inject({ url: `/reset/${token}` })
    await server.check(token)
    const { db } = server.deps
    const rows = [
      await db.selectFrom('outbox').selectAll().execute(),
      await db.selectFrom('password_reset').selectAll().execute(),
    ]
    expect(JSON.stringify(rows)).not.toContain(token.slice(22))
    expect(server.logLines.join('')).not.toContain(token.slice(22))
  })

  it('rejects a weak password, and the link still works', async () => {
    await using server = await startWithKim()
    const token = await server.requestToken()
    expect((await server.reset(token, 'kim-doe-acme-2026')).json()).toMatchObject({
      code: 'request.invalid',
      errors: [{ field: 'password' }],
    })
    expect((await server.reset(token, 'short')).statusCode).toBe(400)
    expect((await server.reset(token)).statusCode).toBe(204)
  })

  it('notifies the user by email that the password was changed', async () => {
    await using server = await startWithKim()
    await server.reset(await server.requestToken())
    await server.deliver()
    expect(server.sentEmails.map(({ subject }) => subject)).toEqual(['Choose a new password', 'Your password was changed'])
  })

  it('clears the rate limit of the sign-in', async () => {
    await using server = await startWithKim()
    for (let i = 0; i < 10; i++) await server.signIn(email, `wrong password ${i}`)
    expect((await server.signIn(email)).statusCode).toBe(429)
    await server.reset(await server.requestToken())
    expect((await server.signIn(email, newPassword)).statusCode).toBe(200)
  })
})

describe('requesting a password reset', () => {
  it('P42: builds the link from PUBLIC_URL, whatever host the request claims', async () => {
    await using server = await startWithKim()
    await server.forgot(email, { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' })
    await server.deliver()
    const [sentEmail] = server.sentEmails
    expect(tokenIn(sentEmail?.text)).toHaveLength(44)
    expect(JSON.stringify(sentEmail)).not.toContain('evil')
  })

  it('sends at most five emails an hour to an address, and drops the rest silently', async () => {
    await using server = await startWithKim()
    for (let i = 0; i < 8; i++) expect((await server.forgot(email)).statusCode).toBe(204)
    await server.deliver()
    expect(server.sentEmails).toHaveLength(5)
    server.advance(hour)
    await server.forgot(email)
    await server.deliver()
    expect(server.sentEmails).toHaveLength(6)
  })

  it('starts a new limit after the password changes, so that an attacker cannot lock the owner out', async () => {
    await using server = await startWithKim()
    for (let i = 0; i < 6; i++) await server.forgot(email)
    await server.deliver()
    await server.reset(tokenIn(server.sentEmails[0]?.text)) // as an attacker would
    await server.deliver()
    const before = server.sentEmails.length
    await server.forgot(email)
    await server.deliver()
    expect(server.sentEmails).toHaveLength(before + 1)
  })

  it('does not count against the emails that staff may send to the address', async () => {
    await using server = await startWithKim()
    await server.addUser({ email: 'admin@acme.example', role: 'NEPTUNE_ADMIN' })
    for (let i = 0; i < 6; i++) await server.forgot('customer@client.example')
    const headers = await server.startSessionAs('admin@acme.example')
    const payload = { to: 'customer@client.example' }
    expect((await server.app.inject({ method: 'POST', url: '/v1/admin/mail/test', headers, payload })).statusCode).toBe(200)
  })

  it('is rate limited', async () => {
    await using server = await startWithKim()
    for (let i = 0; i < 60; i++) await server.forgot(`person${i}@acme.example`)
    const reply = await server.forgot(email)
    expect(reply.statusCode).toBe(429)
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  })

  it.each([
    'kim@acme.example\r\nBcc: eve@evil.example',
    'kim@acme.example,eve@evil.example',
    'Kim <kim@acme.example>',
    'kim',
    '',
  ])('P42: rejects %j as an address', async (address) => {
    await using server = await startWithKim()
    expect((await server.forgot(address)).json()).toMatchObject({
      code: 'request.invalid',
      errors: expect.arrayContaining([expect.objectContaining({ field: 'email' })]),
    })
  })
})
