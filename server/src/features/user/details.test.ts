import { describe, expect, it } from 'vitest'
import { startTestServer, toBearerHeader } from '../../testing.ts'
import { writeQueuedEntries } from '../audit/audit.service.ts'

const admin = 'admin@acme.example'
const kim = 'kim@acme.example'

async function startOffice() {
  const server = await startTestServer({ PUBLIC_URL: 'https://files.acme.example' })
  const adminId = await server.addUser({ email: admin, role: 'NEPTUNE_ADMIN' })
  const kimId = await server.addUser({ email: kim })
  const asAdmin = await server.startSessionAs(admin)
  const change = (payload: object, id = kimId, headers = asAdmin) =>
    server.app.inject({ method: 'PATCH', url: `/v1/admin/user/${id}`, headers, payload })
  const readAuditLog = async () => {
    await writeQueuedEntries(server.deps)
    return server.deps.db.selectFrom('audit').select(['action', 'person', 'name', 'note']).orderBy('seq').execute()
  }
  return { ...server, adminId, kimId, asAdmin, change, readAuditLog }
}

describe('another user’s name and email', () => {
  it('can be changed by an admin; sign-in then needs the new email', async () => {
    await using server = await startOffice()
    const reply = await server.change({ name: ' Kim Duck ', email: ' Kim.Duck@ACME.example ' })
    const listed = await server.app.inject({ url: '/v1/admin/user?search=duck', headers: server.asAdmin })
    expect(reply.json().data).toMatchObject({ id: server.kimId, name: 'Kim Duck', email: 'kim.duck@acme.example' })
    expect(listed.json().data).toEqual([reply.json().data])
    expect((await server.signIn(kim)).statusCode).toBe(401)
    expect((await server.signIn('kim.duck@acme.example')).json().info.name).toBe('Kim Duck')
  })

  it('change without ending sessions, which show the new values at once', async () => {
    await using server = await startOffice()
    const asKim = await server.startSessionAs(kim)
    const changed = { name: 'Kim Duck', email: 'duck@acme.example' }
    await server.change(changed)
    expect((await server.app.inject({ url: '/v1/identity', headers: asKim })).json().data).toMatchObject(changed)
  })

  it('appear in the audit log with the previous value when they change', async () => {
    await using server = await startOffice()
    const before = (await server.readAuditLog()).length
    await server.change({ name: 'Kim Duck', email: 'duck@acme.example' })
    await server.change({ name: 'Kim Duck', email: 'duck@acme.example' }) // nothing new
    const about = { person: 'Kim Doe', name: 'duck@acme.example' }
    expect((await server.readAuditLog()).slice(before)).toEqual([
      { action: 'user.renamed', ...about, note: 'was Kim Doe' },
      { action: 'user.email_changed', ...about, note: `was ${kim}` },
    ])
  })

  it.each([
    ['an empty object', {}],
    ['a name of spaces', { name: '  ' }],
    ['a name with a line break', { name: 'Kim\nDoe' }],
    ['a list of addresses', { email: 'a@b.example,c@d.example' }],
    ['a role', { name: 'Kim', role: 'NEPTUNE_ADMIN' }],
    ['a company', { name: 'Kim', company: 'x' }],
    ['a password', { name: 'Kim', password: 'a long enough password' }],
  ])('P12: cannot be changed with %s', async (_, payload) => {
    await using server = await startOffice()
    const before = await server.deps.db.selectFrom('user').selectAll().orderBy('id').execute()
    expect((await server.change(payload)).json().code).toBe('request.invalid')
    expect(await server.deps.db.selectFrom('user').selectAll().orderBy('id').execute()).toEqual(before)
  })

  it.each([
    'An administrator',
    ' an  ADMINISTRATOR ',
    'An\u00a0administrator',
    'An admin\u200bistrator',
    'Ａｎ administrator',
    'Ada Byron (token Backup)',
    'Ada Byron ( TOKEN  x ) ',
    'Ada Byron （token Backup）',
    '(token)',
  ])('cannot be a name that the audit log uses for others: %j', async (name) => {
    await using server = await startOffice()
    const message = 'This name is reserved. Choose a different one.'
    expect((await server.change({ name })).json()).toMatchObject({
      code: 'request.invalid',
      errors: [{ field: 'name', message }],
    })
  })

  it.each(['Ann Administrator', 'Administrator', 'Kim (Token Ring) Doe', 'Kim Doe (Sales)'])('can be %s', async (name) => {
    await using server = await startOffice()
    expect((await server.change({ name })).json().data.name).toBe(name)
  })

  it('cannot be changed for an unknown user, nor for oneself without the password', async () => {
    await using server = await startOffice()
    expect((await server.change({ name: 'A' }, 'nobody')).json().code).toBe('user.not_found')
    expect((await server.change({ email: 'a@b.example' }, server.adminId)).json().code).toBe('user.own_details')
  })

  it('cannot be changed with an admin’s API token', async () => {
    await using server = await startOffice()
    const payload = { name: 'Script', scope: 'write' }
    const created = await server.app.inject({ method: 'POST', url: '/v1/token', headers: server.asAdmin, payload })
    const headers = toBearerHeader(created.json().data.token)
    expect((await server.change({ name: 'A' }, server.kimId, headers)).json().code).toBe('token.forbidden')
  })
})

