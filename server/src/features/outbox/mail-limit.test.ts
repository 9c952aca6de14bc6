import { describe, expect, it } from 'vitest'
import { type Office, openOffice } from '../link/testing.ts'
import { countUses } from '../throttle/throttle.service.ts'

const minute = 60_000
const hour = 60 * minute
const rob = 'rob@client.example'
const kim = 'kim@acme.example'

const ask = (office: Office, accessKey: string, wants: 'time' | 'code', from = '203.0.113.1', message?: string) =>
  office.app.inject({
    method: 'POST',
    url: '/v1/ask',
    remoteAddress: from,
    payload: { accessKey, wants, ...(message && { message }) },
  })

const send = (office: Office, key: string, targetEmail: string) =>
  office.call('POST', '/v1/link/email', office.kim, { key, targetEmail })

const answer = (office: Office, id: string) => office.call('POST', `/v1/ask/${id}`, office.kim, { grant: true })

const listEmailsTo = (office: Office, to: string) => office.sentEmails.filter((email) => email.to === to)

describe('the email limit of an address', () => {
  it('P50: counts answers to requests; one over the limit is refused and changes nothing', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share()
    await office.deps.db.updateTable('link').set({ email: rob }).execute()
    const codes: number[] = []
    let last = code
    for (let i = 0; i < 50; i++) {
      await ask(office, key, 'code', `203.0.113.${i}`)
      const [request] = await office.data('GET', '/v1/ask', office.kim)
      const reply = await answer(office, request.id)
      codes.push(reply.statusCode)
      if (reply.statusCode === 200) last = reply.json().data.accessCode
      else expect([reply.json().code, reply.headers['retry-after']]).toEqual(['mail.too_many', '3600'])
    }
    expect(codes).toEqual([...Array(5).fill(200), ...Array(45).fill(429)])
    await office.deliver()
    // Each new code replaces the one before, so only the message with the last one is sent.
    expect(listEmailsTo(office, rob).length).toBeLessThanOrEqual(5)
    expect((await office.verify(key, last)).json().data.validation).toBe(true)
    expect(await office.data('GET', '/v1/ask', office.kim)).toHaveLength(1)
    expect((await send(office, key, rob)).statusCode).toBe(429)
    office.advance(hour)
    const [request] = await office.data('GET', '/v1/ask', office.kim)
    expect((await answer(office, request.id)).statusCode).toBe(200)
  })

  it('never keeps a link from being extended; messages over the limit are merged and sent an hour later', async () => {
    await using office = await openOffice()
    const keys: string[] = []
    for (let i = 0; i < 7; i++) keys.push((await office.share()).key)
    await office.deps.db.updateTable('link').set({ email: rob }).execute()
    for (const [i, key] of keys.entries()) await ask(office, key, 'time', `203.0.113.${i}`)
    for (const { id } of await office.data('GET', '/v1/ask', office.kim)) expect((await answer(office, id)).statusCode).toBe(200)
    await office.deliver()
    expect(listEmailsTo(office, rob)).toHaveLength(5)
    office.advance(hour)
    await office.deliver()
    expect(listEmailsTo(office, rob)).toHaveLength(6)
    expect(listEmailsTo(office, rob)[5]?.subject).toBe('2 of your links were extended')
    const all = listEmailsTo(office, rob).map(({ text }) => text)
    for (const key of keys) expect(all.join('')).toContain(`/access/${key}`)
  })

  it('P50: lets a stranger with ten keys cause five messages; the next one lists all other requests', async () => {
    await using office = await openOffice()
    for (let i = 0; i < 10; i++) {
      const { key } = await office.share()
      for (const wants of ['time', 'code'] as const) await ask(office, key, wants, `203.0.113.${2 * i}`)
    }
    await office.deliver()
    expect(listEmailsTo(office, kim)).toHaveLength(5)
    office.advance(minute)
    await office.deliver()
    expect(listEmailsTo(office, kim)).toHaveLength(5)
    office.advance(hour)
    await office.deliver()
    expect(listEmailsTo(office, kim)).toHaveLength(6)
    expect(listEmailsTo(office, kim)[5]?.subject).toBe('15 requests from recipients')
    office.advance(hour)
    await office.deliver()
    expect(listEmailsTo(office, kim)).toHaveLength(6)
  })

  it('holds back notices about uploads and merges them, so that none is lost', async () => {
    await using office = await openOffice()
    for (let i = 0; i < 8; i++) {
      const visitor = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
      await office.put(office.plans, `file ${i}.txt`, visitor)
    }
    office.advance(10 * minute)
    await office.deliver()
    expect(listEmailsTo(office, kim)).toHaveLength(5)
    office.advance(hour)
    await office.deliver()
    expect(listEmailsTo(office, kim)).toHaveLength(6)
    const all = office.sentEmails.map(({ text }) => text).join('')
    for (let i = 0; i < 8; i++) expect(all).toContain(`file ${i}.txt`)
    expect(listEmailsTo(office, kim)[5]?.text).toContain('Someone uploaded 1 file to “Plans”:')
  })

  it('holds back a notice only once, even if others keep the address at its limit', async () => {
    await using office = await openOffice()
    const keys: string[] = []
    for (let i = 0; i < 6; i++) keys.push((await office.share()).key)
    for (const [i, key] of keys.entries()) await ask(office, key, 'time', `203.0.113.${i}`)
    await office.deliver()
    expect(listEmailsTo(office, kim)).toHaveLength(5)
    office.advance(hour)
    for (let i = 0; i < 5; i++)
      await countUses(office.deps, 'mail.too_many', [{ key: ['mail', 'outside', kim], limit: 5, windowMs: hour }])
    await office.deliver()
    expect(listEmailsTo(office, kim)).toHaveLength(6)
  })

  it('cannot be used up by strangers for messages from staff or about account security', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    for (let i = 0; i < 5; i++) {
      const link = await office.share()
      for (const wants of ['time', 'code'] as const) await ask(office, link.key, wants, `203.0.113.${2 * i}`)
    }
    await office.deliver()
    expect(listEmailsTo(office, kim)).toHaveLength(5)
    expect((await send(office, key, kim)).statusCode).toBe(200)
    await office.call('POST', '/v1/identity/forgot', {}, { email: kim })
    await office.deliver()
    expect(listEmailsTo(office, kim).map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['Choose a new password', 'Acme GmbH shared “Plans” with you']),
    )
  })
})

