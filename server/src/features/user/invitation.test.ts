import { describe, expect, it } from 'vitest'
import { setSettings } from '../settings/testing.ts'
import { chosenPassword, dayMs, invitedEmail as email, findInviteToken, startWithInvitations } from './testing.ts'

describe('inviting a user', () => {
  it('creates a user without a password and sends them a link by email', async () => {
    await using server = await startWithInvitations()
    const reply = await server.invite()
    expect(reply.statusCode).toBe(200)
    const ends_at = new Date(server.clock.now.getTime() + 7 * dayMs).toISOString()
    expect(reply.json().data).toMatchObject({ name: 'Ada Lovelace', email, suspended_at: null, invitation_ends_at: ends_at })
    await server.deliver()
    const [message] = server.sentEmails
    expect(message).toMatchObject({ to: email, subject: 'Kim Doe invited you to Neptune' })
    expect(message?.text).toContain('Hi Ada Lovelace,')
    expect(message?.text).toContain('Acme GmbH')
    expect(message?.text).toContain('8 December 2026, 09:00 (Coordinated Universal Time)')
    expect((await server.check(findInviteToken(message?.text))).statusCode).toBe(200)
  })

  it('shows the link to the admin only if there is no mail server', async () => {
    await using server = await startWithInvitations()
    const { link, data } = (await server.invite()).json()
    expect(findInviteToken(link.url)).toHaveLength(44)
    expect(link.ends_at).toBe(data.invitation_ends_at)
    expect(findInviteToken((await server.resend(data.id)).json().link.url)).toHaveLength(44)
    await setSettings({ app: server.app, headers: server.admin }, 'email', { smtp_host: 'mail.acme.example' })
    expect((await server.resend(data.id)).json().link).toBeUndefined()
    expect((await server.invite({ email: 'grace@acme.example' })).json().link).toBeUndefined()
  })

  it('takes either a password or an invitation, and reports all other errors, too', async () => {
    await using server = await startWithInvitations()
    const errorsOf = async (more: object) =>
      ((await server.invite(more)).json().errors ?? []).map(
        ({ field, message }: Record<string, string>) => `${field}: ${message}`,
      )
    expect(await errorsOf({ password: chosenPassword })).toEqual(['password: Send a password or an invitation, not both.'])
    expect(await errorsOf({ invite: undefined })).toEqual(['password: This field is missing.'])
    expect(await errorsOf({ invite: false })).toEqual(['password: This field is missing.'])
    expect((await errorsOf({ invite: undefined, name: '' })).map((error: string) => error.split(':')[0])).toEqual(
      expect.arrayContaining(['name', 'password']),
    )
    const withPassword = await server.invite({ invite: false, password: chosenPassword })
    expect(withPassword.json()).toMatchObject({ data: { invitation_ends_at: null } })
    expect(withPassword.json().link).toBeUndefined()
  })

  it('rejects an address that has an account or an invitation', async () => {
    await using server = await startWithInvitations()
    await server.invite()
    for (const address of [email, ` ${email.toUpperCase()} `, 'admin@acme.example'])
      expect((await server.invite({ email: address })).json().code, address).toBe('user.email_taken')
    await server.deliver()
    expect(server.sentEmails).toHaveLength(1)
  })

  it('counts against the limit of emails that staff may send, and creates nobody beyond it', async () => {
    await using server = await startWithInvitations()
    const { id } = await server.inviteAda()
    for (let i = 0; i < 4; i++) expect((await server.resend(id)).statusCode).toBe(200)
    const token = findInviteToken((await server.resend(id)).json().link?.url)
    expect(token).toBe('')
    expect((await server.resend(id)).json().code).toBe('mail.too_many')
    for (let i = 0; i < 20; i++) await server.invite({ email: `person${i}@acme.example` })
    expect((await server.invite({ email: 'last@acme.example' })).json().code).toBe('mail.too_many')
    const users = await server.send('GET', '/v1/admin/user?search=last@acme.example')
    expect(users.json().data).toEqual([])
  })

  it('is refused for an archived company', async () => {
    await using server = await startWithInvitations()
    const company = (await server.send('POST', '/v1/admin/company', { name: 'Globex' })).json().data.id
    await server.send('POST', `/v1/admin/company/${company}/archive`)
    expect((await server.invite({ company })).json().code).toBe('company.archived')
  })

  it('is recorded in the audit log, as are resending, revoking and accepting', async () => {
    await using server = await startWithInvitations()
    const { id } = await server.inviteAda()
    const token = findInviteToken((await server.resend(id)).json().link.url)
    await server.accept(token)
    const other = await server.inviteAda({ email: 'grace@acme.example' })
    await server.revoke(other.id)
    expect(await server.listActions()).toEqual([
      `user.created ${email}`,
      `user.invited ${email}`,
      `user.invitation_resent ${email}`,
      `user.invitation_accepted ${email}`,
      'user.created grace@acme.example',
      'user.invited grace@acme.example',
      'user.invitation_revoked grace@acme.example',
    ])
    const accepted = await server.deps.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'user.invitation_accepted')
      .execute()
    expect(accepted).toMatchObject([{ who: 'staff', person_id: id, person: 'Ada Lovelace' }])
  })
})

