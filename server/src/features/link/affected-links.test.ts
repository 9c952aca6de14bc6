import { describe, expect, it } from 'vitest'
import { dayMs, openOffice } from './testing.ts'

async function openAffectedOffice() {
  const office = await openOffice()
  const [acme, globex] = [await office.companyOf(office.kim), await office.companyOf(office.eve)]
  const eveId: string = (await office.data('GET', '/v1/identity', office.eve)).id
  const list = (body: object, who = office.kim) => office.call('POST', '/v1/link/affected', who, body)
  const count = async (body: object, who = office.kim) => (await list(body, who)).json().data.count
  const read = (query: string, who = office.kim) => office.data('GET', `/v1/link?${query}`, who)
  /** One target of each kind, all in Kim's company. */
  const targets = { files: [office.first], directory: office.plans, owner: office.kimId, company: acme }
  return { ...office, acme, globex, eveId, list, count, read, targets }
}

/** Creates a link of Kim's and 1,100 copies of it. Returns the key of the first one. */
async function shareOften({ share, deps: { db } }: Awaited<ReturnType<typeof openAffectedOffice>>): Promise<string> {
  const { key } = await share()
  const row = await db.selectFrom('link').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
  for (let from = 0; from < 1100; from += 100) {
    const copies = Array.from({ length: 100 }, (_, i) => ({ ...row, key: `${key}-${from + i}` }))
    await db.insertInto('link').values(copies).execute()
  }
  return key
}

describe('the links that would stop working', () => {
  it('are counted for files, a directory, an owner and a company', async () => {
    await using office = await openAffectedOffice()
    await office.share('LINK_FILE')
    await office.share('LINK_DIRECTORY')
    expect(await office.count({ files: [office.first] })).toBe(1)
    expect(await office.count({ files: [office.first, office.second, 'absent'] })).toBe(1)
    expect(await office.count({ files: [office.second] })).toBe(0)
    expect(await office.count({ directory: office.plans })).toBe(2)
    expect(await office.count({ directory: office.other })).toBe(0)
    expect(await office.count({ owner: office.kimId })).toBe(2)
    expect(await office.count({ company: office.acme }, office.admin)).toBe(2)
  })

  it('are listed with the time of their last use, the most recently used first', async () => {
    await using office = await openAffectedOffice()
    const [never, early, late] = [await office.share(), await office.share(), await office.share()]
    await office.call('POST', '/v1/link/email', office.kim, { key: never.key, targetEmail: 'sam@globex.example' })
    for (const link of [early, late]) {
      office.advance(60_000)
      await office.enter(link)
    }
    const at = office.deps.now().getTime()
    const { data } = (await office.list({ directory: office.plans })).json()
    expect(data.links).toEqual([
      expect.objectContaining({ key: late.key, last_used_at: new Date(at).toISOString() }),
      expect.objectContaining({ key: early.key, last_used_at: new Date(at - 60_000).toISOString() }),
      {
        key: never.key,
        name: 'Plans',
        type: 'LINK_DIRECTORY',
        client: 'Acme GmbH',
        maker: 'Kim Doe',
        email: 'sam@globex.example',
        last_used_at: null,
      },
    ])
    for (let i = 0; i < 4; i += 1) await office.share()
    const more = (await office.list({ directory: office.plans })).json().data
    expect([more.count, more.links.length, more.links[0].key]).toEqual([7, 5, late.key])
  })

  it('are only those that work now', async () => {
    await using office = await openAffectedOffice()
    await office.share('LINK_FILE', { days: 1 })
    const { key } = await office.share('LINK_FILE', { days: 9 })
    office.advance(2 * dayMs)
    expect((await office.list({ files: [office.first] })).json().data.links).toMatchObject([{ key }])
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    for (const target of [
      { files: [office.first] },
      { directory: office.plans },
      { owner: office.kimId },
      { company: office.acme },
    ])
      expect(await office.count(target, office.admin)).toBe(0)
    await office.call('POST', `/v1/admin/user/${office.kimId}/restore`, office.admin)
    await office.call('DELETE', `/v1/file/${office.first}`, office.admin)
    expect(await office.count({ owner: office.kimId }, office.admin)).toBe(0)
  })

  it('include, for a company, the links that its people own in other companies', async () => {
    await using office = await openAffectedOffice()
    await office.giveAccess({ access: 'all' })
    await office.shareForeign()
    await office.share()
    const { data } = (await office.list({ company: office.acme }, office.admin)).json()
    expect(data.count).toBe(2)
    await office.call('POST', `/v1/admin/company/${office.acme}/archive`, office.admin)
    expect(await office.read('state=active', office.admin)).toEqual([])
  })

  it('are, for an owner who gets less access, the links in companies that the owner may no longer see', async () => {
    await using office = await openAffectedOffice()
    await office.giveAccess({ access: 'all' })
    await office.share()
    const { key } = await office.shareForeign()
    const countWith = (access: object) => office.count({ owner: office.kimId, ...access }, office.admin)
    expect(await countWith({ access: 'all' })).toBe(0)
    expect(await countWith({ access: 'selected', companies: [office.globex] })).toBe(0)
    const lost = (await office.list({ owner: office.kimId, access: 'own' }, office.admin)).json().data
    expect(lost).toMatchObject({ count: 1, links: [{ key, client: 'Acme 2', last_used_at: null }] })
    await office.giveAccess({ access: 'own' })
    expect(await office.read('state=owner_without_access', office.admin)).toMatchObject([{ key }])
    expect(await countWith({ access: 'own' })).toBe(0)
    expect(await office.count({ owner: 'absent', access: 'own' }, office.admin)).toBe(0)
  })

  it('P61: are never counted or listed outside the caller’s companies', async () => {
    await using office = await openAffectedOffice()
    await office.share('LINK_FILE')
    await office.share('LINK_DIRECTORY')
    const absent = (await office.list({ directory: 'absent' }, office.eve)).body
    for (const [name, id] of Object.entries(office.targets)) {
      expect((await office.list({ [name]: id }, office.eve)).body).toBe(absent)
      if (name !== 'files') expect((await office.read(`${name}=${id}`, office.eve)) as unknown[]).toEqual([])
    }
    expect(await office.read(`file=${office.first}`, office.eve)).toEqual([])
    // Access to Acme shows all of it, and losing access hides it at once.
    const give = (access: object) => office.call('PATCH', `/v1/admin/user/${office.eveId}/access`, office.admin, access)
    await give({ access: 'selected', companies: [office.acme] })
    expect(await office.count({ owner: office.kimId }, office.eve)).toBe(2)
    await give({ access: 'own' })
    expect((await office.list({ owner: office.kimId }, office.eve)).body).toBe(absent)
  })

  it('P61: are not found through a company that the caller may not see, although its people own links in the caller’s company', async () => {
    await using office = await openAffectedOffice()
    await office.giveAccess({ access: 'selected', companies: [office.globex] })
    await office.shareForeign()
    const absent = (await office.list({ company: 'absent' }, office.eve)).body
    expect((await office.list({ company: office.acme }, office.eve)).body).toBe(absent)
    expect(await office.count({ company: office.globex }, office.eve)).toBe(1)
  })

  it('are counted up to a thousand, and found for a caller who may see only one of over a thousand', async () => {
    await using office = await openAffectedOffice()
    const key = await shareOften(office)
    expect(await office.count({ owner: office.kimId })).toBe(1000)
    // Eve sees one of them, which expires last.
    await office.deps.db
      .updateTable('link')
      .set({ company_id: office.globex, expires_at: office.inDays(99) })
      .where('key', '=', key)
      .execute()
    expect(await office.count({ owner: office.kimId }, office.eve)).toBe(1)
    await office.call('PATCH', `/v1/admin/user/${office.eveId}/access`, office.admin, { access: 'selected', companies: [] })
    expect((await office.list({ owner: office.kimId }, office.eve)).json().data).toMatchObject({ count: 1, links: [{ key }] })
  })

  it('are returned only for a request with exactly one target', async () => {
    await using office = await openAffectedOffice()
    const access = { access: 'own' }
    for (const body of [{}, { directory: office.plans, owner: office.kimId }, { files: [] }, { link: 'x' }, access])
      expect((await office.list(body)).statusCode).toBe(400)
  })
})

