import { describe, expect, it } from 'vitest'
import { bearer, startTestServer } from '../../testing.ts'
import { writeNotes } from '../audit/audit.service.ts'

const admin = 'admin@acme.example'
const kim = 'kim@acme.example'

async function office() {
  const server = await startTestServer({ PUBLIC_URL: 'https://files.acme.example' })
  const adminId = await server.addUser({ email: admin, role: 'NEPTUNE_ADMIN' })
  const kimId = await server.addUser({ email: kim })
  const asAdmin = await server.bearerOf(admin)
  const change = (payload: object, id = kimId, headers = asAdmin) =>
    server.app.inject({ method: 'PATCH', url: `/v1/admin/user/${id}`, headers, payload })
  const trail = async () => {
    await writeNotes(server.deps)
    return server.deps.db.selectFrom('audit').select(['action', 'person', 'name', 'note']).orderBy('seq').execute()
  }
  return { ...server, adminId, kimId, asAdmin, change, trail }
}

describe('somebody’s name and e-mail', () => {
  it('are changed by an admin; the list has them, and they sign in with the new address alone', async () => {
    await using server = await office()
    const reply = await server.change({ name: ' Kim Duck ', email: ' Kim.Duck@ACME.example ' })
    const listed = await server.app.inject({ url: '/v1/admin/user?search=duck', headers: server.asAdmin })
    expect(reply.json().data).toMatchObject({ id: server.kimId, name: 'Kim Duck', email: 'kim.duck@acme.example' })
    expect(listed.json().data).toEqual([reply.json().data])
    expect((await server.signIn(kim)).statusCode).toBe(401)
    expect((await server.signIn('kim.duck@acme.example')).json().info.name).toBe('Kim Duck')
  })

  it('leave sessions as they are, which know the new ones at once', async () => {
    await using server = await office()
    const asKim = await server.bearerOf(kim)
    await server.change({ name: 'Kim Duck' })
    expect((await server.app.inject({ url: '/v1/identity', headers: asKim })).json().data.name).toBe('Kim Duck')
  })

  it('are in the trail, with what they were', async () => {
    await using server = await office()
    const before = (await server.trail()).length
    await server.change({ name: 'Kim Duck', email: 'duck@acme.example' })
    await server.change({ name: 'Kim Duck', email: 'duck@acme.example' }) // nothing new
    const about = { person: 'Kim Doe', name: 'duck@acme.example' }
    expect((await server.trail()).slice(before)).toEqual([
      { action: 'user.renamed', ...about, note: 'was Kim Doe' },
      { action: 'user.email_changed', ...about, note: `was ${kim}` },
    ])
  })

  it.each([
    ['nothing', {}],
    ['a name of spaces', { name: '  ' }],
    ['a line of its own in the name', { name: 'Kim\nDoe' }],
    ['a list of addresses', { email: 'a@b.example,c@d.example' }],
    ['a role', { name: 'Kim', role: 'NEPTUNE_ADMIN' }],
    ['a company', { name: 'Kim', company: 'x' }],
    ['a password', { name: 'Kim', password: 'a long enough password' }],
  ])('P12: cannot become %s', async (_, payload) => {
    await using server = await office()
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
  ])('cannot be what the trail says of others: %j', async (name) => {
    await using server = await office()
    const message = 'This name is reserved. Choose a different one.'
    expect((await server.change({ name })).json()).toMatchObject({
      code: 'request.invalid',
      errors: [{ field: 'name', message }],
    })
  })

  it.each(['Ann Administrator', 'Administrator', 'Kim (Token Ring) Doe', 'Kim Doe (Sales)'])('can be %s', async (name) => {
    await using server = await office()
    expect((await server.change({ name })).json().data.name).toBe(name)
  })

  it('of somebody absent cannot change, nor one’s own without the password', async () => {
    await using server = await office()
    expect((await server.change({ name: 'A' }, 'nobody')).json().code).toBe('user.not_found')
    expect((await server.change({ email: 'a@b.example' }, server.adminId)).json().code).toBe('user.own_details')
  })

  it('cannot be changed by a script that has an admin’s token', async () => {
    await using server = await office()
    const payload = { name: 'Script', scope: 'write' }
    const made = await server.app.inject({ method: 'POST', url: '/v1/token', headers: server.asAdmin, payload })
    const headers = bearer(made.json().data.token)
    expect((await server.change({ name: 'A' }, server.kimId, headers)).json().code).toBe('token.forbidden')
  })
})