describe('an email that is taken', () => {
  it('P12: is rejected for others, ignoring case, but accepted for its own user', async () => {
    await using server = await startOffice()
    expect((await server.change({ name: 'Kim Duck', email: 'ADMIN@acme.EXAMPLE' })).json().code).toBe('user.email_taken')
    const reply = await server.change({ name: 'Kim Duck', email: 'KIM@acme.EXAMPLE' })
    expect(reply.json().data).toMatchObject({ name: 'Kim Duck', email: kim })
  })

  it('goes to only one of two users who are given it at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      await using server = await startOffice()
      const otherId = await server.addUser({ email: 'other@acme.example' })
      const replies = await Promise.all([server.kimId, otherId].map((id) => server.change({ email: 'new@acme.example' }, id)))
      expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    }
  })

  it('is rejected for both users, without a deadlock, when they swap emails at the same time', async () => {
    await using server = await startOffice()
    const otherId = await server.addUser({ email: 'other@acme.example' })
    const replies = await Promise.all([server.change({ email: 'other@acme.example' }), server.change({ email: kim }, otherId)])
    expect(replies.map((reply) => reply.json().code)).toEqual(['user.email_taken', 'user.email_taken'])
  })
})

describe('a changed email', () => {
  it('is announced to both addresses; the notice to the old one does not contain the new one', async () => {
    await using server = await startOffice()
    await server.change({ email: 'duck@acme.example' })
    await server.deliver()
    const notices = Object.fromEntries(server.sentEmails.map(({ to, subject, text }) => [to, { subject, text }]))
    expect(Object.keys(notices).toSorted()).toEqual(['duck@acme.example', kim])
    expect(notices[kim]?.subject).toBe('Your email address was changed')
    expect(notices[kim]?.text).not.toContain('duck@')
    expect(notices['duck@acme.example']?.text).toContain('duck@acme.example')
  })

  it('sends no notice if only the name changes', async () => {
    await using server = await startOffice()
    await server.change({ name: 'Kim Duck', email: kim })
    await server.deliver()
    expect(server.sentEmails).toEqual([])
  })

  it('invalidates password reset links that were sent, or are queued, to the old address', async () => {
    await using server = await startOffice()
    const forgot = (email: string) => server.app.inject({ method: 'POST', url: '/v1/identity/forgot', payload: { email } })
    const tokens = () => server.sentEmails.flatMap(({ text }) => /\/reset\/([\w-]{44})$/m.exec(text)?.[1] ?? [])
    const check = (token = '') => server.app.inject({ method: 'POST', url: '/v1/identity/reset/check', payload: { token } })
    await forgot(kim)
    await server.deliver()
    expect((await check(tokens()[0])).statusCode).toBe(200)
    await forgot(kim)
    await server.change({ email: 'duck@acme.example' })
    await server.deliver()
    expect(tokens()).toHaveLength(1)
    expect((await check(tokens()[0])).json().code).toBe('reset.not_found')
    await forgot('duck@acme.example')
    await server.deliver()
    expect((await check(tokens()[1])).json().data.email).toBe('duck@acme.example')
  })

  it('invalidates password reset links permanently, even if the old address comes back', async () => {
    await using server = await startOffice()
    await server.app.inject({ method: 'POST', url: '/v1/identity/forgot', payload: { email: kim } })
    await server.deliver()
    const token = /\/reset\/([\w-]{44})$/m.exec(server.sentEmails[0]?.text ?? '')?.[1]
    await server.change({ name: 'Kim Duck', email: kim })
    const check = () => server.app.inject({ method: 'POST', url: '/v1/identity/reset/check', payload: { token } })
    expect((await check()).statusCode).toBe(200)
    for (const email of ['duck@acme.example', kim]) expect((await server.change({ email })).statusCode).toBe(200)
    expect((await check()).json().code).toBe('reset.not_found')
  })

  it.each(['link_uploads', 'link_downloaded', 'link_asked', 'links_handed_over', 'quota_warning'] as const)(
    'moves queued notices to the new address: %s',
    async (letter) => {
      await using server = await startOffice()
      const mail = { letter, about: 'x time', state: 'waiting' as const, created_at: '2026-12-01T09:00:00.000Z' }
      const due = { next_at: '2026-12-01T10:00:00.000Z', ends_at: '2026-12-03T09:00:00.000Z', tries: 0, refusals: 0 }
      await server.deps.db
        .insertInto('outbox')
        .values({ id: 'm1', recipient: kim, ...mail, ...due, claim: null, sent_at: null, problem: null })
        .execute()
      await server.change({ email: 'duck@acme.example' })
      const waiting = server.deps.db.selectFrom('outbox').select('recipient').where('id', '=', 'm1')
      expect(await waiting.execute()).toEqual([{ recipient: 'duck@acme.example' }])
    },
  )

  it('cannot flood an address: the limit of five emails an hour applies', async () => {
    await using server = await startOffice()
    const addresses = ['a@victim.example', kim]
    const replies: number[] = []
    for (let i = 0; i < 6; i++) replies.push((await server.change({ email: addresses[i % 2] ?? '' })).statusCode)
    expect(replies).toEqual([200, 200, 200, 200, 200, 429])
    await server.deliver()
    for (const address of addresses) expect(server.sentEmails.filter(({ to }) => to === address)).toHaveLength(5)
  })
})
