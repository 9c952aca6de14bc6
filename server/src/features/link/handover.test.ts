import { describe, expect, it } from 'vitest'
import { openOffice } from './testing.ts'

async function openHandoverOffice() {
  const office = await openOffice()
  const acme = await office.companyOf(office.kim)
  const leeId = await office.addUser({ email: 'lee@acme.example', company_id: acme })
  await office.deps.db.updateTable('user').set({ name: 'Lee Roe' }).where('id', '=', leeId).execute()
  const lee = await office.startSessionAs('lee@acme.example')
  const eveId: string = (await office.data('GET', '/v1/identity', office.eve)).id
  const handOver = (body: object, from = office.kimId, who = office.admin) =>
    office.call('POST', `/v1/admin/user/${from}/handover`, who, body)
  const readOwners = async () =>
    ((await office.data('GET', '/v1/link?sort=created_at', office.admin)) as { maker: string }[]).map(({ maker }) => maker).sort()
  const listEntries = async () =>
    (await office.data('GET', '/v1/activity?action=link.handed_over', office.admin)) as { link: string; note: string }[]
  return { ...office, acme, leeId, lee, eveId, handOver, readOwners, listEntries }
}

describe('handing links over', () => {
  it('moves all links of a user, keeps their codes and visits, and records each of them', async () => {
    await using office = await openHandoverOffice()
    const [link, file] = [await office.share(), await office.share('LINK_FILE')]
    const visitor = await office.enter(link)
    expect((await office.handOver({ to: office.leeId })).json()).toEqual({ data: { links: 2 } })
    expect(await office.readOwners()).toEqual(['Lee Roe', 'Lee Roe'])
    expect((await office.call('GET', '/v1/access', visitor)).json().data.shared_by).toBe('Lee Roe')
    expect((await office.verify(link.key, link.code)).json().data.validation).toBe(true)
    const entries = await office.listEntries()
    expect(entries.map(({ link: key }) => key).sort()).toEqual([link.key, file.key].sort())
    expect(entries[0]).toMatchObject({ person: 'Kim Doe', note: 'Kim Doe → Lee Roe' })
    const events = await office.data('GET', `/v1/link/${link.key}/activity`, office.lee)
    expect(events).toContainEqual(expect.objectContaining({ kind: 'handed_over', name: 'Lee Roe', person: 'An administrator' }))
    expect((await office.handOver({ to: office.leeId })).json()).toEqual({ data: { links: 0 } })
    expect(await office.listEntries()).toHaveLength(2)
  })

  it('makes the links of a suspended user work again at once, and lists them as active', async () => {
    await using office = await openHandoverOffice()
    const link = await office.share()
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    expect((await office.verify(link.key, link.code)).json().data).toMatchObject({ paused: true })
    await office.handOver({ to: office.leeId })
    expect((await office.verify(link.key, link.code)).json().data.token).toEqual(expect.any(String))
    expect(await office.data('GET', '/v1/link?state=active', office.lee)).toHaveLength(1)
  })

  it('moves only the given links, and ignores those of other owners', async () => {
    await using office = await openHandoverOffice()
    const [kept, moved] = [await office.share(), await office.share()]
    const reply = await office.handOver({ to: office.leeId, keys: [moved.key, 'absent'] })
    expect(reply.json()).toEqual({ data: { links: 1 } })
    expect(await office.readOwners()).toEqual(['Kim Doe', 'Lee Roe'])
    expect((await office.handOver({ to: office.leeId, keys: [kept.key] }, office.eveId)).json().data.links).toBe(0)
    expect((await office.handOver({ to: office.leeId, keys: [] })).statusCode).toBe(400)
  })

  it('moves only the links that the owner would lose with less access, so that all of them keep working', async () => {
    await using office = await openHandoverOffice()
    await office.giveAccess({ access: 'all' })
    const [kept, lost] = [await office.share(), await office.shareForeign()]
    expect((await office.handOver({ to: office.leeId, access: 'own' })).json().code).toBe('user.no_access')
    expect((await office.handOver({ to: office.eveId, access: 'all' })).json().data.links).toBe(0)
    expect((await office.handOver({ to: office.eveId, access: 'own' })).json().data.links).toBe(1)
    await office.giveAccess({ access: 'own' })
    for (const link of [kept, lost]) expect((await office.verify(link.key, link.code)).json().data.token).not.toBeNull()
    expect((await office.listEntries()).map(({ link }) => link)).toEqual([lost.key])
  })

  it('moves more links than fit into one slice', async () => {
    await using office = await openHandoverOffice()
    const { key } = await office.share()
    const row = await office.deps.db.selectFrom('link').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
    const copies = Array.from({ length: 450 }, (_, i) => ({ ...row, key: `${key}-${i}` }))
    await office.deps.db.insertInto('link').values(copies).execute()
    expect((await office.handOver({ to: office.leeId })).json()).toEqual({ data: { links: 451 } })
    const rest = await office.deps.db.selectFrom('link').select('key').where('maker_id', '=', office.kimId).execute()
    expect(rest).toEqual([])
  })

  it('rejects a new owner who can’t sign in or has no access to the company of a link, and moves nothing', async () => {
    await using office = await openHandoverOffice()
    await office.share()
    const expectRefusal = async (to: string) => {
      const reply = await office.handOver({ to })
      expect([reply.statusCode, reply.json().code]).toEqual([409, 'user.no_access'])
    }
    await expectRefusal(office.eveId)
    await office.call('POST', `/v1/admin/user/${office.leeId}/suspend`, office.admin)
    await expectRefusal(office.leeId)
    expect((await office.handOver({ to: 'absent' })).json().code).toBe('user.not_found')
    expect((await office.handOver({ to: office.leeId }, 'absent')).json().code).toBe('user.not_found')
    expect((await office.handOver({ to: office.kimId })).statusCode).toBe(400)
    expect(await office.readOwners()).toEqual(['Kim Doe'])
    expect(await office.listEntries()).toEqual([])
    // With access to the company, Eve can take them.
    await office.call('PATCH', `/v1/admin/user/${office.eveId}/access`, office.admin, {
      access: 'selected',
      companies: [office.acme],
    })
    expect((await office.handOver({ to: office.eveId })).json().data.links).toBe(1)
  })

  it('sends waiting notices to the new owner', async () => {
    await using office = await openHandoverOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    await office.put(office.plans, 'new.txt', await office.enter(link))
    await office.call('POST', '/v1/ask', {}, { accessKey: link.key, wants: 'time' })
    await office.handOver({ to: office.leeId })
    const mails = await office.deps.db.selectFrom('outbox').select(['letter', 'recipient']).orderBy('letter').execute()
    expect(mails).toEqual([
      { letter: 'link_asked', recipient: 'lee@acme.example' },
      { letter: 'link_uploads', recipient: 'lee@acme.example' },
      { letter: 'links_handed_over', recipient: 'lee@acme.example' },
    ])
  })

  it('lists the links and their previous owner in one email to the new owner', async () => {
    await using office = await openHandoverOffice()
    await office.share()
    await office.share('LINK_FILE')
    await office.handOver({ to: office.leeId })
    await office.deliver()
    expect(office.sentEmails.map(({ to, subject }) => [to, subject])).toEqual([['lee@acme.example', 'You now own 2 more links']])
    for (const name of ['Plans', 'first.txt']) expect(office.sentEmails[0]?.text).toContain(`“${name}”, from Kim Doe`)
    // Someone who takes links over themselves gets no email.
    const adminId: string = (await office.data('GET', '/v1/identity', office.admin)).id
    await office.handOver({ to: adminId }, office.leeId)
    await office.deliver()
    expect(office.sentEmails).toHaveLength(1)
    // For someone who sees several companies, the email names the company.
    await office.call('PATCH', `/v1/admin/user/${office.leeId}/access`, office.admin, { access: 'all' })
    const [{ key }] = await office.data('GET', '/v1/link?search=Plans', office.admin)
    await office.handOver({ to: office.leeId, keys: [key] }, adminId)
    await office.deliver()
    expect(office.sentEmails[1]?.subject).toBe('You now own the link to “Plans” (Acme GmbH)')
  })

  it('sends the email to the address that the new owner has by then', async () => {
    await using office = await openHandoverOffice()
    await office.share()
    await office.handOver({ to: office.leeId })
    await office.call('PATCH', `/v1/admin/user/${office.leeId}`, office.admin, { email: 'lee.park@acme.example' })
    await office.deliver()
    const sent = office.sentEmails.filter(({ subject }) => subject.startsWith('You now own'))
    expect(sent.map(({ to }) => to)).toEqual(['lee.park@acme.example'])
  })

  it('counts the links in the email up to 100', async () => {
    await using office = await openHandoverOffice()
    const { key } = await office.share()
    const row = await office.deps.db.selectFrom('link').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
    const copies = Array.from({ length: 300 }, (_, i) => ({ ...row, key: `${key}-${i}` }))
    await office.deps.db.insertInto('link').values(copies).execute()
    await office.handOver({ to: office.leeId })
    await office.deliver()
    expect(office.sentEmails.map(({ subject }) => subject)).toEqual(['You now own 100+ more links'])
    expect(office.sentEmails[0]?.text.match(/from Kim Doe/g)).toHaveLength(50)
    expect(office.sentEmails[0]?.text).toContain('The others are on the Links page.')
  })

  it('is for admins only', async () => {
    await using office = await openHandoverOffice()
    await office.share()
    expect((await office.handOver({ to: office.leeId }, office.kimId, office.kim)).statusCode).toBe(403)
    expect(await office.readOwners()).toEqual(['Kim Doe'])
  })

  it('moves each link once when two requests hand them over at the same time', async () => {
    await using office = await openHandoverOffice()
    for (let i = 0; i < 5; i += 1) await office.share()
    const adminId: string = (await office.data('GET', '/v1/identity', office.admin)).id
    const replies = await Promise.all([office.handOver({ to: office.leeId }), office.handOver({ to: adminId })])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(replies[0].json().data.links + replies[1].json().data.links).toBe(5)
    expect(await office.listEntries()).toHaveLength(5)
  })
})
