import { describe, expect, it } from 'vitest'
import { startTestServer } from '../../testing.ts'

const admin = 'admin@acme.example'
const kim = 'kim@acme.example'

/** Starts a test server with an admin and a user, each in a company of their own. */
async function startOffice() {
  const server = await startTestServer()
  const adminId = await server.addUser({ email: admin, role: 'NEPTUNE_ADMIN' })
  const kimId = await server.addUser({ email: kim })
  const asAdmin = await server.startSessionAs(admin)
  const asKim = await server.startSessionAs(kim)
  const { company_id: company } = await server.deps.db
    .selectFrom('user')
    .select('company_id')
    .where('id', '=', kimId)
    .executeTakeFirstOrThrow()
  const getJson = async (headers: Record<string, string>, url: string) => (await server.app.inject({ url, headers })).json()
  const send = (headers: Record<string, string>, method: 'POST' | 'PATCH', url: string, payload?: object) =>
    server.app.inject({ method, url, headers, ...(payload && { payload }) })
  const newUser = { name: 'Ada Byron', email: 'ada@acme.example', company, role: 'NEPTUNE_USER', password: 'analytical engine' }
  return { ...server, adminId, kimId, company, asAdmin, asKim, getJson, send, newUser }
}

describe('creating staff', () => {
  it('lets the new user sign in, with their company and role', async () => {
    await using server = await startOffice()
    const reply = await server.send(server.asAdmin, 'POST', '/v1/admin/user', {
      ...server.newUser,
      email: ' Ada@ACME.example ',
      dateOfBirth: '2026-12-01',
    })
    expect(reply.json().data).toMatchObject({
      name: 'Ada Byron',
      email: 'ada@acme.example',
      company: server.company,
      role: 'NEPTUNE_USER',
      suspended_at: null,
    })
    const signedIn = await server.signIn('ada@acme.example', 'analytical engine')
    expect(signedIn.json().info).toMatchObject({ company: server.company, role: 'NEPTUNE_USER' })
  })

  it('P12: rejects an email that is taken, ignoring case', async () => {
    await using server = await startOffice()
    const reply = await server.send(server.asAdmin, 'POST', '/v1/admin/user', { ...server.newUser, email: 'KIM@acme.EXAMPLE' })
    expect(reply.statusCode).toBe(409)
    expect(reply.json().code).toBe('user.email_taken')
  })

  it.each([
    ['an unknown company', { company: 'nowhere' }, 404],
    ['a name of spaces', { name: '   ' }, 400],
    ['a reserved name', { name: 'An administrator' }, 400],
    ['a short password', { password: 'eleven char' }, 400],
    ['a weak password', { password: 'ada-byron-2026' }, 400],
    ['an unknown role', { role: 'ROOT' }, 400],
    ['a list of emails', { email: 'a@b.example,c@d.example' }, 400],
    ['a display name in the email', { email: 'Ada <a@b.example>' }, 400],
    ['an id', { id: 'mine' }, 400],
    ['an admin flag', { isAdmin: true }, 400],
  ])('rejects %s', async (_, change, status) => {
    await using server = await startOffice()
    const reply = await server.send(server.asAdmin, 'POST', '/v1/admin/user', { ...server.newUser, ...change })
    expect(reply.statusCode).toBe(status)
    expect(await server.getJson(server.asAdmin, '/v1/admin/user')).toMatchObject({ data: { length: 2 } })
  })
})

describe('P11: a user who is not an admin', () => {
  it.each([
    [
      'POST',
      '/v1/admin/user',
      { name: 'A', email: 'a@b.example', company: 'x', role: 'NEPTUNE_ADMIN', password: 'long enough password' },
    ],
    ['PATCH', '/v1/admin/user/x', { email: 'other@acme.example' }],
    ['PATCH', '/v1/admin/role', { email: kim, role: 'NEPTUNE_ADMIN' }],
    ['POST', '/v1/admin/company', { name: 'Mine' }],
    ['PATCH', '/v1/admin/company/x', { name: 'Mine' }],
    ['POST', '/v1/admin/user/x/suspend', undefined],
    ['POST', '/v1/admin/user/x/restore', undefined],
  ] as const)('may not %s %s', async (method, url, payload) => {
    await using server = await startOffice()
    const before = await server.deps.db.selectFrom('user').selectAll().orderBy('id').execute()
    const reply = await server.send(server.asKim, method, url, payload)
    expect(reply.statusCode).toBe(403)
    expect(reply.json().code).toBe('session.forbidden')
    expect(await server.deps.db.selectFrom('user').selectAll().orderBy('id').execute()).toEqual(before)
  })
})