describe('the email limit of a user', () => {
  it('refuses the twenty-first extension in an hour that would notify a recipient', async () => {
    await using office = await openOffice()
    const codes: number[] = []
    for (let i = 0; i < 21; i++) {
      const { key } = await office.share()
      await office.deps.db
        .updateTable('link')
        .set({ email: `r${i}@client.example` })
        .where('key', '=', key)
        .execute()
      codes.push((await office.call('POST', `/v1/link/${key}/extend`, office.kim)).statusCode)
    }
    expect(codes).toEqual([...Array(20).fill(200), 429])
  })
})

describe('the message about a request', () => {
  it('is not sent if the request is answered first', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    await ask(office, key, 'time')
    const [{ id }] = await office.data('GET', '/v1/ask', office.kim)
    await office.call('POST', `/v1/ask/${id}`, office.kim, { grant: false })
    await office.deliver()
    expect(listEmailsTo(office, kim)).toEqual([])
  })

  it('quotes what the recipient wrote, as text without links', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    const message = 'Rob <b>Roy</b>, see https://evil.example/x \u202e or www.evil.example'
    await ask(office, key, 'code', undefined, message)
    await office.deliver()
    const { text = '', html = '', subject = '' } = listEmailsTo(office, kim)[0] ?? {}
    expect(subject).toBe('Someone requested a new access code for “Plans”')
    expect(text).toMatch(/^Hi Kim Doe,\n\nSomeone requested a new access code for “Plans”\./)
    expect(text.replaceAll(/\n> /g, ' ')).toContain(
      'They wrote:\n Rob <b>Roy</b>, see https[:]//evil[.]example/x or www[.]evil[.]example',
    )
    expect(html).toContain('Rob &#60;b&#62;Roy&#60;/b&#62;')
    for (const body of [text, html]) {
      expect(body).not.toContain('evil.example')
      expect(body).not.toContain('\u202e')
      expect(body.replaceAll(/\s+/g, ' ')).toContain('We haven’t verified who asked or what they wrote.')
    }
  })
})

describe('the message with a link to an editable directory', () => {
  it.each([
    [
      true,
      'Acme GmbH shared “Plans” with you and requested files',
      'shared the directory “Plans” (2 files) with you and asked you to upload files to it.',
    ],
    [false, 'Acme GmbH requested files for “Empty”', 'asked you to upload files to the directory “Empty”.'],
  ])('says what the recipient can do there, with files in it: %s', async (hasFiles, subject, text) => {
    await using office = await openOffice()
    const directory = hasFiles ? office.plans : await office.addDirectory(office.kim, 'Empty')
    const reserved = await office.reserve(office.kim, directory)
    const link = { linkType: 'LINK_EDITABLE_DIRECTORY', directory, ...reserved, expiry: office.inDays(30) }
    await office.call('POST', '/v1/link', office.kim, link)
    await send(office, reserved.key, rob)
    await office.deliver()
    expect(listEmailsTo(office, rob)[0]?.subject).toBe(subject)
    expect(listEmailsTo(office, rob)[0]?.text.replaceAll(/\s+/g, ' ')).toContain(`Kim Doe from Acme GmbH ${text}`)
  })
})
