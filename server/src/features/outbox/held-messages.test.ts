import { describe, expect, it } from 'vitest'
import { password, toBearerHeader } from '../../testing.ts'
import { type Office, openOffice } from '../link/testing.ts'
import { countUses } from '../throttle/throttle.service.ts'

const minute = 60_000
const hour = 60 * minute
const kim = 'kim@acme.example'

const listEmailsTo = (office: Office, to: string) => office.sentEmails.filter((email) => email.to === to)

async function useUpLimit(office: Office, to: string) {
  for (let i = 0; i < 5; i++)
    await countUses(office.deps, 'mail.too_many', [{ key: ['mail', 'outside', to], limit: 5, windowMs: hour }])
}

/** Hands a link over from Kim to the admin, or back. */
async function handOver(office: Office, key: string, to: 'admin' | 'kim') {
  const { id: adminId } = await office.data('GET', '/v1/identity', office.admin)
  const [from, successor] = to === 'admin' ? [office.kimId, adminId] : [adminId, office.kimId]
  const body = { to: successor, keys: [key] }
  expect((await office.call('POST', `/v1/admin/user/${from}/handover`, office.admin, body)).statusCode).toBe(200)
}

describe('messages that are held back', () => {
  it('name every file, even if some notices are merged and others are sent later', async () => {
    await using office = await openOffice()
    const [first, second] = [await office.share('LINK_EDITABLE_DIRECTORY'), await office.share('LINK_EDITABLE_DIRECTORY')]
    const [rob, sue] = [await office.enter(first), await office.enter(second)]
    await office.put(office.plans, 'one.txt', rob)
    office.advance(3 * minute)
    await office.put(office.plans, 'other.txt', sue)
    await useUpLimit(office, kim)
    office.advance(2 * minute)
    await office.deliver()
    office.advance(minute)
    await office.put(office.plans, 'two.txt', rob)
    for (const minutes of [2, 60, 60]) {
      office.advance(minutes * minute)
      await office.deliver()
    }
    const texts = listEmailsTo(office, kim).map(({ text }) => text)
    for (const name of ['one.txt', 'other.txt', 'two.txt']) expect(texts.join('')).toContain(name)
  })

  it('are sent when the hour of the limit ends, even if new ones follow and the limit of the next hour is used up', async () => {
    await using office = await openOffice()
    const links = [await office.share('LINK_EDITABLE_DIRECTORY'), await office.share('LINK_EDITABLE_DIRECTORY')]
    const visitors = await Promise.all(links.map((link) => office.enter(link)))
    let sentAfterMinutes: number | undefined
    await useUpLimit(office, kim)
    for (let i = 0; i < 24; i++) {
      await office.put(office.plans, `${i}.txt`, visitors[i % 2] ?? {})
      office.advance(5 * minute)
      if (i % 12 === 11) await useUpLimit(office, kim)
      await office.deliver()
      if (listEmailsTo(office, kim).length > 0) sentAfterMinutes ??= 5 * (i + 1)
    }
    expect(sentAfterMinutes).toBe(60)
    expect(listEmailsTo(office, kim)[0]?.text).toMatch(/\b0\.txt/)
  })

  it('P50: are merged even if they are about an account', async () => {
    await using office = await openOffice()
    let who = office.kim
    for (let i = 0; i < 8; i++) {
      const [oldPassword, newPassword] = [i === 0 ? password : `a long new passphrase ${i - 1}`, `a long new passphrase ${i}`]
      const reply = await office.call('PATCH', '/v1/identity/password', who, { oldPassword, newPassword })
      expect(reply.statusCode).toBe(200)
      who = toBearerHeader(reply.json().token)
    }
    await office.deliver()
    expect(listEmailsTo(office, kim)).toHaveLength(5)
    office.advance(hour)
    await office.deliver()
    expect(listEmailsTo(office, kim)).toHaveLength(6)
  })

  it('list a link that still exists, even after fifty deleted ones', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    await office.call('POST', '/v1/ask', {}, { accessKey: key, wants: 'time' })
    const gone = Array.from({ length: 50 }, (_, i) => `${String(i).padStart(22, '0')} time`)
    await office.deps.db
      .updateTable('outbox')
      .set({ about: [...gone, `${key} time`].join('\n') })
      .execute()
    await office.deliver()
    expect(listEmailsTo(office, kim).map(({ subject }) => subject)).toEqual(['Someone requested more time for “Plans”'])
  })
})

describe('a link that gets a new owner', () => {
  it('P50: takes its notices along, so that repeated changes of the owner cause no extra messages', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share('LINK_EDITABLE_DIRECTORY')
    await office.put(office.plans, 'one.txt', await office.enter({ key, code }))
    for (let i = 0; i < 6; i++) await handOver(office, key, i % 2 ? 'kim' : 'admin')
    const notices = office.deps.db.selectFrom('outbox').select('recipient').where('letter', '=', 'link_uploads')
    expect(await notices.execute()).toEqual([{ recipient: kim }])
    office.advance(10 * minute)
    await office.deliver()
    expect(office.sentEmails.filter(({ text }) => text.includes('one.txt')).map(({ to }) => to)).toEqual([kim])
  })

  it('leaves its previous owner the notices about other links', async () => {
    await using office = await openOffice()
    const [first, second] = [await office.share(), await office.share()]
    for (const { key } of [first, second]) await office.call('POST', '/v1/ask', {}, { accessKey: key, wants: 'code' })
    await useUpLimit(office, kim)
    await office.deliver()
    expect(await office.deps.db.selectFrom('outbox').select('id').execute()).toHaveLength(1)
    await handOver(office, first.key, 'admin')
    office.advance(hour)
    await office.deliver()
    expect(office.sentEmails.map(({ to, subject }) => [to, subject]).sort()).toEqual([
      ['admin@neptune.example', 'Someone requested a new access code for “Plans” (Acme GmbH)'],
      [kim, 'Someone requested a new access code for “Plans”'],
    ])
  })
})

describe('the email about an extended link', () => {
  it('is not sent if the file of the link is deleted meanwhile', async () => {
    await using office = await openOffice()
    const { key } = await office.share('LINK_FILE')
    await office.deps.db.updateTable('link').set({ email: 'rob@client.example' }).execute()
    expect((await office.call('POST', `/v1/link/${key}/extend`, office.kim)).statusCode).toBe(200)
    await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    await office.deliver()
    expect(office.sentEmails).toEqual([])
  })
})