describe('an invited user', () => {
  it('cannot sign in or reset the password', async () => {
    await using server = await startWithInvitations()
    const { id } = await server.inviteAda()
    await server.deliver()
    expect((await server.signIn(email, chosenPassword)).json().code).toBe('session.wrong_credentials')
    expect((await server.send('POST', '/v1/identity/forgot', { email }, {})).statusCode).toBe(204)
    await server.deliver()
    expect(server.sentEmails).toHaveLength(1)
    // A session that exists anyway doesn't work either.
    await expect(server.startSessionAs(email)).rejects.toThrow('cannot sign in')
    await server.deps.db.updateTable('user').set({ invitation_id: null }).where('id', '=', id).execute()
    const session = await server.startSessionAs(email)
    await server.deps.db.updateTable('user').set({ invitation_id: 'again' }).where('id', '=', id).execute()
    expect((await server.send('GET', '/v1/identity', undefined, session)).statusCode).toBe(401)
  })

  it('gets no notice about a new email address, and the link stops working for good', async () => {
    await using server = await startWithInvitations()
    const { id, token } = await server.inviteAda()
    const change = (address: string) => server.send('PATCH', `/v1/admin/user/${id}`, { email: address })
    const changed = await change('countess@acme.example')
    expect(changed.json().data).toMatchObject({ invitation_ends_at: server.clock.now.toISOString() })
    expect((await server.accept(token)).json().code).toBe('invitation.not_found')
    await change(email)
    expect((await server.check(token)).json().code).toBe('invitation.not_found')
    await server.deliver()
    expect(server.sentEmails).toEqual([])
    await server.resend(id)
    await server.deliver()
    expect(server.sentEmails.map(({ to }) => to)).toEqual([email])
    expect((await server.accept(findInviteToken(server.sentEmails[0]?.text))).statusCode).toBe(200)
  })

  it('keeps the link when only the name or the role changes', async () => {
    await using server = await startWithInvitations()
    const { id, token } = await server.inviteAda()
    await server.send('PATCH', `/v1/admin/user/${id}`, { name: 'Ada King' })
    await server.send('PATCH', '/v1/admin/role', { email, role: 'NEPTUNE_ADMIN' })
    expect((await server.check(token)).json()).toEqual({ data: { name: 'Ada King', email, company_name: 'Acme GmbH' } })
    expect((await server.accept(token)).json()).toMatchObject({ info: { role: 'NEPTUNE_ADMIN' } })
  })

  it('loses the link when they are suspended, even after they are restored', async () => {
    await using server = await startWithInvitations()
    const { id, token } = await server.inviteAda()
    const suspended = await server.send('POST', `/v1/admin/user/${id}/suspend`)
    expect(suspended.json().data).toMatchObject({ invitation_ends_at: server.clock.now.toISOString() })
    expect((await server.accept(token)).json().code).toBe('invitation.not_found')
    expect((await server.resend(id)).json().code).toBe('user.suspended')
    await server.send('POST', `/v1/admin/user/${id}/restore`)
    expect((await server.accept(token)).json().code).toBe('invitation.not_found')
    await server.deliver()
    expect(server.sentEmails).toEqual([]) // the message with the closed link is dropped
    const next = findInviteToken((await server.resend(id)).json().link.url)
    expect((await server.accept(next)).statusCode).toBe(200)
  })

  it('does not count as an admin who could sign in', async () => {
    await using server = await startWithInvitations()
    const company = (await server.send('POST', '/v1/admin/company', { name: 'Globex' })).json().data.id
    const { token } = await server.inviteAda({ company, role: 'NEPTUNE_ADMIN' })
    const archive = () => server.send('POST', `/v1/admin/company/${server.companyId}/archive`)
    expect((await archive()).json().code).toBe('company.last_admin')
    expect((await server.accept(token)).statusCode).toBe(200)
    expect((await archive()).statusCode).toBe(200)
  })

  it('is listed with the end of the invitation', async () => {
    await using server = await startWithInvitations()
    const { token } = await server.inviteAda()
    const readRow = async () => (await server.send('GET', '/v1/admin/user?search=ada')).json().data[0]
    expect(await readRow()).toMatchObject({ email, invitation_ends_at: '2026-12-08T09:00:00.000Z' })
    await server.accept(token)
    expect(await readRow()).toMatchObject({ email, invitation_ends_at: null })
  })
})

