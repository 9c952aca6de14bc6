import { describe, expect, it } from 'vitest'
import { password, startTestServer, toBearerHeader } from '../../testing.ts'
import { writeQueuedEntries } from '../audit/audit.service.ts'

const email = 'kim@acme.example'

async function startSignedIn() {
  const server = await startTestServer()
  await server.addUser({ email })
  await server.addUser({ email: 'other@globex.example' })
  const token: string = (await server.signIn(email)).json().token
  const change = (payload: object) =>
    server.app.inject({ method: 'PATCH', url: '/v1/identity/details', headers: toBearerHeader(token), payload })
  const readCurrent = () => server.app.inject({ url: '/v1/identity', headers: toBearerHeader(token) })
  const readAuditLog = async () => {
    await writeQueuedEntries(server.deps)
    return server.deps.db.selectFrom('audit').select(['action', 'outcome', 'name', 'note']).orderBy('seq').execute()
  }
  return { ...server, token, change, readCurrent, readAuditLog }
}

describe('a user’s own name and email', () => {
  it('change with the password; the session continues, and sign-in needs the new email', async () => {
    await using server = await startSignedIn()
    const reply = await server.change({ name: 'Kim Duck', email: 'Duck@acme.example', password })
    expect(reply.json().data).toMatchObject({ name: 'Kim Duck', email: 'duck@acme.example', role: 'NEPTUNE_USER' })
    expect((await server.readCurrent()).json()).toEqual(reply.json())
    expect((await server.signIn('duck@acme.example')).statusCode).toBe(200)
    expect((await server.signIn(email)).statusCode).toBe(401)
    await server.deliver()
    const notices = server.sentEmails.filter(({ subject }) => !subject.startsWith('New sign-in'))
    expect(notices.map(({ to }) => to).toSorted()).toEqual(['duck@acme.example', email])
  })

  it('require the password, and the rate of attempts is limited', async () => {
    await using server = await startSignedIn()
    const guess = (i: number) => server.change({ email: 'thief@evil.example', password: `guess ${i}` })
    for (let i = 0; i < 10; i++) expect((await guess(i)).json().code).toBe('session.wrong_credentials')
    expect((await guess(10)).json().code).toBe('session.too_many_tries')
    // Changing the password has the same limit: there are not ten more attempts.
    const payload = { oldPassword: password, newPassword: 'another long password' }
    const url = '/v1/identity/password'
    expect((await server.app.inject({ method: 'PATCH', url, headers: toBearerHeader(server.token), payload })).statusCode).toBe(
      429,
    )
    expect((await server.readCurrent()).json().data.email).toBe(email)
    expect((await server.readAuditLog()).filter(({ outcome }) => outcome === 'refused')).toContainEqual(
      expect.objectContaining({ action: 'user.email_changed', name: email, note: null }),
    )
  })

  it('P12: cannot be taken from another user; attempts are limited, but do not block emails to that user', async () => {
    await using server = await startSignedIn()
    await server.addUser({ email: 'admin@acme.example', role: 'NEPTUNE_ADMIN' })
    const codes: string[] = []
    for (let i = 0; i < 21; i++) codes.push((await server.change({ email: 'Other@globex.example', password })).json().code)
    expect(codes).toEqual([...Array.from({ length: 20 }, () => 'user.email_taken'), 'mail.too_many'])
    expect((await server.change({ email: 'free@acme.example', password })).json().code).toBe('mail.too_many')
    expect((await server.readCurrent()).json().data.email).toBe(email)
    const headers = await server.startSessionAs('admin@acme.example')
    const test = { method: 'POST', url: '/v1/admin/mail/test', headers, payload: { to: 'other@globex.example' } } as const
    expect((await server.app.inject(test)).statusCode).toBe(200)
  })

  it('cannot include a reserved name, such as the one that the audit log shows for some admins', async () => {
    await using server = await startSignedIn()
    expect((await server.change({ name: 'an Administrator', password })).json().errors).toMatchObject([{ field: 'name' }])
    expect((await server.readCurrent()).json().data.name).toBe('Kim Doe')
  })

  it.each([
    ['no password', { name: 'Kim' }],
    ['nothing to change', { password }],
    ['a role', { name: 'Kim', password, role: 'NEPTUNE_ADMIN' }],
    ['another user’s id', { name: 'Kim', password, id: 'x' }],
    ['a display name in the email', { email: 'Kim <kim@acme.example>', password }],
  ])('P12: cannot be changed with %s', async (_, payload) => {
    await using server = await startSignedIn()
    expect((await server.change(payload)).json().code).toBe('request.invalid')
  })

  it('cannot be changed with an API token', async () => {
    await using server = await startSignedIn()
    const created = await server.app.inject({
      method: 'POST',
      url: '/v1/token',
      headers: toBearerHeader(server.token),
      payload: { name: 'Script', scope: 'write' },
    })
    const reply = await server.app.inject({
      method: 'PATCH',
      url: '/v1/identity/details',
      headers: toBearerHeader(created.json().data.token),
      payload: { name: 'Kim', password },
    })
    expect(reply.json().code).toBe('token.forbidden')
  })

  it('appear in the audit log: a new name with the previous one', async () => {
    await using server = await startSignedIn()
    await server.change({ name: 'Kim Duck', password })
    expect((await server.readAuditLog()).at(-1)).toEqual({
      action: 'user.renamed',
      outcome: 'done',
      name: email,
      note: 'was Kim Doe',
    })
  })
})

describe('a user’s own language', () => {
  const startChoosing = async () => {
    const server = await startSignedIn()
    const choose = (payload: object) =>
      server.app.inject({ method: 'PATCH', url: '/v1/identity/language', headers: toBearerHeader(server.token), payload })
    return { ...server, choose }
  }

  it('is null until they choose one, and is then part of every new session', async () => {
    await using server = await startChoosing()
    expect((await server.readCurrent()).json().data.language).toBeNull()
    const reply = await server.choose({ language: 'fr' })
    expect(reply.json().data).toMatchObject({ email, language: 'fr' })
    expect((await server.readCurrent()).json()).toEqual(reply.json())
    expect((await server.signIn(email)).json().info.language).toBe('fr')
    expect((await server.choose({ language: null })).json().data.language).toBeNull()
  })

  it.each([{ language: 'pl' }, { language: 'DE' }, { language: '' }, {}, { language: 'de', user: 'other' }])(
    'rejects %j',
    async (payload) => {
      await using server = await startChoosing()
      expect((await server.choose(payload)).statusCode).toBe(400)
      expect((await server.readCurrent()).json().data.language).toBeNull()
    },
  )

  it('changes only for the user of the session', async () => {
    await using server = await startChoosing()
    await server.choose({ language: 'nl' })
    expect((await server.signIn('other@globex.example')).json().info.language).toBeNull()
  })

  it('appears in the audit log when it changes, but not when it stays the same', async () => {
    await using server = await startChoosing()
    for (const language of ['de', 'de', 'it', null]) await server.choose({ language })
    const entries = (await server.readAuditLog()).filter(({ action }) => action === 'user.language_changed')
    expect(entries.map(({ name, note }) => ({ name, note }))).toEqual([
      { name: email, note: '– → de' },
      { name: email, note: 'de → it' },
      { name: email, note: 'it → –' },
    ])
  })
})