describe('the list of staff', () => {
  it('shows all users to admins, and those of their company to users', async () => {
    await using server = await startOffice()
    const toEmails = (reply: { data: { email: string }[] }) => reply.data.map(({ email }) => email)
    expect(toEmails(await server.getJson(server.asAdmin, '/v1/admin/user?sort=email'))).toEqual([admin, kim])
    expect(toEmails(await server.getJson(server.asKim, '/v1/admin/user'))).toEqual([kim])
    expect(toEmails(await server.getJson(server.asAdmin, `/v1/admin/user?company=${server.company}`))).toEqual([kim])
  })

  it('P14: is empty for another company, byte for byte as for an unknown one', async () => {
    await using server = await startOffice()
    const { company_id } = await server.deps.db
      .selectFrom('user')
      .select('company_id')
      .where('id', '=', server.adminId)
      .executeTakeFirstOrThrow()
    const foreign = await server.app.inject({ url: `/v1/admin/user?company=${company_id}`, headers: server.asKim })
    const absent = await server.app.inject({ url: '/v1/admin/user?company=nowhere', headers: server.asKim })
    expect(foreign.json()).toEqual({ data: [], next: null })
    expect(foreign.body).toBe(absent.body)
  })

  it('can be read in pages in every order, with each user once', async () => {
    await using server = await startOffice()
    for (let i = 0; i < 23; i++)
      await server.addUser({ email: `person${String(i).padStart(2, '0')}@acme.example`, company_id: server.company })
    for (const sort of ['name', '-name', 'email', '-email', 'created_at', '-created_at']) {
      const seen: string[] = []
      let cursor = ''
      do {
        const page = await server.getJson(server.asAdmin, `/v1/admin/user?limit=7&sort=${sort}${cursor}`)
        seen.push(...page.data.map(({ email }: { email: string }) => email))
        cursor = page.next ? `&cursor=${page.next}` : ''
      } while (cursor)
      expect(new Set(seen).size).toBe(25)
      expect(seen).toHaveLength(25)
      if (sort === 'email') expect(seen).toEqual(seen.toSorted())
      if (sort === '-email') expect(seen).toEqual(seen.toSorted().reverse())
    }
  })

  it('can be searched by name and email, and P41: has no wildcards', async () => {
    await using server = await startOffice()
    const countFound = async (search: string) =>
      (await server.getJson(server.asAdmin, `/v1/admin/user?search=${encodeURIComponent(search)}`)).data.length
    expect(await countFound('KIM@')).toBe(1)
    expect(await countFound('kim d')).toBe(2)
    await server.addUser({ email: 'jo_ann@acme.example' })
    expect(await countFound('jo_a')).toBe(1)
    for (const search of ['%', 'o_n', '\\', "' or 1=1 --", '"', ';', '100%']) expect(await countFound(search), search).toBe(0)
  })

  it.each(['limit=0', 'limit=201', 'limit=x', 'sort=password_hash', 'cursor=x', 'cursor=WyJuYW1lIl0', 'search=%00'])(
    'rejects %s',
    async (query) => {
      await using server = await startOffice()
      const reply = await server.app.inject({ url: `/v1/admin/user?${query}`, headers: server.asAdmin })
      expect(reply.statusCode).toBe(400)
    },
  )

  it('P26: contains no hash, generation or key', async () => {
    await using server = await startOffice()
    const reply = await server.app.inject({ url: '/v1/admin/user', headers: server.asAdmin })
    expect(Object.keys(reply.json().data[0]).toSorted()).toEqual([
      'access',
      'company',
      'company_archived',
      'company_name',
      'email',
      'id',
      'invitation_ends_at',
      'language',
      'name',
      'role',
      'suspended_at',
    ])
    expect(reply.body).not.toContain('argon2')
  })
})

