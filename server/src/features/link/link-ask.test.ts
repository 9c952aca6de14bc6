import { describe, expect, it } from 'vitest'
import { day, openOffice } from './testing.ts'

describe('a recipient’s request', () => {
  it('notifies the owner once, by email and in the app; granting it extends the link and keeps its code', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_DIRECTORY', { days: 1 })
    office.advance(2 * day)
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
    expect(answered.json().data).toMatchObject({ link: { expiry: office.inDays(30) }, accessCode: null, sentTo: null })
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
    expect(subjects.toSorted()).toEqual(['Kim Doe shared “Plans” with you', 'The link to “Plans” was extended'])
    expect(await office.data('GET', '/v1/link?search=rob%40', office.kim)).toMatchObject([{ key }])
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
