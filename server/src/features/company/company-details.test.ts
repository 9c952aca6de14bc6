import { describe, expect, it } from 'vitest'
import { openOffice } from '../link/testing.ts'

type Headers = Record<string, string>

describe('a company', () => {
  it('has a note and a quota of its own, which only admins can change', async () => {
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

  it('rejects a change of no field or an unknown one, an invalid quota, and control characters in the note', async () => {
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
