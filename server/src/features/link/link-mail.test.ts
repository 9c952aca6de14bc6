import { normalizeCode } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { dayMs, openOffice } from './testing.ts'

describe('sending a link', () => {
  it('emails the URL with or without the code to one address, and shows the address on the link', async () => {
    await using office = await openOffice({ PUBLIC_URL: 'https://files.acme.example' })
    office.pretendMailServer()
    const { key, code } = await office.share()
    const send = (more: object) =>
      office.call('POST', '/v1/link/email', { ...office.kim, host: 'evil.example' }, { key, ...more })
    const sent = await send({ accessCode: code.toLowerCase().replaceAll('-', ' '), targetEmail: 'Rob@Client.example' })
    expect(sent.json().data.email).toBe('rob@client.example')
    expect((await send({ accessCode: '', targetEmail: 'ann@client.example', includeCode: false })).statusCode).toBe(200)
    const rows = await office.deps.db.selectFrom('outbox').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(normalizeCode(code))
    await office.deliver()
    const [withCode, withoutCode] = ['rob@client.example', 'ann@client.example'].map((to) =>
      office.sentEmails.find((mail) => mail.to === to),
    )
    expect(withCode?.to).toBe('rob@client.example')
    for (const body of [withCode?.text, withCode?.html]) {
      expect(body).toContain(`https://files.acme.example/access/${key}`)
      expect(body).toContain(code)
      expect(body).toContain('Plans')
      expect(body).not.toContain('evil.example')
    }
    expect(withoutCode?.text).toContain(key)
    expect(`${withoutCode?.text}${withoutCode?.html}`).not.toContain(code)
    const events = await office.data('GET', `/v1/link/${key}/activity`, office.kim)
    expect(events).toMatchObject([{ kind: 'code_sent', name: 'rob@client.example', person: 'Kim Doe' }])
  })

  it('adds a personal message as plain text to an email in the chosen language', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    const message = '\nDear Rob,\n\n\n<b>page 3</b> of https://acme.example/plan, please.\nBcc: eve@evil.example\n'
    const details = { key, targetEmail: 'rob@client.example', language: 'de', message }
    expect((await office.call('POST', '/v1/link/email', office.admin, details)).statusCode).toBe(200)
    await office.call('POST', '/v1/link/email', office.kim, { key, targetEmail: 'ann@client.example', message: ' \n ' })
    await office.deliver()
    const [email, plain] = ['rob', 'ann'].map((name) => office.sentEmails.find(({ to }) => to === `${name}@client.example`))
    const { name } = await office.data('GET', '/v1/identity', office.admin)
    expect(email?.language).toBe('de')
    expect(email?.text).toContain(
      `Nachricht von ${name}:\n\n> Dear Rob,\n>\n> <b>page 3</b> of https://acme.example/plan, please.\n> Bcc: eve@evil.example\n\n`,
    )
    expect(email?.html).toContain(
      '>Dear Rob,<br><br>&#60;b&#62;page 3&#60;/b&#62; of https://acme.example/plan, please.<br>Bcc: eve@evil.example</blockquote>',
    )
    expect(`${plain?.text}${plain?.html}`).not.toMatch(/Message from|blockquote/)
  })

  it('P42: refuses a message that is too long or contains control characters other than line feeds', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    const send = (message: unknown) =>
      office.call('POST', '/v1/link/email', office.kim, { key, targetEmail: 'rob@client.example', message })
    for (const bad of ['a'.repeat(1001), 'Hi\r\nBcc: eve@evil.example', 'Hi\0', 'Hi\u001b[31m', '\ud800', ['Hi'], null])
      expect((await send(bad)).statusCode, String(bad)).toBe(400)
    for (let i = 0; i < 5; i++) expect((await send('\u{1f44b}\n'.repeat(333))).statusCode).toBe(200)
    expect((await send('Hi')).json().code).toBe('mail.too_many')
  })

  it('records that the email was saved instead of sent if no mail server is set up', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    const readRecords = async () => {
      const [event] = await office.data('GET', `/v1/link/${key}/activity`, office.kim)
      const [entry] = await office.data('GET', '/v1/activity?action=link.code_sent', office.kim)
      return [event.kind, event.name, entry.note]
    }
    await office.call('POST', '/v1/link/email', office.kim, { key, targetEmail: 'rob@client.example' })
    expect(await readRecords()).toEqual(['code_saved', 'rob@client.example', 'to rob@client.example, saved to the outbox folder'])
    office.pretendMailServer()
    office.advance(1000)
    await office.call('POST', '/v1/link/email', office.kim, { key, targetEmail: 'ann@client.example' })
    expect(await readRecords()).toEqual(['code_sent', 'ann@client.example', 'to ann@client.example'])
  })

  it('names the company of the owner as the sender, not the company of the files', async () => {
    await using office = await openOffice()
    const { company_name: home } = await office.data('GET', '/v1/identity', office.admin)
    expect(home).not.toBe('Acme GmbH')
    const company = await office.companyOf(office.kim)
    const reserved = await office.data('POST', '/v1/link/initialise', office.admin, { company, directory: office.plans })
    const expiry = office.inDays(30)
    const link = { linkType: 'LINK_EDITABLE_DIRECTORY', directory: office.plans, ...reserved, expiry }
    const { key, client } = await office.data('POST', '/v1/link', office.admin, link)
    expect(client).toBe('Acme GmbH')
    await office.call('POST', '/v1/link/email', office.admin, { key, targetEmail: 'rob@client.example' })
    await office.deliver()
    const [email] = office.sentEmails
    expect(email?.subject).toMatch(/shared “Plans” with you and requested files$/)
    expect(email?.text.replaceAll(/\s+/g, ' ')).toContain(
      ` from ${home} shared the directory “Plans” (2 files) with you and asked you to upload files to it.`,
    )
    const recipient = await office.enter({ key, code: reserved.accessCode })
    expect(await office.data('GET', '/v1/access', recipient)).toMatchObject({ client: home })
    await office.put(office.plans, 'plan.txt', recipient)
    const { receipt } = await office.data('POST', '/v1/receipt', recipient, {})
    expect(receipt).toMatchObject({ received_by: { company: home }, company: 'Acme GmbH' })
    await office.call('POST', `/v1/receipt/${receipt.id}/email`, recipient, { email: 'rob@client.example' })
    await office.deliver()
    expect(office.sentEmails.find(({ subject }) => subject.startsWith('Receipt'))?.text.replaceAll(/\s+/g, ' ')).toContain(
      `${home} received 1 file (8 B) for Acme GmbH through the link to “Plans”:`,
    )
  })

  it('names the organisation instead of the owner’s company while that still has the first company’s initial name, Neptune', async () => {
    await using office = await openOffice()
    const { company, company_name: home } = await office.data('GET', '/v1/identity', office.admin)
    await office.call('PATCH', `/v1/admin/company/${company}`, office.admin, { name: 'Neptune' })
    const settings = await office.data('GET', '/v1/admin/settings', office.admin)
    const change = { version: settings.organisation.version, values: { name: 'Keller & Partner' } }
    await office.call('PATCH', '/v1/admin/settings/organisation', office.admin, change)
    const reserved = await office.data('POST', '/v1/link/initialise', office.admin, {
      company: await office.companyOf(office.kim),
      directory: office.plans,
    })
    const link = { linkType: 'LINK_DIRECTORY', directory: office.plans, ...reserved, expiry: office.inDays(30) }
    const { key } = await office.data('POST', '/v1/link', office.admin, link)
    const send = () => office.call('POST', '/v1/link/email', office.admin, { key, targetEmail: 'rob@client.example' })
    await send()
    await office.deliver()
    expect(office.sentEmails[0]?.subject).toBe('Keller & Partner shared “Plans” with you')
    const recipient = await office.enter({ key, code: reserved.accessCode })
    expect(await office.data('GET', '/v1/access', recipient)).toMatchObject({ client: 'Keller & Partner' })

    await office.call('PATCH', `/v1/admin/company/${company}`, office.admin, { name: home })
    await send()
    await office.deliver()
    expect(office.sentEmails[1]?.subject).toBe(`${home} shared “Plans” with you`)
    expect(office.sentEmails[1]?.text.replaceAll(/\s+/g, ' ')).toContain('uses the Keller & Partner portal for this.')
  })

  it('sends nothing if the code changes before the email is sent', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    for (const includeCode of [true, false])
      await office.call('POST', '/v1/link/email', office.kim, { key, targetEmail: 'wrong@client.example', includeCode })
    const { accessCode } = await office.data('POST', '/v1/link/initialise', office.kim, { type: 'RESET', accessKey: key })
    await office.call('PATCH', '/v1/link/reset', office.kim, { accessKey: key, accessCode })
    await office.deliver()
    expect(office.sentEmails).toEqual([])
  })

  it('is refused if the link has expired, and sends nothing if it expires before the email is sent', async () => {
    await using office = await openOffice()
    const { key } = await office.share('LINK_DIRECTORY', { days: 1 })
    const send = () => office.call('POST', '/v1/link/email', office.kim, { key, targetEmail: 'rob@client.example' })
    expect((await send()).statusCode).toBe(200)
    office.advance(dayMs)
    await office.deliver()
    expect(office.sentEmails).toEqual([])
    expect((await send()).json().code).toBe('link.expired')
    expect(await office.data('GET', '/v1/activity?action=link.code_sent', office.kim)).toHaveLength(1)
  })

  it('rejects a wrong code and counts it as an attempt', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share()
    const send = (accessCode: string) =>
      office.call('POST', '/v1/link/email', office.kim, { key, accessCode, targetEmail: 'rob@client.example' })
    for (let i = 0; i < 10; i++) expect((await send('0000-0000-0000')).statusCode).toBe(400)
    const last = await send(code)
    expect([last.statusCode, last.json().code]).toEqual([429, 'link.too_many_tries'])
    expect(await office.deps.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  it('P42: accepts exactly one address, and refuses to send it a sixth email', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    const send = (targetEmail: string) => office.call('POST', '/v1/link/email', office.kim, { key, targetEmail })
    for (const bad of ['a@b.example, c@d.example', 'Rob <a@b.example>', 'a@b.example\r\nbcc: c@d.example', '', 'nobody'])
      expect((await send(bad)).statusCode, bad).toBe(400)
    for (let i = 0; i < 5; i++) expect((await send('rob@client.example')).statusCode).toBe(200)
    const over = await send('rob@client.example')
    expect(over.statusCode).toBe(429)
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
  })
})
