import { describe, expect, it, vi } from 'vitest'
import { toBearerHeader } from '../../testing.ts'
import { dayMs, type Office, openOffice } from './testing.ts'

const extend = (office: Office, key: string, who = office.kim) => office.call('POST', `/v1/link/${key}/extend`, who)

const createScriptToken = async (office: Office) =>
  toBearerHeader((await office.data('POST', '/v1/token', office.kim, { name: 'Script', scope: 'write' })).token)

/** Delays every transaction until the given number of them have begun. */
function delayTransactionsUntil({ deps: { db } }: Office, count: number) {
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const begin = db.transaction.bind(db)
  let begun = 0
  vi.spyOn(db, 'transaction').mockImplementation(() => {
    const transaction = begin()
    const execute = transaction.execute.bind(transaction)
    if (++begun === count) resolve()
    return Object.assign(transaction, { execute: (async (write) => all.then(() => execute(write))) as typeof execute })
  })
}

describe('extending a link', () => {
  it('is possible when 90 days or less are left, and happens once for concurrent requests', async () => {
    await using office = await openOffice()
    const { key } = await office.share('LINK_DIRECTORY', { days: 30 })
    await office.call('POST', '/v1/link/email', office.kim, { key, targetEmail: 'rob@client.example' })
    delayTransactionsUntil(office, 3) // all requests have read the same expiry
    const replies = await Promise.all([1, 2, 3].map(() => extend(office, key)))
    expect(replies.map((reply) => reply.json().data.expiry)).toEqual(Array(3).fill(office.inDays(60)))
    await office.deliver()
    const listMessages = () => office.sentEmails.filter(({ subject }) => subject.includes('extended the link'))
    expect(listMessages()).toHaveLength(1)
    for (const days of [90, 120]) expect((await extend(office, key)).json().data).toMatchObject({ expiry: office.inDays(days) })
    expect((await extend(office, key)).json().code).toBe('link.not_ending')
    await office.deliver()
    expect(listMessages()).toHaveLength(3)
    office.advance(30 * dayMs)
    expect((await extend(office, key)).statusCode).toBe(200)
  })

  it('extends it until a given date, which must be later than the current one', async () => {
    await using office = await openOffice()
    const { key } = await office.share('LINK_DIRECTORY', { days: 100 })
    const extendUntil = (expiry: unknown) => office.call('POST', `/v1/link/${key}/extend`, office.kim, { expiry })
    const day150 = office.inDays(150).slice(0, 10)
    expect((await extendUntil(day150)).json().data.expiry).toBe(`${day150}T23:59:59.999Z`)
    for (const [bad, message] of [
      [day150, 'This must be later than the current expiry.'],
      [office.inDays(120), 'This must be later than the current expiry.'],
      [office.inDays(-1), 'This must be in the future.'],
      [office.inDays(3700), 'This must be within ten years.'],
      ['2026-02-30', 'This date does not exist.'],
    ]) {
      const refused = await extendUntil(bad)
      expect([refused.statusCode, refused.json().errors], bad).toEqual([400, [{ field: 'expiry', message }]])
    }
    expect((await extendUntil(null)).statusCode).toBe(400)
  })

  it.each([
    ['in the time zone in which its expiry was the end of a day', '2026-12-02T22:59:59.999Z', '2027-01-05T22:59:59.999Z'],
    [
      'in the time zone of the organisation if its expiry was at another time',
      '2026-12-02T09:00:00.000Z',
      '2027-01-05T23:59:59.999Z',
    ],
  ])('extends an expired link to the end of a day %s', async (_, expires_at, expected) => {
    await using office = await openOffice()
    const { key } = await office.share()
    await office.deps.db.updateTable('link').set({ expires_at }).execute()
    office.advance(5 * dayMs + 7 * 60 * 60_000)
    expect((await extend(office, key)).json().data.expiry).toBe(expected)
    const events = await office.data('GET', `/v1/link/${key}/activity`, office.kim)
    expect(events).toMatchObject([{ kind: 'extended', name: expected }])
  })

  it('sends at most five emails to one address, whether people or scripts extend its links', async () => {
    await using office = await openOffice()
    const keys: string[] = []
    for (let i = 0; i < 8; i++) keys.push((await office.share()).key)
    await office.deps.db.updateTable('link').set({ email: 'rob@client.example' }).execute()
    const script = await createScriptToken(office)
    for (const [i, key] of keys.entries())
      expect((await extend(office, key, i % 2 ? office.kim : script)).json().data.expiry).toBe(office.inDays(60))
    await office.deliver()
    expect(office.sentEmails).toHaveLength(5)
  })

  it('does not count against the email limit if it is refused', async () => {
    await using office = await openOffice()
    const { key } = await office.share('LINK_DIRECTORY', { days: 91 })
    const send = () => office.call('POST', '/v1/link/email', office.kim, { key, targetEmail: 'rob@client.example' })
    await send()
    for (let i = 0; i < 8; i++) expect((await extend(office, key)).statusCode).toBe(409)
    expect((await send()).statusCode).toBe(200)
  })

  it('is possible on request however much time is left, but adds nothing beyond ten years', async () => {
    await using office = await openOffice()
    const { key } = await office.share('LINK_DIRECTORY', { days: 3650 })
    const answer = async () => {
      await office.call('POST', '/v1/ask', {}, { accessKey: key, wants: 'time' })
      const [{ id }] = await office.data('GET', '/v1/ask', office.kim)
      return (await office.data('POST', `/v1/ask/${id}`, office.kim, { grant: true })).link.expiry
    }
    expect(await answer()).toBe(office.inDays(3660))
    expect(await answer()).toBe(office.inDays(3660))
    const later = '2051-01-01T00:00:00.000Z' // as earlier versions allowed
    await office.deps.db.updateTable('link').set({ expires_at: later }).execute()
    expect(await answer()).toBe(later)
  })

  it.each([
    ['its company is archived', 'link.company_archived'],
    ['its directory is deleted', 'link.target_deleted'],
    ['its file is deleted', 'link.target_deleted'],
    ['the version that it is pinned to is deleted', 'version.not_found'],
  ])('is refused while %s, even on request, and then notifies nobody', async (cause, code) => {
    await using office = await openOffice()
    const isPinned = cause.includes('version')
    const { key } = await office.share('LINK_FILE', isPinned ? { version: office.first } : {})
    if (isPinned) await office.put(office.plans, 'first.txt', office.kim, 'newer', '?conflict=replace')
    await office.deps.db.updateTable('link').set({ email: 'rob@client.example' }).execute()
    for (const wants of ['time', 'code']) await office.call('POST', '/v1/ask', {}, { accessKey: key, wants })
    await office.deliver()
    const sentBefore = office.sentEmails.length
    const company = `/v1/admin/company/${await office.companyOf(office.kim)}`
    if (cause.includes('company')) await office.call('POST', `${company}/archive`, office.admin)
    if (cause.includes('directory')) await office.call('DELETE', `/v1/directory/${office.plans}`, office.kim)
    if (cause.includes('file')) await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    if (isPinned) await office.call('DELETE', `/v1/file/${office.first}/version/${office.first}`, office.kim)
    const before = await office.data('GET', `/v1/link/${key}/info`, office.admin)
    expect((await extend(office, key, office.admin)).json().code).toBe(code)
    const asks = (await office.data('GET', '/v1/ask', office.admin)) as { id: string; target_deleted: boolean }[]
    // Requests about links of archived companies aren't listed.
    expect(asks.map(({ target_deleted }) => target_deleted)).toEqual(cause.includes('company') ? [] : [true, true])
    const answer = (id: string, grant: boolean) => office.call('POST', `/v1/ask/${id}`, office.admin, { grant })
    for (const { id } of asks) expect((await answer(id, true)).json().code).toBe(code)
    expect(await office.data('GET', `/v1/link/${key}/info`, office.admin)).toEqual(before)
    await office.deliver()
    expect(office.sentEmails).toHaveLength(sentBefore)
    expect(await office.data('GET', '/v1/ask', office.admin)).toEqual(asks)
    for (const { id } of asks) expect((await answer(id, false)).statusCode).toBe(200)
  })

  it('is possible while its owner is suspended: the caller becomes its owner, and the recipient is notified', async () => {
    await using office = await openOffice()
    const link = await office.share()
    await office.deps.db.updateTable('link').set({ email: 'rob@client.example' }).execute()
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    await office.call('POST', '/v1/ask', {}, { accessKey: link.key, wants: 'code' })
    expect(await office.data('GET', '/v1/ask', office.admin)).toMatchObject([{ owner_can_act: false }])
    await office.deliver()
    office.sentEmails.length = 0
    expect((await extend(office, link.key, office.admin)).json().data).toMatchObject({ reasons: [] })
    await office.deliver()
    expect(office.sentEmails.map(({ to }) => to)).toEqual(['rob@client.example'])
    expect((await office.verify(link.key, link.code)).json().data.token).not.toBeNull()
  })
})