describe('resending an invitation', () => {
  it('replaces the link and starts the seven days again, even after the first link has expired', async () => {
    await using server = await startWithInvitations()
    const { id, token } = await server.inviteAda()
    server.advance(8 * dayMs)
    const admin = await server.startSessionAs('admin@acme.example')
    const again = await server.send('POST', `/v1/admin/user/${id}/invitation`, undefined, admin)
    expect(again.json().data.invitation_ends_at).toBe(new Date(server.clock.now.getTime() + 7 * dayMs).toISOString())
    server.advance(6 * dayMs)
    expect((await server.check(token)).json().code).toBe('invitation.not_found')
    expect((await server.accept(findInviteToken(again.json().link.url))).statusCode).toBe(200)
  })

  it('sends only the newest link if an earlier email is still waiting', async () => {
    await using server = await startWithInvitations()
    const { id } = await server.inviteAda()
    await server.resend(id)
    await server.deliver()
    expect(server.sentEmails).toHaveLength(1)
    expect((await server.accept(findInviteToken(server.sentEmails[0]?.text))).statusCode).toBe(200)
  })

  it('is rejected for a user with a password, in an archived company, and for an unknown user', async () => {
    await using server = await startWithInvitations()
    const accepted = await server.inviteAda()
    await server.accept(accepted.token)
    expect((await server.resend(accepted.id)).json().code).toBe('user.not_invited')
    const company = (await server.send('POST', '/v1/admin/company', { name: 'Globex' })).json().data.id
    const { id } = await server.inviteAda({ email: 'grace@globex.example', company })
    await server.send('POST', `/v1/admin/company/${company}/archive`)
    expect((await server.resend(id)).json().code).toBe('company.archived')
    expect((await server.resend('nobody')).json().code).toBe('user.not_found')
  })
})

describe('revoking an invitation', () => {
  it('removes the user, so that the link stops working and the address is free again', async () => {
    await using server = await startWithInvitations()
    const { id, token } = await server.inviteAda({ access: 'selected', companies: [] })
    expect((await server.revoke(id)).statusCode).toBe(204)
    expect((await server.check(token)).json().code).toBe('invitation.not_found')
    expect((await server.accept(token)).json().code).toBe('invitation.not_found')
    expect((await server.send('GET', '/v1/admin/user?search=ada')).json().data).toEqual([])
    await server.deliver()
    expect(server.sentEmails).toEqual([])
    expect((await server.revoke(id)).json().code).toBe('user.not_found')
    expect((await server.invite()).statusCode).toBe(200)
  })

  it('never removes a user who has accepted', async () => {
    await using server = await startWithInvitations()
    const { id, token } = await server.inviteAda()
    await server.accept(token)
    expect((await server.revoke(id)).json().code).toBe('user.not_invited')
    expect((await server.signIn(email, chosenPassword)).statusCode).toBe(200)
  })

  it('fails if the user accepts it at the same time; otherwise, accepting it fails', async () => {
    await using server = await startWithInvitations()
    const { id, token } = await server.inviteAda()
    const [accepted, revoked] = await Promise.all([server.accept(token), server.revoke(id)])
    expect([accepted.statusCode, revoked.statusCode]).toEqual(accepted.statusCode === 200 ? [200, 409] : [404, 204])
  })
})