describe('rights', () => {
  it('apply at once when they change, and end the user’s sessions', async () => {
    await using server = await startOffice()
    const reply = await server.send(server.asAdmin, 'PATCH', '/v1/admin/role', { email: kim, role: 'NEPTUNE_ADMIN' })
    expect(reply.json().data.role).toBe('NEPTUNE_ADMIN')
    expect((await server.app.inject({ url: '/v1/identity', headers: server.asKim })).statusCode).toBe(401)
    expect((await server.getJson(await server.startSessionAs(kim), '/v1/admin/user')).data).toHaveLength(2)
  })

  it('are not given to another user who has taken over the email in the meantime', async () => {
    await using server = await startOffice()
    const otherId = await server.addUser({ email: 'other@acme.example' })
    const move = (id: string, email: string) => server.send(server.asAdmin, 'PATCH', `/v1/admin/user/${id}`, { email })
    await move(server.kimId, 'gone@acme.example')
    await move(otherId, kim)
    const change = (email: string, id: unknown) =>
      server.send(server.asAdmin, 'PATCH', '/v1/admin/role', { email, id, role: 'NEPTUNE_ADMIN' } as object)
    expect((await change(kim, server.kimId)).json().code).toBe('user.not_found')
    expect((await change('nobody@acme.example', server.kimId)).json().code).toBe('user.not_found')
    expect((await change(kim, 7)).json().code).toBe('request.invalid')
    expect((await server.getJson(server.asAdmin, '/v1/admin/user?search=kim%40')).data[0].role).toBe('NEPTUNE_USER')
    expect((await change(kim, otherId)).json().data).toMatchObject({ id: otherId, role: 'NEPTUNE_ADMIN' })
  })

  it('end with a suspension, and return when the user is restored', async () => {
    await using server = await startOffice()
    const suspended = await server.send(server.asAdmin, 'POST', `/v1/admin/user/${server.kimId}/suspend`)
    expect(suspended.json().data.suspended_at).toBe('2026-12-01T09:00:00.000Z')
    expect((await server.app.inject({ url: '/v1/identity', headers: server.asKim })).statusCode).toBe(401)
    expect((await server.signIn(kim)).statusCode).toBe(401)
    await server.send(server.asAdmin, 'POST', `/v1/admin/user/${server.kimId}/restore`)
    expect((await server.signIn(kim)).statusCode).toBe(200)
    expect((await server.app.inject({ url: '/v1/identity', headers: server.asKim })).statusCode).toBe(401)
  })

  it('cannot be changed by the user themselves', async () => {
    await using server = await startOffice()
    const role = await server.send(server.asAdmin, 'PATCH', '/v1/admin/role', { email: admin, role: 'NEPTUNE_USER' })
    const suspension = await server.send(server.asAdmin, 'POST', `/v1/admin/user/${server.adminId}/suspend`)
    expect([role, suspension].map((reply) => reply.json().code)).toEqual(['user.own_role', 'user.own_role'])
  })

  it('cannot be changed for an unknown user', async () => {
    await using server = await startOffice()
    expect(
      (await server.send(server.asAdmin, 'PATCH', '/v1/admin/role', { email: 'no@acme.example', role: 'NEPTUNE_USER' }))
        .statusCode,
    ).toBe(404)
    expect((await server.send(server.asAdmin, 'POST', '/v1/admin/user/nobody/suspend')).statusCode).toBe(404)
  })

  it('cannot be restored by the user themselves', async () => {
    await using server = await startOffice()
    const reply = await server.send(server.asAdmin, 'POST', `/v1/admin/user/${server.adminId}/restore`)
    expect(reply.statusCode).toBe(409)
    expect(reply.json().code).toBe('user.own_role')
  })

  it('P17: are kept by one admin when two demote or suspend each other at once', async () => {
    for (let round = 0; round < 5; round++) {
      await using server = await startOffice()
      await server.deps.db.insertInto('installation').values({ name: 'first_run', value: 'x' }).execute()
      const otherId = await server.addUser({ email: 'other@acme.example', role: 'NEPTUNE_ADMIN' })
      const asOther = await server.startSessionAs('other@acme.example')
      await Promise.all([
        server.send(server.asAdmin, 'PATCH', '/v1/admin/role', { email: 'other@acme.example', role: 'NEPTUNE_USER' }),
        server.send(asOther, 'PATCH', '/v1/admin/role', { email: admin, role: 'NEPTUNE_USER' }),
        server.send(server.asAdmin, 'POST', `/v1/admin/user/${otherId}/suspend`),
        server.send(asOther, 'POST', `/v1/admin/user/${server.adminId}/suspend`),
      ])
      const left = await server.deps.db
        .selectFrom('user')
        .select('id')
        .where('role', '=', 'NEPTUNE_ADMIN')
        .where('suspended_at', 'is', null)
        .execute()
      expect(left).toHaveLength(1)
    }
  })
})
