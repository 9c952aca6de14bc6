import { describe, expect, it } from 'vitest'
import { toBearerHeader } from '../../testing.ts'
import { openOffice } from '../link/testing.ts'

async function openOfficeWithLee() {
  const office = await openOffice()
  const [acme, globex] = [await office.companyOf(office.kim), await office.companyOf(office.eve)]
  const leeId = await office.addUser({ email: 'lee@acme.example', company_id: acme })
  const [adminId, eveId]: string[] = await Promise.all(
    [office.admin, office.eve].map(async (who) => (await office.data('GET', '/v1/identity', who)).id),
  )
  const remove = (body: object = {}, id = office.kimId, who = office.admin) =>
    office.call('POST', `/v1/admin/user/${id}/remove`, who, body)
  const removeAndGetCode = async (...args: Parameters<typeof remove>) => {
    const reply = await remove(...args)
    return [reply.statusCode, reply.json().code]
  }
  const listEntries = (action: string) => office.data('GET', `/v1/activity?action=${action}`, office.admin)
  const countRows = async (table: 'session' | 'api_token' | 'password_reset' | 'webhook' | 'outbox' | 'upload') =>
    (await office.deps.db.selectFrom(table).selectAll().execute()).length
  /** Returns why Eve can't take over Kim's links. */
  const getEvesReason = async (body: object = {}) =>
    (await office.data('POST', `/v1/admin/user/${office.kimId}/successor?search=eve`, office.admin, body))[0].reason
  const ids = { acme, globex, leeId, adminId: adminId ?? '', eveId: eveId ?? '' }
  return { ...office, ...ids, remove, removeAndGetCode, listEntries, countRows, getEvesReason }
}

