import { describe, expect, it } from 'vitest'
import { openOffice } from '../link/testing.ts'

async function openOfficeWithLee() {
  const office = await openOffice()
  const [acme, globex] = [await office.companyOf(office.kim), await office.companyOf(office.eve)]
  const leeId = await office.addUser({ email: 'lee@acme.example', company_id: acme })
  const eveId: string = (await office.data('GET', '/v1/identity', office.eve)).id
  const read = (id: string, who = office.kim) => office.call('GET', `/v1/admin/user/${id}`, who)
  const search = async (text: string, who = office.admin): Promise<string[]> =>
    (await office.data('GET', `/v1/admin/user?search=${encodeURIComponent(text)}`, who)).map(
      ({ email }: { email: string }) => email,
    )
  return { ...office, acme, globex, leeId, eveId, read, search }
}

describe('a user’s page', () => {
  it('shows admins when the user was created and last signed in', async () => {
    await using office = await openOfficeWithLee()
    const before = await office.read(office.leeId, office.admin)
    expect(before.json().data).toMatchObject({ email: 'lee@acme.example', company: office.acme, signed_in_at: null })
    office.advance(5000)
    await office.signIn('lee@acme.example')
    const { created_at, signed_in_at } = (await office.read(office.leeId, office.admin)).json().data
    expect(created_at).toBe(before.json().data.created_at)
    expect(signed_in_at).toBe(office.deps.now().toISOString())
  })

  it('shows colleagues what the list of users shows', async () => {
    await using office = await openOfficeWithLee()
    const listed = await office.data('GET', '/v1/admin/user?search=lee@', office.kim)
    expect([(await office.read(office.leeId)).json().data]).toEqual(listed)
    expect(listed[0]).not.toHaveProperty('signed_in_at')
  })

  it('returns the same 404 to users without access to the company as for an unknown user', async () => {
    await using office = await openOfficeWithLee()
    const withoutId = ({ requestId: _, ...problem }: Record<string, unknown>) => problem
    const [foreign, absent] = [await office.read(office.eveId), await office.read('absent')]
    expect(foreign.statusCode).toBe(404)
    expect(withoutId(foreign.json())).toEqual(withoutId(absent.json()))
    const access = { access: 'selected', companies: [office.globex] }
    await office.call('PATCH', `/v1/admin/user/${office.kimId}/access`, office.admin, access)
    expect((await office.read(office.eveId)).json().data.email).toBe('eve@globex.example')
    expect((await office.read(office.kimId, office.admin)).json().data.other_companies).toBe(1)
    expect((await office.read(office.kimId)).json().data).not.toHaveProperty('other_companies')
  })
})

describe('the search for users', () => {
  it('finds them by part of their name, email address or company', async () => {
    await using office = await openOfficeWithLee()
    await office.call('PATCH', `/v1/admin/company/${office.globex}`, office.admin, { name: 'Globex Corporation' })
    expect(await office.search('lee')).toEqual(['lee@acme.example'])
    expect(await office.search('@GLOBEX')).toEqual(['eve@globex.example'])
    expect(await office.search('corporation')).toEqual(['eve@globex.example'])
    expect(await office.search('acme gm')).toEqual(expect.arrayContaining(['kim@acme.example', 'lee@acme.example']))
  })

  it('finds only people of companies that the caller may see', async () => {
    await using office = await openOfficeWithLee()
    await office.call('PATCH', `/v1/admin/company/${office.globex}`, office.admin, { name: 'Globex Corporation' })
    for (const text of ['corporation', 'eve@', 'globex']) expect(await office.search(text, office.kim)).toEqual([])
    await office.call('PATCH', `/v1/admin/user/${office.kimId}/access`, office.admin, { access: 'all' })
    expect(await office.search('corporation', office.kim)).toEqual(['eve@globex.example'])
  })
})

describe('the links of an owner', () => {
  it('are listed in any order, by state and by search, within the caller’s companies', async () => {
    await using office = await openOfficeWithLee()
    const { key } = await office.share()
    const list = async (query: string, who = office.admin) =>
      (await office.data('GET', `/v1/link?${query}`, who)).map((link: { key: string }) => link.key)
    for (const sort of ['created_at', '-name', 'expiry'])
      for (const state of ['', '&state=active']) expect(await list(`owner=${office.kimId}&sort=${sort}${state}`)).toEqual([key])
    expect(await list(`owner=${office.kimId}&state=owner_suspended`)).toEqual([])
    expect(await list(`owner=${office.kimId}&search=plans`)).toEqual([key])
    expect(await list(`owner=${office.kimId}`, office.kim)).toEqual([key])
    expect(await list(`owner=${office.kimId}`, office.eve)).toEqual([])
    expect(await list(`owner=${office.leeId}`)).toEqual([])
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    expect(await list(`owner=${office.kimId}&state=owner_suspended`)).toEqual([key])
  })
})