describe('the list of links', () => {
  it('can be limited to a file, a directory or an owner, in every order and together with a state', async () => {
    await using office = await openAffectedOffice()
    const [file, directory] = [await office.share('LINK_FILE'), await office.share('LINK_DIRECTORY', { days: 60 })]
    const readKeys = async (query: string) => ((await office.read(query)) as { key: string }[]).map(({ key }) => key)
    for (const sort of ['expiry', 'name', 'created_at']) {
      expect(await readKeys(`file=${office.first}&sort=${sort}`)).toEqual([file.key])
      expect((await readKeys(`directory=${office.plans}&sort=-${sort}`)).sort()).toEqual([file.key, directory.key].sort())
    }
    expect(await readKeys(`owner=${office.kimId}&sort=expiry&state=active`)).toEqual([file.key, directory.key])
    expect(await readKeys(`owner=${office.kimId}&state=expired`)).toEqual([])
    expect(await readKeys(`owner=${office.kimId}&search=first`)).toEqual([file.key])
    expect(await readKeys(`directory=${office.other}`)).toEqual([])
    expect(await readKeys(`file=${office.first}&owner=${office.eveId}`)).toEqual([])
    expect(await readKeys(`file=${office.first}&owner=${office.kimId}`)).toEqual([file.key])
  })

  it('returns full pages for an owner with over a thousand links', async () => {
    await using office = await openAffectedOffice()
    await shareOften(office)
    expect(await office.read(`owner=${office.kimId}&limit=200`)).toHaveLength(200)
    expect(await office.read(`owner=${office.eveId}&limit=200`)).toEqual([])
  })
})
