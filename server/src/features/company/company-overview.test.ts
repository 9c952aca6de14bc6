import type { CompanyRow } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { nameKeys } from '../../lib/names/name-order.ts'
import { day, type Office, openOffice } from '../link/testing.ts'

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
    office.advance(2 * day)
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

  it('counts up to a thousand directories', async () => {
    await using office = await openOffice()
    const company_id = await office.companyOf(office.kim)
    const created_at = office.deps.now().toISOString()
    const rows = Array.from({ length: 1100 }, (_, i) => ({
      id: `d${i}`,
      company_id,
      name: `${i}`,
      ...nameKeys(`${i}`),
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
    office.advance(day)
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

describe('a company', () => {
  it('has a note and a quota of its own, which admins change', async () => {
    await using office = await openOffice({ COMPANY_QUOTA_BYTES: '1000000' })
    const id = await office.companyOf(office.kim)
    const change = (body: object, who = office.admin) => office.call('PATCH', `/v1/admin/company/${id}`, who, body)
    const read = () => office.data('GET', `/v1/company/${id}`, office.admin)
    expect(await read()).toMatchObject({ note: '', own_quota: null, default_quota: 1_000_000, quota: 1_000_000 })
    const changed = (await change({ note: ' Pays late.\nCall first. ', quota: 5000 })).json().data
    expect(changed).toMatchObject({ name: 'Acme GmbH', note: 'Pays late.\nCall first.', own_quota: 5000, quota: 5000 })
    expect(changed.directories).toHaveLength(2)
    expect(await read()).toMatchObject({ note: 'Pays late.\nCall first.', own_quota: 5000, quota: 5000 })
    expect((await change({ name: 'Acme AG' })).json().data).toMatchObject({ name: 'Acme AG', own_quota: 5000 })
    expect((await change({ quota: null, note: '' })).json().data).toMatchObject({ note: '', own_quota: null, quota: 1_000_000 })
    expect((await change({ note: 'Mine' }, office.kim)).statusCode).toBe(403)
  })

  it('shows its note to admins and to people of other companies with access to it, but not to its own people', async () => {
    await using office = await openOffice()
    const [acme, globex] = await Promise.all([office.kim, office.eve].map(office.companyOf))
    for (const id of [acme, globex]) await office.call('PATCH', `/v1/admin/company/${id}`, office.admin, { note: 'Pays late.' })
    const readNote = async (id: string | undefined, who: Headers) => (await office.data('GET', `/v1/company/${id}`, who)).note
    const setAccess = (body: object) => office.call('PATCH', `/v1/admin/user/${office.kimId}/access`, office.admin, body)
    expect(await readNote(acme, office.kim)).toBeNull()
    for (const access of [{ access: 'selected', companies: [globex] }, { access: 'all' }]) {
      expect((await setAccess(access)).statusCode).toBe(200)
      expect(await readNote(globex, office.kim)).toBe('Pays late.')
      expect(await readNote(acme, office.kim)).toBeNull()
    }
    await setAccess({ access: 'own' })
    expect((await office.call('GET', `/v1/company/${globex}`, office.kim)).statusCode).toBe(404)
    const own = await office.companyOf(office.admin)
    await office.call('PATCH', `/v1/admin/company/${own}`, office.admin, { note: 'Our own.' })
    expect(await readNote(own, office.admin)).toBe('Our own.')
  })

  it('rejects a change without a field, an invalid quota, and control characters in the note', async () => {
    await using office = await openOffice()
    const id = await office.companyOf(office.kim)
    for (const body of [
      {},
      { quota: 0 },
      { quota: 1.5 },
      { quota: '5' },
      { quota: 2 ** 60 },
      { note: 'a\u0000b' },
      { note: 'a\r\nb' },
      { note: 'a\tb' },
      { archived_at: null },
    ])
      expect((await office.call('PATCH', `/v1/admin/company/${id}`, office.admin, body)).statusCode, JSON.stringify(body)).toBe(
        400,
      )
  })

  it('records each kind of change in the activity, without the text of the note', async () => {
    await using office = await openOffice()
    const id = await office.companyOf(office.kim)
    const change = (body: object) => office.call('PATCH', `/v1/admin/company/${id}`, office.admin, body)
    await change({ name: 'Acme AG', note: 'Pays late.', quota: 5000 })
    await change({ name: 'Acme AG', note: 'Pays late.', quota: null })
    const entries = await office.data('GET', `/v1/activity?company=${id}&limit=4`, office.admin)
    expect(entries.map(({ action, note }: { action: string; note: string | null }) => [action, note])).toEqual([
      ['company.quota_changed', '5000 → default'],
      ['company.quota_changed', 'default → 5000'],
      ['company.note_changed', null],
      ['company.renamed', 'was Acme GmbH'],
    ])
  })
})

describe('the quota of a company', () => {
  const used = 'first.txtsecond.txthidden.txt'.length
  const openLimited = async (quota: number | null, environment: Headers = {}) => {
    const office = await openOffice(environment)
    const id = await office.companyOf(office.kim)
    await office.call('PATCH', `/v1/admin/company/${id}`, office.admin, { quota })
    const put = async (size: number, who = office.kim, directory = office.plans) => {
      const reply = await office.put(directory, 'new.bin', who, 'x'.repeat(size))
      return reply.statusCode === 200 ? 200 : reply.json().code
    }
    return { ...office, upload: put }
  }

  it('limits its own uploads, but not those of other companies', async () => {
    await using office = await openLimited(used + 100)
    expect(await office.upload(101)).toBe('company.full')
    expect(await office.upload(101, office.eve, office.foreign)).toBe(200)
    expect(await office.upload(100)).toBe(200)
    expect(await office.upload(1)).toBe('company.full')
  })

  it('overrides a lower default until it is removed', async () => {
    await using office = await openLimited(used + 1000, { COMPANY_QUOTA_BYTES: String(used + 10) })
    expect(await office.upload(500)).toBe(200)
    const id = await office.companyOf(office.kim)
    await office.call('PATCH', `/v1/admin/company/${id}`, office.admin, { quota: null })
    expect(await office.upload(1)).toBe('company.full')
  })

  it('limits resumable uploads as their bytes arrive', async () => {
    await using office = await openLimited(used + 100)
    const tus = { ...office.kim, 'tus-resumable': '1.0.0' }
    const begin = (size: number) => {
      const metadata = `filename ${btoa('b.bin')},directory ${btoa(office.plans)}`
      return office.call('POST', '/v1/upload', { ...tus, 'upload-length': String(size), 'upload-metadata': metadata })
    }
    const [first, second] = [await begin(80), await begin(80)]
    const send = (reply: typeof first) =>
      office.app.inject({
        method: 'PATCH',
        url: String(reply?.headers['location']),
        headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        payload: 'x'.repeat(80),
      })
    expect((await send(first)).statusCode).toBe(204)
    expect((await send(second)).json().code).toBe('company.full')
    expect((await begin(101)).json().code).toBe('company.full')
  })

  it('is on the dashboard', async () => {
    await using office = await openLimited(5000, { COMPANY_QUOTA_BYTES: '1000' })
    const { storage } = await office.data('GET', '/v1/dashboard', office.admin)
    expect(storage.quota).toBe(1000)
    expect(storage.companies.map(({ quota }: { quota: number }) => quota)).toEqual([5000, 1000, 1000])
  })
})