describe('removing a user', () => {
  it('ends their sessions and tokens, keeps their name on what they did, and frees their email address', async () => {
    await using office = await openOfficeWithLee()
    const { token } = await office.data('POST', '/v1/token', office.kim, { name: 'Backup', scope: 'read' })
    expect((await office.remove()).statusCode).toBe(204)
    expect((await office.call('GET', '/v1/identity', office.kim)).statusCode).toBe(401)
    expect((await office.call('GET', '/v1/file', toBearerHeader(token))).statusCode).toBe(401)
    expect((await office.signIn('kim@acme.example')).statusCode).toBe(401)
    expect((await office.signIn(`removed ${office.kimId}`)).statusCode).toBe(401)
    expect(await office.data('GET', '/v1/file', office.admin)).toHaveLength(4)
    expect(await office.listEntries('directory.created')).toEqual(
      expect.arrayContaining([expect.objectContaining({ person_id: office.kimId, person: 'Kim Doe' })]),
    )
    expect((await office.listEntries('user.removed'))[0]).toMatchObject({
      person_id: office.adminId,
      name: 'kim@acme.example',
      note: 'Kim Doe',
    })
    const newUser = { name: 'Kim Two', email: 'kim@acme.example', company: office.acme, role: 'NEPTUNE_USER' }
    const created = await office.call('POST', '/v1/admin/user', office.admin, { ...newUser, password: 'seven green otters' })
    expect(created.statusCode).toBe(200)
    expect((await office.signIn('kim@acme.example', 'seven green otters')).statusCode).toBe(200)
  })

  it('lists them as removed, to filter the audit log, for callers who could see them before', async () => {
    await using office = await openOfficeWithLee()
    expect(await office.data('GET', '/v1/admin/user?removed=true', office.admin)).toEqual([])
    await office.remove()
    const removed = { id: office.kimId, name: 'Kim Doe', email: '', company: office.acme, removed_at: expect.any(String) }
    const lee = await office.startSessionAs('lee@acme.example')
    const queries = ['', '&sort=-created_at', `&company=${office.acme}`, '&search=kim']
    for (const query of queries)
      for (const who of [office.admin, lee])
        expect(await office.data('GET', `/v1/admin/user?removed=true${query}`, who)).toMatchObject([removed])
    expect(await office.data('GET', '/v1/admin/user?removed=true', office.eve)).toEqual([])
    const entries = await office.data('GET', `/v1/activity?person=${office.kimId}&action=directory.created`, office.admin)
    expect(entries).toHaveLength(2)
  })

  it('leaves them out of lists and counts, and returns 404 for calls about them', async () => {
    await using office = await openOfficeWithLee()
    await office.remove()
    const people = await office.data('GET', `/v1/admin/user?company=${office.acme}`, office.admin)
    expect(people.map(({ id }: { id: string }) => id)).toEqual([office.leeId])
    expect((await office.data('GET', `/v1/company/${office.acme}`, office.admin)).people).toBe(1)
    expect(await office.data('GET', '/v1/admin/user?search=removed', office.admin)).toEqual([])
    expect(await office.data('GET', '/v1/admin/user?removed=false', office.admin)).toHaveLength(3)
    const user = `/v1/admin/user/${office.kimId}`
    const calls = [
      ['GET', user],
      ['PATCH', user, { name: 'Kim' }],
      ['PATCH', `${user}/access`, { access: 'all' }],
      ['POST', `${user}/restore`],
      ['POST', `${user}/suspend`],
      ['POST', `${user}/remove`, {}],
      ['GET', `${user}/removal`],
      ['GET', `${user}/session`],
      ['GET', `${user}/token`],
      ['POST', `/v1/admin/user/${office.leeId}/handover`, { to: office.kimId }],
      ['PATCH', '/v1/admin/role', { email: `removed@x.example`, role: 'NEPTUNE_USER' }],
    ] as const
    for (const [method, path, body] of calls) {
      const reply = await office.call(method, path, office.admin, body)
      expect([path, reply.statusCode, reply.json().code]).toEqual([path, 404, 'user.not_found'])
    }
  })

  it('hands their links over to the chosen person', async () => {
    await using office = await openOfficeWithLee()
    const link = await office.share()
    expect(await office.removeAndGetCode()).toEqual([409, 'user.owns_links'])
    expect((await office.call('GET', '/v1/identity', office.kim)).statusCode).toBe(200)
    expect((await office.remove({ to: office.leeId })).statusCode).toBe(204)
    expect((await office.verify(link.key, link.code)).json().data.token).toEqual(expect.any(String))
    expect(await office.data('GET', `/v1/link?owner=${office.leeId}`, office.admin)).toHaveLength(1)
    expect(await office.listEntries('link.handed_over')).toHaveLength(1)
  })

  it('closes their links on request, and lets a colleague extend them', async () => {
    await using office = await openOfficeWithLee()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const visitor = await office.enter(link)
    office.advance(1000)
    expect((await office.remove({ closeLinks: true })).statusCode).toBe(204)
    expect((await office.verify(link.key, link.code)).json().data).toMatchObject({ expired: true, token: null })
    expect((await office.call('GET', '/v1/access', visitor)).statusCode).toBe(401)
    expect((await office.listEntries('link.closed'))[0]).toMatchObject({ link: link.key, person_id: office.adminId })
    const [row] = await office.data('GET', '/v1/link?state=expired', office.admin)
    expect(row).toMatchObject({ key: link.key, maker: 'Kim Doe' })
    const events = await office.data('GET', `/v1/link/${link.key}/activity`, office.admin)
    expect(events).toContainEqual(expect.objectContaining({ kind: 'closed' }))
    const lee = await office.startSessionAs('lee@acme.example')
    expect((await office.call('POST', `/v1/link/${link.key}/extend`, lee)).statusCode).toBe(200)
    expect((await office.verify(link.key, link.code)).json().data.token).toEqual(expect.any(String))
  })

  it('lets admins hand over the closed links of a removed user', async () => {
    await using office = await openOfficeWithLee()
    const { key, code } = await office.share()
    await office.remove({ closeLinks: true })
    const lee = await office.startSessionAs('lee@acme.example')
    for (const who of [office.admin, lee])
      expect((await office.data('GET', `/v1/link/${key}/info`, who)).reasons).toEqual(['expired', 'owner_removed'])
    const user = `/v1/admin/user/${office.kimId}`
    const successors = await office.data('POST', `${user}/successor?search=lee`, office.admin, { link: key })
    expect(successors).toMatchObject([{ id: office.leeId, reason: null }])
    const handover = await office.call('POST', `${user}/handover`, office.admin, { to: office.leeId, keys: [key] })
    expect(handover.json()).toEqual({ data: { links: 1 } })
    expect((await office.listEntries('link.handed_over'))[0]).toMatchObject({ link: key, note: 'Kim Doe → Kim Doe' })
    await office.call('POST', `/v1/link/${key}/extend`, lee)
    expect((await office.verify(key, code)).json().data.token).toEqual(expect.any(String))
  })

  it('requires no new owner for expired links, and sends requests for them to a colleague', async () => {
    await using office = await openOfficeWithLee()
    const link = await office.share('LINK_DIRECTORY', { days: 1 })
    office.advance(2 * 24 * 60 * 60_000)
    expect((await office.remove()).statusCode).toBe(204)
    await office.call('POST', '/v1/ask', {}, { accessKey: link.key, wants: 'time' })
    await office.deliver()
    expect(office.sentEmails.map(({ to }) => to)).toEqual(['lee@acme.example'])
    expect(await office.data('GET', '/v1/ask', office.admin)).toHaveLength(1)
  })

  it('ends their webhooks, waiting emails, reset links and unfinished uploads', async () => {
    await using office = await openOfficeWithLee()
    const hook = { company: office.acme, url: 'https://hooks.acme.example/in', events: ['upload'] }
    expect((await office.call('POST', '/v1/webhook', office.kim, hook)).statusCode).toBe(200)
    await office.call('POST', '/v1/identity/forgot', {}, { email: 'kim@acme.example' })
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': '10', 'upload-metadata': 'filename YS50eHQ=,directory ' }
    const metadata = `${tus['upload-metadata']}${Buffer.from(office.plans).toString('base64')}`
    const upload = await office.call('POST', '/v1/upload', { ...office.kim, ...tus, 'upload-metadata': metadata })
    expect(upload.statusCode).toBe(201)
    expect(await office.data('GET', `/v1/admin/user/${office.kimId}/removal`, office.admin)).toEqual({
      links: 0,
      uploads: 1,
      webhooks: 1,
    })
    expect((await office.remove()).statusCode).toBe(204)
    for (const table of ['webhook', 'outbox', 'password_reset', 'upload', 'api_token'] as const)
      expect([table, await office.countRows(table)]).toEqual([table, 0])
    expect((await office.listEntries('webhook.deleted'))[0]).toMatchObject({ name: 'hooks.acme.example' })
  })

  it('rejects removing yourself or the last admin who can sign in', async () => {
    await using office = await openOfficeWithLee()
    expect(await office.removeAndGetCode({}, office.adminId)).toEqual([409, 'user.own_role'])
    const secondId = await office.addUser({ email: 'second@acme.example', role: 'NEPTUNE_ADMIN', company_id: office.acme })
    const second = await office.startSessionAs('second@acme.example')
    const replies = await Promise.all([office.remove({}, office.adminId, second), office.remove({}, secondId)])
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, expect.any(Number)])
    const admins = office.deps.db
      .selectFrom('user')
      .select('id')
      .where('role', '=', 'NEPTUNE_ADMIN')
      .where('removed_at', 'is', null)
    expect(await admins.execute()).toHaveLength(1)
  })

  it('is for admins only, and rejects a new owner together with closeLinks', async () => {
    await using office = await openOfficeWithLee()
    expect((await office.remove({}, office.leeId, office.kim)).statusCode).toBe(403)
    expect((await office.remove({ to: office.leeId, closeLinks: true })).statusCode).toBe(400)
    expect((await office.remove({ to: 'absent' })).json().code).toBe('user.not_found')
    expect((await office.call('GET', '/v1/identity', office.kim)).statusCode).toBe(200)
  })
})

