import type { SignedReceipt } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { withoutRequestId } from '../../testing.ts'
import { emailReceipt, openOfficeForRob, postReceipt } from './testing.ts'

type Headers = Record<string, string>
const hour = 60 * 60_000

describe('a receipt by email', () => {
  it('states the number and size of the files, lists the first twenty, and links to the receipt', async () => {
    await using office = await openOfficeForRob()
    for (let i = 1; i <= 22; i++) {
      office.advance(1000)
      await office.upload(`page ${i}.txt`)
    }
    const { id } = (await office.fetchReceipt()).receipt
    expect((await emailReceipt(office, office.rob, id, ' Rob@Client.example ')).statusCode).toBe(200)
    await office.deliver()
    const { to, subject, text } = office.sentEmails.find(({ to }) => to === 'rob@client.example') ?? {}
    expect([to, subject]).toEqual(['rob@client.example', 'Receipt for 22 files uploaded to “Plans”'])
    expect(text?.replaceAll(/\s+/g, ' ')).toContain('Acme GmbH received 22 files (233 B) through the link to “Plans”:')
    expect(text).toContain('page 20.txt (11 B)')
    expect(text).not.toContain('page 21.txt')
    expect(text).toContain('and 2 more files')
    expect(text).toContain(`${office.deps.config.publicUrl}/receipt/${id}\n`)
    expect(text).toContain(`${office.deps.config.publicUrl}/verify`)
  })

  it('keeps the owner’s address from people whom the link was not sent to, and shows no file name as a link', async () => {
    await using office = await openOfficeForRob()
    await office.upload('Sign in at www.evil.example or evil.example now.txt')
    const { id } = (await office.fetchReceipt()).receipt
    await office.deps.db.updateTable('link').set({ email: 'rob@client.example' }).execute()
    for (const to of ['rob@client.example', 'mallory@evil.example']) await emailReceipt(office, office.rob, id, to)
    await office.deliver()
    const [toRob, toMallory] = ['rob@client.example', 'mallory@evil.example'].map((address) =>
      office.sentEmails.find(({ to }) => to === address),
    )
    expect(toRob?.replyTo?.address).toBe('kim@acme.example')
    expect(JSON.stringify(toMallory)).not.toContain('kim@acme.example')
    expect(toRob?.text.replaceAll(/\s+/g, ' ')).toContain('- Sign in at www[.]evil[.]example or evil[.]example now.txt')
  })

  it('is sent only for receipts of the visitor’s own link', async () => {
    await using office = await openOfficeForRob()
    await office.upload('plan.txt')
    const { id } = (await office.fetchReceipt()).receipt
    const colleague = await office.enter(office.link)
    const stranger = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    expect((await emailReceipt(office, colleague, id, 'rob@client.example')).statusCode).toBe(200)
    const foreign = await emailReceipt(office, stranger, id, 'rob@client.example')
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'receipt.not_found'])
    expect(withoutRequestId(foreign)).toBe(withoutRequestId(await emailReceipt(office, stranger, 'absent', 'rob@client.example')))
    expect((await emailReceipt(office, {}, id, 'rob@client.example')).statusCode).toBe(401)
  })

  it('stores the address only in the outbox', async () => {
    await using office = await openOfficeForRob()
    await office.upload('plan.txt')
    const { id } = (await office.fetchReceipt()).receipt
    await emailReceipt(office, office.rob, id, 'rob@client.example')
    const { db } = office.deps
    expect(await db.selectFrom('outbox').select('recipient').where('letter', '=', 'receipt').execute()).toEqual([
      { recipient: 'rob@client.example' },
    ])
    for (const table of ['audit', 'receipt', 'link', 'link_event', 'link_session', 'throttle'] as const)
      expect(JSON.stringify(await db.selectFrom(table).selectAll().execute()), table).not.toContain('rob@client')
    expect(office.logLines.join('')).not.toContain('rob@client')
  })

  it('is sent at most three times an hour by one visitor', async () => {
    await using office = await openOfficeForRob()
    await office.upload('plan.txt')
    const { id } = (await office.fetchReceipt()).receipt
    for (let i = 0; i < 3; i++)
      expect((await emailReceipt(office, office.rob, id, `rob${i}@client.example`)).statusCode).toBe(200)
    // Entering the code again does not help.
    const again = await emailReceipt(office, await office.enter(office.link), id, 'rob4@client.example')
    expect([again.statusCode, again.json().code, again.headers['retry-after']]).toEqual([429, 'mail.too_many', '3600'])
    office.advance(hour)
    expect((await emailReceipt(office, await office.enter(office.link), id, 'rob4@client.example')).statusCode).toBe(200)
  })

  it('is sent at most five times an hour to one address, without using up the limit of staff', async () => {
    await using office = await openOfficeForRob()
    const to = 'victim@client.example'
    const emailFrom = async (i: number) => {
      const link = await office.share('LINK_EDITABLE_DIRECTORY')
      const { token } = (await office.verify(link.key, link.code, `198.51.100.${i}`)).json().data
      const who = { authorization: `Bearer ${token}` }
      await office.upload(`${i}.txt`, 'x', who)
      return emailReceipt(office, who, (await office.fetchReceipt(who)).receipt.id, to)
    }
    for (let i = 0; i < 5; i++) expect((await emailFrom(i)).statusCode).toBe(200)
    expect((await emailFrom(5)).json().code).toBe('mail.too_many')
    const mail = await office.call('POST', '/v1/link/email', office.kim, { key: office.link.key, targetEmail: to })
    expect(mail.statusCode).toBe(200)
  })

  it.each(['rob@client.example, eve@evil.example', 'Rob <rob@client.example>', 'rob@client.example\r\nBcc: eve@evil.example'])(
    'is not sent to %j',
    async (email) => {
      await using office = await openOfficeForRob()
      await office.upload('plan.txt')
      const { id } = (await office.fetchReceipt()).receipt
      expect((await emailReceipt(office, office.rob, id, email)).json().errors).toContainEqual(
        expect.objectContaining({ field: 'email' }),
      )
    },
  )
})

