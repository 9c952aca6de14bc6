import { describe, expect, it } from 'vitest'
import { openOffice } from '../link/testing.ts'
import { warnAboutQuotas } from './quota-warning.service.ts'

type Headers = Record<string, string>

const minute = 60_000
const hour = 60 * minute

/** Opens an office with a quota of 1000 bytes per company. Adds helpers to set the usage of a company and to read the warnings. */
async function openFullOffice(environment: Headers = { COMPANY_QUOTA_BYTES: '1000' }) {
  const office = await openOffice(environment)
  const acme = await office.companyOf(office.kim)
  const { db } = office.deps
  /** Sets the usage of a company, and checks it as the job does every minute. */
  const use = async (bytes: number, company = acme) => {
    await db.updateTable('company').set({ bytes }).where('id', '=', company).execute()
    await check()
  }
  const check = () => warnAboutQuotas(office.deps)
  /** Delivers the emails that are due, and returns the subjects of new ones with their recipients. */
  const readNew = async () => {
    const before = office.sentEmails.length
    await office.deliver()
    return office.sentEmails.slice(before).map(({ to, subject }) => `${to}: ${subject}`)
  }
  const listEntries = async (who = office.admin): Promise<[string, string][]> => {
    const { data } = (await office.call('GET', '/v1/activity?action=company.quota_warned', who)).json()
    return data.map(({ name, note }: { name: string; note: string }) => [name, note])
  }
  const changeQuota = (quota: number | null, company = acme) =>
    office.call('PATCH', `/v1/admin/company/${company}`, office.admin, { quota })
  return { ...office, acme, use, check, readNew, listEntries, changeQuota }
}

const to = 'admin@neptune.example'

describe('a quota warning', () => {
  it('is sent once when a company passes 80 %, and once more at 95 %', async () => {
    await using office = await openFullOffice()
    await office.use(799)
    expect(await office.readNew()).toEqual([])
    await office.use(800)
    await office.use(949)
    expect(await office.readNew()).toEqual([`${to}: “Acme GmbH” has used 94% of its storage`])
    await office.use(950)
    await office.use(1000)
    expect(await office.readNew()).toEqual([`${to}: “Acme GmbH” has used 100% of its storage`])
    expect(await office.listEntries()).toEqual([
      ['Acme GmbH', '95%'],
      ['Acme GmbH', '80%'],
    ])
  })

  it('is sent once when a company passes both thresholds at once', async () => {
    await using office = await openFullOffice()
    await office.use(990)
    await office.check()
    expect(await office.readNew()).toHaveLength(1)
    expect(await office.listEntries()).toEqual([['Acme GmbH', '99%']])
  })

  it('is repeated only after the usage has fallen more than five percentage points below the threshold', async () => {
    await using office = await openFullOffice()
    for (const bytes of [800, 750, 800]) await office.use(bytes)
    expect(await office.readNew()).toHaveLength(1)
    for (const bytes of [749, 800]) await office.use(bytes)
    expect(await office.readNew()).toHaveLength(1)
    for (const bytes of [960, 900, 960]) await office.use(bytes)
    expect(await office.readNew()).toHaveLength(1)
    for (const bytes of [899, 940, 950]) await office.use(bytes)
    expect(await office.readNew()).toHaveLength(1)
  })

  it('is sent after a change of the company’s own quota or of the default', async () => {
    await using office = await openFullOffice()
    await office.use(500)
    expect(await office.readNew()).toEqual([])
    await office.changeQuota(600)
    await office.check()
    expect(await office.readNew()).toEqual([`${to}: “Acme GmbH” has used 83% of its storage`])
    await office.changeQuota(null)
    await office.check()
    office.deps.config.settings.values.storage.company_quota_bytes = 510
    await office.check()
    expect(await office.readNew()).toEqual([`${to}: “Acme GmbH” has used 98% of its storage`])
    office.deps.config.settings.values.storage.company_quota_bytes = null
    await office.check()
    office.deps.config.settings.values.storage.company_quota_bytes = 510
    await office.check()
    expect(await office.readNew()).toHaveLength(1)
  })

  it('is sent by the next check after an upload, and files in the trash still count', async () => {
    await using office = await openFullOffice()
    const { id } = (await office.put(office.plans, 'big.bin', office.kim, 'x'.repeat(800))).json().data
    expect(await office.listEntries()).toEqual([])
    await office.check()
    expect(await office.readNew()).toHaveLength(1)
    await office.call('DELETE', `/v1/file/${id}`, office.kim)
    await office.check()
    expect(await office.data('GET', `/v1/company/${office.acme}`, office.kim)).toMatchObject({ bytes: 829 })
    expect(await office.readNew()).toEqual([])
  })

  it('is sent to the address that an admin has by then', async () => {
    await using office = await openFullOffice()
    const id = await office.addUser({ email: 'ada@neptune.example', role: 'NEPTUNE_ADMIN' })
    await office.use(900)
    await office.call('PATCH', `/v1/admin/user/${id}`, office.admin, { email: 'lovelace@neptune.example' })
    const warning = '“Acme GmbH” has used 90% of its storage'
    const sent = (await office.readNew()).filter((line) => line.endsWith(warning))
    expect(sent.toSorted()).toEqual([`${to}: ${warning}`, `lovelace@neptune.example: ${warning}`])
  })

  it('is sent once when several nodes check at the same time', async () => {
    await using office = await openFullOffice()
    const { db } = office.deps
    await db.updateTable('company').set({ bytes: 900 }).where('id', '=', office.acme).execute()
    await Promise.all(Array.from({ length: 4 }, () => office.check()))
    expect(await office.readNew()).toHaveLength(1)
    expect(await office.listEntries()).toHaveLength(1)
  })

  it('lists all companies that passed a threshold in the same check, which the dashboard shows first', async () => {
    await using office = await openFullOffice()
    const globex = await office.companyOf(office.eve)
    await office.deps.db.updateTable('company').set({ bytes: 850 }).where('id', '=', globex).execute()
    await office.use(960)
    expect(await office.readNew()).toEqual([`${to}: 2 companies are running out of storage`])
    const [, text] = /Hi Kim Doe,\n\n(.*)\n\nWhen/s.exec(office.sentEmails[0]?.text ?? '') ?? []
    expect(text?.split('\n').toSorted()).toEqual([
      '- “Acme 2” has used 850 B of its 1 KB storage quota (85%).',
      '- “Acme GmbH” has used 960 B of its 1 KB storage quota (96%).',
    ])
    const { storage } = await office.data('GET', '/v1/dashboard', office.admin)
    expect(storage.companies.map(({ name, warned }: { name: string; warned: boolean }) => [name, warned])).toEqual([
      ['Acme GmbH', true],
      ['Acme 2', true],
      ['Acme 3', false],
    ])
    const own = (await office.data('GET', '/v1/dashboard', office.eve)).storage
    expect(own.companies).toMatchObject([{ name: 'Acme 2', warned: true }])
    expect(await office.listEntries(office.eve)).toEqual([['Acme 2', '85%']])
  })
})

