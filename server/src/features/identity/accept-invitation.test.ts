import { describe, expect, it } from 'vitest'
import { toBearerHeader, withoutRequestId } from '../../testing.ts'
import { chosenPassword, dayMs, invitedEmail as email, findInviteToken, startWithInvitations } from '../user/testing.ts'

describe('P55: accepting an invitation', () => {
  it('shows whom it is for, sets the password and signs in', async () => {
    await using server = await startWithInvitations()
    const { id, token } = await server.inviteAda()
    expect((await server.check(token)).json()).toEqual({ data: { name: 'Ada Lovelace', email, company_name: 'Acme GmbH' } })
    const reply = await server.accept(token)
    expect(reply.json()).toMatchObject({ type: 'Bearer', info: { id, email } })
    expect(String(reply.headers['set-cookie'])).toMatch(/^_auth=.*HttpOnly/)
    const current = await server.send('GET', '/v1/identity', undefined, toBearerHeader(reply.json().token))
    expect(current.json().data).toMatchObject({ email })
    expect((await server.signIn(email, chosenPassword)).statusCode).toBe(200)
    await server.send('POST', '/v1/identity/forgot', { email }, {})
    await server.deliver()
    expect(server.sentEmails).toContainEqual(expect.objectContaining({ to: email, subject: 'Choose a new password' }))
  })

  it('works once', async () => {
    await using server = await startWithInvitations()
    const { token } = await server.inviteAda()
    expect((await server.accept(token)).statusCode).toBe(200)
    expect((await server.check(token)).json().code).toBe('invitation.not_found')
    expect((await server.accept(token, 'another long password')).json().code).toBe('invitation.not_found')
    expect((await server.signIn(email, chosenPassword)).statusCode).toBe(200)
  })

  it('works once for two concurrent requests', async () => {
    await using server = await startWithInvitations()
    const { token } = await server.inviteAda()
    const replies = await Promise.all(['first long password', 'second long password'].map((p) => server.accept(token, p)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 404])
    const winner = replies[0]?.statusCode === 200 ? 'first' : 'second'
    expect((await server.signIn(email, `${winner} long password`)).statusCode).toBe(200)
    expect((await server.listActions()).filter((action) => action.includes('accepted'))).toHaveLength(1)
  })

  it('fails after exactly 7 days', async () => {
    await using server = await startWithInvitations()
    const { token } = await server.inviteAda()
    server.advance(7 * dayMs - 1)
    expect((await server.check(token)).statusCode).toBe(200)
    server.advance(1)
    expect((await server.check(token)).json().code).toBe('invitation.not_found')
    expect((await server.accept(token)).json().code).toBe('invitation.not_found')
  })

  it('fails if the invitation expires while the password is being hashed', async () => {
    await using server = await startWithInvitations()
    const { token } = await server.inviteAda()
    server.advance(7 * dayMs - 1)
    const lastMoment = server.clock.now
    let reads = 0
    // The first two reads of the clock are for finding the invitation. Later ones return a time after it has expired.
    server.deps.now = () => (reads++ < 2 ? lastMoment : new Date(lastMoment.getTime() + 1))
    expect((await server.accept(token)).json().code).toBe('invitation.not_found')
    expect(reads).toBeGreaterThan(2)
  })

  it('is blocked while the company is archived, and works after it is restored', async () => {
    await using server = await startWithInvitations()
    const company = (await server.send('POST', '/v1/admin/company', { name: 'Globex' })).json().data.id
    const { token } = await server.inviteAda({ company })
    await server.send('POST', `/v1/admin/company/${company}/archive`)
    expect((await server.check(token)).json().code).toBe('invitation.not_found')
    expect((await server.accept(token)).json().code).toBe('invitation.not_found')
    await server.send('POST', `/v1/admin/company/${company}/restore`)
    expect((await server.accept(token)).statusCode).toBe(200)
  })

  it('still works after the link was opened, as mail scanners and link previews do', async () => {
    await using server = await startWithInvitations()
    const { token } = await server.inviteAda()
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST'] as const)
      await server.app.inject({ method, url: `/invitation/${token}` })
    for (let i = 0; i < 3; i++) await server.check(token)
    expect((await server.accept(token)).statusCode).toBe(200)
  })

  it('rejects a weak password, and the link still works', async () => {
    await using server = await startWithInvitations()
    const { token } = await server.inviteAda()
    for (const weak of ['ada-lovelace-2026', 'short', 'acme gmbh acme gmbh'])
      expect((await server.accept(token, weak)).json(), weak).toMatchObject({
        code: 'request.invalid',
        errors: [{ field: 'password' }],
      })
    expect((await server.accept(token)).statusCode).toBe(200)
  })

  it('clears the rate limit of the sign-in', async () => {
    await using server = await startWithInvitations()
    const { token } = await server.inviteAda()
    for (let i = 0; i < 10; i++) await server.signIn(email, `wrong password ${i}`)
    await server.accept(token)
    expect((await server.signIn(email, chosenPassword)).statusCode).toBe(200)
  })
})

