import type { AttentionRow, Dashboard } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { dayMs, type Office, openOffice } from '../link/testing.ts'
import { warnAboutQuotas } from '../quota/quota-warning.service.ts'

type Headers = Record<string, string>

const readAttention = async (office: Office, who: Headers): Promise<Dashboard['attention']> =>
  (await office.data('GET', '/v1/dashboard', who)).attention

/** Returns the kind and the subject of each row. */
const readRows = async (office: Office, who: Headers = office.kim) =>
  (await readAttention(office, who)).rows.map(({ kind, request, link, company, emails }: AttentionRow) => [
    kind,
    request?.key ?? link?.key ?? company?.name ?? emails,
  ])

const ask = (office: Office, accessKey: string, wants = 'time') =>
  office.call('POST', '/v1/ask', {}, { accessKey, wants, message: 'Rob' })

describe('what needs attention', () => {
  it('includes a request until someone answers it', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    expect(await readAttention(office, office.kim)).toEqual({ rows: [], more: [] })
    await ask(office, key)
    const { rows } = await readAttention(office, office.kim)
    expect(rows).toMatchObject([
      { kind: 'request', since: '2026-12-01T09:00:00.000Z', request: { key, wants: 'time', message: 'Rob' } },
    ])
    expect(await readRows(office, office.admin)).toEqual([['request', key]])
    expect(await readRows(office, office.eve)).toEqual([])
    await office.call('POST', `/v1/ask/${rows[0]?.request?.id}`, office.kim, { grant: false })
    expect(await readRows(office)).toEqual([])
  })

  it('includes a link that expires within a week until it is extended', async () => {
    await using office = await openOffice()
    const { key } = await office.share('LINK_DIRECTORY', { days: 7 })
    await office.share('LINK_DIRECTORY', { days: 8 })
    expect(await readRows(office)).toEqual([['expiring', key]])
    expect(await readRows(office, office.eve)).toEqual([])
    await office.call('POST', `/v1/link/${key}/extend`, office.kim)
    expect(await readRows(office)).toEqual([])
  })

  it('includes a link that nobody has opened for three days, until it is opened or sent again', async () => {
    await using office = await openOffice()
    const [opened, sent] = [await office.share(), await office.share()]
    office.advance(3 * dayMs - 1)
    expect(await readRows(office)).toEqual([])
    office.advance(1)
    expect((await readRows(office)).toSorted()).toEqual(
      [
        ['unopened', opened.key],
        ['unopened', sent.key],
      ].toSorted(),
    )
    expect(await readRows(office, office.eve)).toEqual([])
    await office.call('POST', `/v1/link/${opened.key}/preview`, office.kim)
    expect(await readRows(office)).toHaveLength(2)
    await office.enter(opened)
    const { rows } = await readAttention(office, office.kim)
    expect(rows).toMatchObject([{ kind: 'unopened', since: '2026-12-01T09:00:00.000Z', link: { key: sent.key } }])
    expect(await office.data('GET', '/v1/link?state=unopened', office.kim)).toMatchObject([{ key: sent.key }])
    await office.call('POST', '/v1/link/email', office.kim, { key: sent.key, targetEmail: 'rob@client.example' })
    expect(await readRows(office)).toEqual([])
    office.advance(3 * dayMs)
    expect(await readRows(office)).toEqual([['unopened', sent.key]])
    office.advance(28 * dayMs)
    expect(await readRows(office)).toEqual([])
  })

  it('includes a link that stopped working until its target is restored', async () => {
    await using office = await openOffice()
    const [link, fileLink] = [await office.share(), await office.share('LINK_FILE')]
    await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    expect(await readRows(office)).toEqual([['stopped', fileLink.key]])
    await office.call('DELETE', `/v1/directory/${office.plans}`, office.kim)
    const stopped = await readAttention(office, office.kim)
    expect(stopped.rows).toMatchObject([
      { kind: 'stopped', link: { state: 'directory_deleted' } },
      { kind: 'stopped', link: { state: 'directory_deleted' } },
    ])
    await office.call('POST', `/v1/directory/${office.plans}/restore`, office.kim)
    await office.call('POST', '/v1/file/restore', office.kim, { ids: [office.first] })
    expect(await readRows(office)).toEqual([])
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    expect((await readRows(office, office.admin)).toSorted()).toEqual(
      [link.key, fileLink.key].map((key) => ['stopped', key]).toSorted(),
    )
    await office.call('POST', `/v1/admin/user/${office.kimId}/restore`, office.admin)
  })

  it('includes a link for a week after its company was archived, only for its owner, unless they archived it', async () => {
    await using office = await openOffice()
    const globex = await office.companyOf(office.eve)
    await office.giveAccess({ access: 'all' })
    const own = await office.shareForeign()
    await office.shareForeign(office.admin)
    await office.call('POST', `/v1/admin/company/${globex}/archive`, office.admin)
    expect(await readRows(office)).toEqual([['stopped', own.key]])
    expect(await readRows(office, office.admin)).toEqual([])
    office.advance(7 * dayMs + 1)
    expect(await readRows(office)).toEqual([])
  })

  it('includes a company that is nearly full, for those who may see it', async () => {
    await using office = await openOffice({ COMPANY_QUOTA_BYTES: '1000' })
    await office.put(office.plans, 'large.txt', office.kim, 'x'.repeat(900))
    await warnAboutQuotas(office.deps)
    const [row] = (await readAttention(office, office.kim)).rows
    expect(row).toMatchObject({ kind: 'quota', company: { name: 'Acme GmbH', bytes: 929, quota: 1000 } })
    expect(await readRows(office, office.admin)).toEqual([['quota', 'Acme GmbH']])
    expect(await readRows(office, office.eve)).toEqual([])
  })

  it('includes one row for all emails that failed in the last week, only for admins', async () => {
    await using office = await openOffice()
    for (const to of ['rob@client.example', 'ann@client.example'])
      await office.call('POST', '/v1/admin/mail/test', office.admin, { to })
    await office.deps.db.updateTable('outbox').set({ state: 'failed' }).execute()
    expect(await readRows(office, office.admin)).toEqual([['emails', 2]])
    expect(await readRows(office)).toEqual([])
    office.advance(7 * dayMs + 1)
    expect(await readRows(office, office.admin)).toEqual([])
  })

  it('has at most eight rows with some of each kind, each link once, and names the lists with more', async () => {
    await using office = await openOffice({ COMPANY_QUOTA_BYTES: '1000' })
    await office.put(office.plans, 'large.txt', office.kim, 'x'.repeat(900))
    await warnAboutQuotas(office.deps)
    const unopened = [await office.share(), await office.share()]
    const expiring = await Promise.all(Array.from({ length: 10 }, () => office.share('LINK_DIRECTORY', { days: 8 })))
    office.advance(4 * dayMs)
    const asked = await office.share('LINK_DIRECTORY', { days: 2 })
    await ask(office, asked.key)
    await ask(office, asked.key, 'code')
    const { rows, more } = await readAttention(office, office.kim)
    expect(rows.map(({ kind }) => kind)).toEqual([
      ...['request', 'request', 'quota', 'expiring', 'expiring', 'expiring', 'unopened', 'unopened'],
    ])
    expect(more).toEqual(['expiring'])
    const keys = rows.flatMap(({ link }) => link?.key ?? [])
    expect(new Set(keys).size).toBe(5)
    expect(expiring.map(({ key }) => key)).toEqual(expect.arrayContaining(keys.slice(0, 3)))
    expect(unopened.map(({ key }) => key).toSorted()).toEqual(keys.slice(3).toSorted())
  })

  it('includes links of the companies that are selected for a user', async () => {
    await using office = await openOffice()
    const eveCompany = await office.companyOf(office.eve)
    await office.giveAccess({ access: 'selected', companies: [eveCompany] })
    const foreign = await office.shareForeign()
    office.advance(4 * dayMs)
    expect(await readRows(office)).toEqual([['unopened', foreign.key]])
    expect(await readRows(office, office.eve)).toEqual([['unopened', foreign.key]])
    await ask(office, foreign.key)
    expect(await readRows(office)).toEqual([['request', foreign.key]])
  })
})
