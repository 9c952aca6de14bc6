import type { CompanyRow } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { toNameColumns } from '../../lib/names/name-order.ts'
import { dayMs, type Office, openOffice } from '../link/testing.ts'

type Headers = Record<string, string>

const list = async (office: Office, query = '', who: Headers = office.admin): Promise<CompanyRow[]> =>
  office.data('GET', `/v1/company${query}`, who)
const listNames = async (office: Office, query = '', who: Headers = office.admin) =>
  (await list(office, query, who)).map(({ name }) => name)

describe('the list of companies', () => {
  it('shows the people, directories, storage, links and last activity of each company', async () => {
    await using office = await openOffice({ COMPANY_QUOTA_BYTES: '1000000' })
    const company_id = await office.companyOf(office.kim)
    await office.addUser({ email: 'lou@acme.example', company_id })
    await office.share()
    await office.share('LINK_FILE', { days: 1 })
    office.advance(2 * dayMs)
    await office.call('DELETE', `/v1/directory/${office.other}`, office.kim)
    const [acme] = await list(office, '?search=gmbh')
    expect(acme).toEqual({
      id: company_id,
      name: 'Acme GmbH',
      created_at: '2026-12-01T09:00:00.000Z',
      people: 2,
      directories: 1,
      bytes: 'first.txtsecond.txthidden.txt'.length,
      quota: 1_000_000,
      active_links: 1,
      last_activity_at: '2026-12-03T09:00:00.000Z',
      archived_at: null,
    })
  })

  it('does not count links of a suspended owner as active', async () => {
    await using office = await openOffice()
    await office.share()
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    expect((await list(office, '?search=gmbh'))[0]).toMatchObject({ active_links: 0 })
  })

  it('counts at most a thousand directories', async () => {
    await using office = await openOffice()
    const company_id = await office.companyOf(office.kim)
    const created_at = office.deps.now().toISOString()
    const rows = Array.from({ length: 1100 }, (_, i) => ({
      id: `d${i}`,
      company_id,
      name: `${i}`,
      ...toNameColumns(`${i}`),
      created_at,
    }))
    await office.deps.db
      .insertInto('directory')
      .values(rows.map((row) => ({ ...row, root_id: row.id, depth: 0, owner_id: null, deleted_at: null })))
      .execute()
    expect((await list(office, '?search=gmbh'))[0]?.directories).toBe(1000)
  })

  it('is sorted by name, age or storage, and paged', async () => {
    await using office = await openOffice()
    await office.put(office.foreign, 'large.txt', office.eve, 'x'.repeat(1000))
    expect(await listNames(office)).toEqual(['Acme 2', 'Acme 3', 'Acme GmbH'])
    expect(await listNames(office, '?sort=-name')).toEqual(['Acme GmbH', 'Acme 3', 'Acme 2'])
    expect(await listNames(office, '?sort=bytes')).toEqual(['Acme 3', 'Acme GmbH', 'Acme 2'])
    expect(await listNames(office, '?sort=-bytes')).toEqual(['Acme 2', 'Acme GmbH', 'Acme 3'])
    office.advance(dayMs)
    await office.call('POST', '/v1/admin/company', office.admin, { name: 'Acme 1' })
    expect((await listNames(office, '?sort=-created_at'))[0]).toBe('Acme 1')
    const first = (await office.call('GET', '/v1/company?sort=-bytes&limit=1', office.admin)).json()
    const cursor = encodeURIComponent(first.next)
    expect(await listNames(office, `?sort=-bytes&limit=1&cursor=${cursor}`)).toEqual(['Acme GmbH'])
  })

  it('contains only companies that the caller has access to', async () => {
    await using office = await openOffice()
    const [acme, globex] = await Promise.all([office.kim, office.eve].map(office.companyOf))
    expect(await listNames(office, '', office.kim)).toEqual(['Acme GmbH'])
    expect((await office.call('GET', `/v1/company/${globex}`, office.kim)).json().code).toBe('company.not_found')
    expect((await office.call('GET', `/v1/company/${acme}`, office.kim)).statusCode).toBe(200)
    const access = { access: 'selected', companies: [globex] }
    await office.call('PATCH', `/v1/admin/user/${office.kimId}/access`, office.admin, access)
    expect(await listNames(office, '', office.kim)).toEqual(['Acme 2', 'Acme GmbH'])
    expect((await office.call('GET', `/v1/company/${globex}`, office.kim)).statusCode).toBe(200)
  })
})