describe('P55: guessing an invitation', () => {
  it('rejects a token that is altered, truncated or invented, and doesn’t accept the token for a password reset', async () => {
    await using server = await startWithInvitations()
    const { id, token } = await server.inviteAda()
    const { invitation_id } = await server.deps.db
      .selectFrom('user')
      .select('invitation_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    for (const guess of [altered, token.slice(0, 22), 'x', `${token}A`, 'A'.repeat(44), `${invitation_id}${'A'.repeat(22)}`]) {
      expect((await server.accept(guess)).json().code, guess).toBe('invitation.not_found')
    }
    expect((await server.send('POST', '/v1/identity/reset', { token, password: chosenPassword }, {})).json().code).toBe(
      'reset.not_found',
    )
    expect((await server.accept(token)).statusCode).toBe(200)
  })

  it('returns the same response for a used, an expired, a revoked and an unknown invitation', async () => {
    await using server = await startWithInvitations()
    const used = await server.inviteAda()
    await server.accept(used.token)
    const revoked = await server.inviteAda({ email: 'grace@acme.example' })
    await server.revoke(revoked.id)
    const expired = await server.inviteAda({ email: 'edith@acme.example' })
    server.advance(7 * dayMs)
    const replies = await Promise.all(
      [used.token, revoked.token, expired.token, 'A'.repeat(44)].map((token) => server.check(token)),
    )
    expect(new Set(replies.map(withoutRequestId)).size).toBe(1)
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
  })

  it('is rate limited per client, and does not lock out the invited user elsewhere', async () => {
    await using server = await startWithInvitations()
    const { token } = await server.inviteAda()
    for (let i = 0; i < 60; i++) await server.check(`${i}`.padEnd(44, 'A'))
    const reply = await server.check(token)
    expect(reply.json().code).toBe('session.too_many_tries')
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    const elsewhere = { method: 'POST', url: '/v1/identity/invitation', remoteAddress: '198.51.100.7' } as const
    const accepted = await server.app.inject({ ...elsewhere, payload: { token, password: chosenPassword } })
    expect(accepted.statusCode).toBe(200)
  })
})

describe('the link of an invitation', () => {
  it('has a token that is neither in the database nor in the logs', async () => {
    await using server = await startWithInvitations()
    await server.invite()
    await server.deliver()
    const token = findInviteToken(server.sentEmails[0]?.text)
    await server.app.inject({ url: `/invitation/${token}` })
    await server.check(token)
    const { db } = server.deps
    const rows = [
      await db.selectFrom('outbox').selectAll().execute(),
      await db.selectFrom('user').selectAll().execute(),
      await db.selectFrom('audit').selectAll().execute(),
    ]
    expect(JSON.stringify(rows)).not.toContain(token.slice(22))
    expect(server.logLines.join('')).not.toContain(token.slice(22))
  })

  it('P42: is built from PUBLIC_URL, whatever host the request claims', async () => {
    await using server = await startWithInvitations()
    const headers = { ...server.admin, host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const payload = { name: 'Ada', email, company: server.companyId, role: 'NEPTUNE_USER', invite: true }
    const reply = await server.app.inject({ method: 'POST', url: '/v1/admin/user', headers, payload })
    await server.deliver()
    expect(findInviteToken(reply.json().link.url)).toHaveLength(44)
    expect(JSON.stringify(server.sentEmails)).not.toContain('evil')
  })
})