describe('an e-mail that somebody has', () => {
  it('P12: is nobody else’s, however it is written; one’s own may be sent along', async () => {
    await using server = await office()
    expect((await server.change({ name: 'Kim Duck', email: 'ADMIN@acme.EXAMPLE' })).json().code).toBe('user.email_taken')
    const reply = await server.change({ name: 'Kim Duck', email: 'KIM@acme.EXAMPLE' })
    expect(reply.json().data).toMatchObject({ name: 'Kim Duck', email: kim })
  })

  it('goes to one of two who are given it in the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      await using server = await office()
      const otherId = await server.addUser({ email: 'other@acme.example' })
      const replies = await Promise.all([server.kimId, otherId].map((id) => server.change({ email: 'new@acme.example' }, id)))
      expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    }
  })

  it('does not hang when two are to swap theirs at once: both are refused', async () => {
    await using server = await office()
    const otherId = await server.addUser({ email: 'other@acme.example' })
    const replies = await Promise.all([server.change({ email: 'other@acme.example' }), server.change({ email: kim }, otherId)])
    expect(replies.map((reply) => reply.json().code)).toEqual(['user.email_taken', 'user.email_taken'])
  })
})

describe('a changed e-mail', () => {
  it('is told to the old address, without the new one, and to the new one', async () => {
    await using server = await office()
    await server.change({ email: 'duck@acme.example' })
    await server.deliver()
    const told = Object.fromEntries(server.letters.map(({ to, subject, text }) => [to, { subject, text }]))
    expect(Object.keys(told).toSorted()).toEqual(['duck@acme.example', kim])
    expect(told[kim]?.subject).toBe('Your email address was changed')
    expect(told[kim]?.text).not.toContain('duck@')
    expect(told['duck@acme.example']?.text).toContain('duck@acme.example')
  })

  it('a changed name alone is told to nobody', async () => {
    await using server = await office()
    await server.change({ name: 'Kim Duck', email: kim })
    await server.deliver()
    expect(server.letters).toEqual([])
  })

  it('voids the links to choose a new password that went to the old address, or are about to', async () => {
    await using server = await office()
    const forgot = (email: string) => server.app.inject({ method: 'POST', url: '/v1/identity/forgot', payload: { email } })
    const tokens = () => server.letters.flatMap(({ text }) => /\/reset\/([\w-]{44})$/m.exec(text)?.[1] ?? [])
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

  it('voids them for good, also when the old address comes back', async () => {
    await using server = await office()
    await server.app.inject({ method: 'POST', url: '/v1/identity/forgot', payload: { email: kim } })
    await server.deliver()
    const token = /\/reset\/([\w-]{44})$/m.exec(server.letters[0]?.text ?? '')?.[1]
    await server.change({ name: 'Kim Duck', email: kim })
    const check = () => server.app.inject({ method: 'POST', url: '/v1/identity/reset/check', payload: { token } })
    expect((await check()).statusCode).toBe(200)
    for (const email of ['duck@acme.example', kim]) expect((await server.change({ email })).statusCode).toBe(200)
    expect((await check()).json().code).toBe('reset.not_found')
  })

  it('takes along what waits to be told about one’s links', async () => {
    await using server = await office()
    const mail = {
      letter: 'link_asked' as const,
      about: 'x time',
      state: 'waiting' as const,
      created_at: '2026-12-01T09:00:00.000Z',
    }
    const due = { next_at: '2026-12-01T10:00:00.000Z', ends_at: '2026-12-03T09:00:00.000Z', tries: 0, refusals: 0 }
    await server.deps.db
      .insertInto('outbox')
      .values({ id: 'm1', recipient: kim, ...mail, ...due, claim: null, sent_at: null, problem: null })
      .execute()
    await server.change({ email: 'duck@acme.example' })
    const waiting = server.deps.db.selectFrom('outbox').select('recipient').where('id', '=', 'm1')
    expect(await waiting.execute()).toEqual([{ recipient: 'duck@acme.example' }])
  })

  it('cannot flood an address: five mails an hour, like any other', async () => {
    await using server = await office()
    const turns = ['a@victim.example', kim]
    const replies: number[] = []
    for (let i = 0; i < 6; i++) replies.push((await server.change({ email: turns[i % 2] ?? '' })).statusCode)
    expect(replies).toEqual([200, 200, 200, 200, 200, 429])
    await server.deliver()
    for (const address of turns) expect(server.letters.filter(({ to }) => to === address)).toHaveLength(5)
  })
})