describe('the receipts of a link', () => {
  it('are listed, newest first, for staff who may see the link', async () => {
    await using office = await openOfficeForRob()
    const first = await office.uploadAndGetFileId('a.txt')
    const one = (await postReceipt(office, office.rob, [first])).json().data as SignedReceipt
    office.advance(1000)
    await office.upload('bb.txt')
    const two = await office.fetchReceipt()
    const list = (who: Headers, key = office.link.key) => office.call('GET', `/v1/link/${key}/receipt`, who)
    const expected = [two, one].map(({ receipt: { id, issued_at, total_files, total_bytes } }) => ({
      id,
      issued_at,
      total_files,
      total_bytes,
      client: '127.0.0.1',
    }))
    for (const who of [office.kim, office.admin]) expect((await list(who)).json().data).toEqual(expected)
    const foreign = await list(office.eve)
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'link.not_found'])
    expect(withoutRequestId(foreign)).toBe(withoutRequestId(await list(office.eve, 'absent')))
    expect((await list(office.rob)).statusCode).toBe(403)
  })

  it('appear in the audit log once, with the emails sent', async () => {
    await using office = await openOfficeForRob()
    await office.upload('a.txt')
    const { id } = (await office.fetchReceipt()).receipt
    await office.fetchReceipt()
    await emailReceipt(office, office.rob, id, 'rob@client.example')
    const rows = await office.deps.db
      .selectFrom('audit')
      .select(['action', 'who', 'client', 'name', 'link_key', 'company_id', 'note'])
      .where('action', 'in', ['receipt.issued', 'receipt.sent'])
      .orderBy('seq')
      .execute()
    const by = { who: 'recipient', client: '127.0.0.1', company_id: await office.companyOf(office.kim) }
    const about = { ...by, name: 'Plans', link_key: office.link.key }
    expect(rows).toEqual([
      { action: 'receipt.issued', ...about, note: `1 file, ${id}` },
      { action: 'receipt.sent', ...about, note: `${id}, saved to the outbox folder` },
    ])
  })
})