describe('an email about quotas', () => {
  it('goes to every admin who can sign in when it is sent', async () => {
    await using office = await openFullOffice()
    await office.addUser({ email: 'second@neptune.example', role: 'NEPTUNE_ADMIN' })
    const suspended = await office.addUser({ email: 'suspended@neptune.example', role: 'NEPTUNE_ADMIN' })
    const demoted = await office.addUser({ email: 'demoted@neptune.example', role: 'NEPTUNE_ADMIN' })
    const { db } = office.deps
    await db.updateTable('user').set({ suspended_at: '2026-11-01T00:00:00.000Z' }).where('id', '=', suspended).execute()
    await office.use(800)
    await db.updateTable('user').set({ role: 'NEPTUNE_USER' }).where('id', '=', demoted).execute()
    expect((await office.readNew()).map((line) => line.split(':')[0]).toSorted()).toEqual([to, 'second@neptune.example'])
  })

  it('is not sent if the usage has fallen again or the company is archived', async () => {
    await using office = await openFullOffice()
    const globex = await office.companyOf(office.eve)
    await office.use(800)
    await office.use(700)
    await office.use(990, globex)
    expect((await office.call('POST', `/v1/admin/company/${globex}/archive`, office.admin)).statusCode).toBe(200)
    expect(await office.readNew()).toEqual([])
    await office.use(990, globex)
    expect(await office.readNew()).toEqual([])
  })

  it('is merged with others beyond five an hour', async () => {
    await using office = await openFullOffice()
    for (let i = 0; i < 8; i++) {
      const { id } = await office.data('POST', '/v1/admin/company', office.admin, { name: `Client ${i}` })
      await office.use(900 + i, id)
    }
    expect(await office.readNew()).toHaveLength(5)
    office.advance(hour + minute)
    expect(await office.readNew()).toEqual([`${to}: 3 companies are running out of storage`])
  })
})