describe('listing successors', () => {
  it('returns the reason why someone can’t take over the links', async () => {
    await using office = await openOfficeWithLee()
    await office.share()
    await office.call('POST', `/v1/admin/user/${office.leeId}/suspend`, office.admin)
    const invited = { name: 'Mia', email: 'mia@acme.example', company: office.acme, role: 'NEPTUNE_USER', invite: true }
    await office.call('POST', '/v1/admin/user', office.admin, invited)
    const list = async (search = '') =>
      Object.fromEntries(
        (await office.data('POST', `/v1/admin/user/${office.kimId}/successor${search}`, office.admin, {})).map(
          ({ email, reason, missing_company }: Record<string, string | null>) => [email, [reason, missing_company]],
        ),
      )
    expect(await list()).toEqual({
      'admin@neptune.example': [null, null],
      'eve@globex.example': ['no_access', 'Acme GmbH'],
      'lee@acme.example': ['suspended', null],
      'mia@acme.example': ['invited', null],
    })
    expect(await list('?search=globex')).toEqual({ 'eve@globex.example': ['no_access', 'Acme GmbH'] })
    const access = { access: 'selected', companies: [office.acme] }
    await office.call('PATCH', `/v1/admin/user/${office.eveId}/access`, office.admin, access)
    expect(await list('?search=globex')).toEqual({ 'eve@globex.example': [null, null] })
    expect(await office.removeAndGetCode({ to: office.leeId })).toEqual([409, 'user.no_access'])
    expect((await office.remove({ to: office.eveId })).statusCode).toBe(204)
  })

  it('checks access only to the company of the link if one link is handed over', async () => {
    await using office = await openOfficeWithLee()
    const { key } = await office.share()
    await office.giveAccess({ access: 'all' })
    const foreign = await office.shareForeign()
    expect(await office.getEvesReason()).toBe('no_access')
    expect(await office.getEvesReason({ link: key })).toBe('no_access')
    expect(await office.getEvesReason({ link: foreign.key })).toBe(null)
    expect(await office.getEvesReason({ link: 'absent' })).toBe(null)
  })

  it('checks access only to the companies that the user loses', async () => {
    await using office = await openOfficeWithLee()
    await office.share()
    await office.giveAccess({ access: 'all' })
    await office.shareForeign()
    expect(await office.getEvesReason({ access: 'own' })).toBe(null)
    expect(await office.getEvesReason({ access: 'selected', companies: [office.globex] })).toBe(null)
    expect(await office.getEvesReason()).toBe('no_access')
  })
})
