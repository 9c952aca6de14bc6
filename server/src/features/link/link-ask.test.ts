import { describe, expect, it } from 'vitest'
import { dayMs, openOffice } from './testing.ts'

describe('a recipient’s request', () => {
  it('notifies the owner once, by email and in the app; granting it extends the link and keeps its code', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_DIRECTORY', { days: 1 })
    office.advance(2 * dayMs)
    const ask = (accessKey: string, more: object = {}) =>
      office.call('POST', '/v1/ask', {}, { accessKey, wants: 'time', ...more })
    const asked = await ask(link.key, { message: 'Rob, who was on holiday' })
    const unknown = await ask('A'.repeat(22))
    expect([asked.statusCode, asked.body]).toEqual([unknown.statusCode, unknown.body])
    await ask(link.key)
    await office.deliver()
    expect(office.sentEmails.map(({ to, subject }) => [to, subject])).toEqual([
      ['kim@acme.example', 'Someone requested more time for “Plans”'],
    ])
    expect(await office.data('GET', '/v1/ask', office.eve)).toEqual([])
    const [request] = await office.data('GET', '/v1/ask', office.kim)
    expect(request).toMatchObject({ key: link.key, wants: 'time', message: 'Rob, who was on holiday' })
    const answer = (who: typeof office.kim) => office.call('POST', `/v1/ask/${request.id}`, who, { grant: true })
    expect((await answer(office.eve)).statusCode).toBe(404)
    expect((await office.verify(link.key, link.code)).json().data).toMatchObject({ expired: true, token: null })
    const answered = await answer(office.kim)
    expect(answered.json().data).toMatchObject({ link: { expiry: '2027-01-02T23:59:59.999Z' }, accessCode: null, sentTo: null })
    expect((await office.verify(link.key, link.code)).json().data).toMatchObject({ validation: true, expired: false })
    expect((await answer(office.kim)).statusCode).toBe(404)
    expect(await office.data('GET', '/v1/ask', office.kim)).toEqual([])
  })

  it('notifies the address that the link was sent to when more time is granted', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    await office.call('POST', '/v1/link/email', office.kim, { key, targetEmail: 'rob@client.example' })
    await office.call('POST', '/v1/ask', {}, { accessKey: key, wants: 'time' })
    const [{ id }] = await office.data('GET', '/v1/ask', office.kim)
    expect((await office.data('POST', `/v1/ask/${id}`, office.kim, { grant: true })).sentTo).toBe('rob@client.example')
    await office.deliver()
    const subjects = office.sentEmails.filter(({ to }) => to === 'rob@client.example').map(({ subject }) => subject)
    expect(subjects.toSorted()).toEqual(['Acme GmbH extended the link to “Plans”', 'Acme GmbH shared “Plans” with you'])
    expect(await office.data('GET', '/v1/link?search=rob%40', office.kim)).toMatchObject([{ key }])
  })

  it('can be granted until a date, and stays open if the date is rejected', async () => {
    await using office = await openOffice()
    const { key } = await office.share('LINK_DIRECTORY', { days: 10 })
    await office.call('POST', '/v1/ask', {}, { accessKey: key, wants: 'time' })
    const [{ id }] = await office.data('GET', '/v1/ask', office.kim)
    const grant = (expiry: string) => office.call('POST', `/v1/ask/${id}`, office.kim, { grant: true, expiry })
    expect((await grant(office.inDays(5))).statusCode).toBe(400)
    expect(await office.data('GET', '/v1/ask', office.kim)).toHaveLength(1)
    expect((await grant(office.inDays(12))).json().data.link.expiry).toBe(office.inDays(12))
    expect(await office.data('GET', '/v1/ask', office.kim)).toEqual([])
  })

  it('sends a new code to the address that the link was sent to if granted, and changes nothing if declined', async () => {
    await using office = await openOffice()
    const link = await office.share()
    await office.call('POST', '/v1/link/email', office.kim, { key: link.key, targetEmail: 'rob@client.example' })
    const ask = () => office.call('POST', '/v1/ask', {}, { accessKey: link.key, wants: 'code' })
    const answer = async (grant: boolean) => {
      await ask()
      const [{ id }] = await office.data('GET', '/v1/ask', office.kim)
      return office.data('POST', `/v1/ask/${id}`, office.kim, { grant })
    }
    expect(await answer(false)).toMatchObject({ accessCode: null })
    expect((await office.verify(link.key, link.code)).json().data.validation).toBe(true)
    const { accessCode, sentTo } = await answer(true)
    expect(sentTo).toBe('rob@client.example')
    expect((await office.verify(link.key, link.code)).json().data.validation).toBe(false)
    expect((await office.verify(link.key, accessCode)).json().data.validation).toBe(true)
    await office.deliver()
    expect(office.sentEmails.filter(({ to }) => to === 'rob@client.example').at(-1)?.text).toContain(accessCode)
  })

  it('for a new code stays open while the link is expired, so that nobody gets a code that doesn’t open it', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share('LINK_DIRECTORY', { days: 1 })
    await office.deps.db.updateTable('link').set({ email: 'rob@client.example' }).execute()
    await office.call('POST', '/v1/ask', {}, { accessKey: key, wants: 'code' })
    const [{ id }] = await office.data('GET', '/v1/ask', office.kim)
    const grant = () => office.call('POST', `/v1/ask/${id}`, office.kim, { grant: true })
    office.advance(2 * dayMs)
    expect((await grant()).json().code).toBe('link.expired')
    await office.data('POST', `/v1/link/${key}/extend`, office.kim)
    expect((await office.verify(key, code)).json().data.validation).toBe(true)
    const { accessCode, sentTo } = (await grant()).json().data
    expect(sentTo).toBe('rob@client.example')
    await office.deliver()
    expect(office.sentEmails.find(({ to, text }) => to === sentTo && text.includes(accessCode))).toBeDefined()
  })

  it('is closed when staff extend or reset the link without answering it', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    for (const wants of ['time', 'code']) await office.call('POST', '/v1/ask', {}, { accessKey: key, wants })
    const open = async () => (await office.data('GET', '/v1/ask', office.kim)).map(({ wants }: { wants: string }) => wants)
    expect((await open()).toSorted()).toEqual(['code', 'time'])
    await office.data('POST', `/v1/link/${key}/extend`, office.kim)
    expect(await open()).toEqual(['code'])
    const { accessCode } = await office.data('POST', '/v1/link/initialise', office.kim, { type: 'RESET', accessKey: key })
    await office.data('PATCH', '/v1/link/reset', office.kim, { accessKey: key, accessCode })
    expect(await open()).toEqual([])
  })

  it('is rate limited', async () => {
    await using office = await openOffice()
    const ask = () => office.call('POST', '/v1/ask', {}, { accessKey: 'A'.repeat(22), wants: 'code' })
    for (let i = 0; i < 5; i++) expect((await ask()).statusCode).toBe(204)
    const over = await ask()
    expect(over.statusCode).toBe(429)
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('a request on a link whose owner can’t answer', () => {
  /** Creates a link to Eve's directory that Kim owns. Returns helpers to request more time as a recipient. */
  async function openAskedOffice() {
    const office = await openOffice()
    await office.giveAccess({ access: 'all' })
    const link = await office.shareForeign()
    const ask = () => office.call('POST', '/v1/ask', {}, { accessKey: link.key, wants: 'time', message: 'One more week' })
    const addColleague = async (email: string, access: object) => {
      const id = await office.addUser({ email, company_id: await office.companyOf(office.kim) })
      await office.call('PATCH', `/v1/admin/user/${id}/access`, office.admin, access)
    }
    const deliverTo = async () => {
      await office.deliver()
      return office.sentEmails.map(({ to }) => to).toSorted()
    }
    return { ...office, link, ask, addColleague, deliverTo }
  }

  it.each([
    ['is suspended', (office: Awaited<ReturnType<typeof openAskedOffice>>) => `/v1/admin/user/${office.kimId}/suspend`],
    ['has no access', undefined],
  ])('goes to colleagues with access if the owner %s', async (_, suspendPath) => {
    await using office = await openAskedOffice()
    await office.addColleague('ada@acme.example', { access: 'selected', companies: [await office.companyOf(office.eve)] })
    await office.addColleague('bob@acme.example', { access: 'own' })
    if (suspendPath) await office.call('POST', suspendPath(office), office.admin)
    else await office.giveAccess({ access: 'own' })
    await office.ask()
    expect(await office.deliverTo()).toEqual(['ada@acme.example'])
    const [email] = office.sentEmails
    expect(email?.subject).toBe('Someone requested more time for “Foreign” (Acme 2)')
    expect(email?.text).toContain('The link belongs to Kim Doe, who can’t answer.')
    expect(email?.text).toContain('One more week')
  })

  it('goes to admins if no colleague has access', async () => {
    await using office = await openAskedOffice()
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    await office.ask()
    expect(await office.deliverTo()).toEqual(['admin@neptune.example'])
  })

  it('is not sent if the owner can answer again before the email goes out', async () => {
    await using office = await openAskedOffice()
    await office.addColleague('ada@acme.example', { access: 'all' })
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    await office.ask()
    await office.call('POST', `/v1/admin/user/${office.kimId}/restore`, office.admin)
    expect(await office.deliverTo()).toEqual([])
  })

  it('goes to nobody while the company is archived, and is listed again when it is restored', async () => {
    await using office = await openAskedOffice()
    const company = await office.companyOf(office.eve)
    await office.ask()
    const count = async () => (await office.data('GET', '/v1/ask', office.admin)).length
    expect(await count()).toBe(1)
    await office.call('POST', `/v1/admin/company/${company}/archive`, office.admin)
    expect(await count()).toBe(0)
    await office.call('POST', '/v1/ask', {}, { accessKey: office.link.key, wants: 'code' })
    expect(await office.deliverTo()).toEqual([])
    await office.call('POST', `/v1/admin/company/${company}/restore`, office.admin)
    expect(await count()).toBe(2)
  })
})
