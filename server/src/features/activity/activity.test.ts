import { api } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { openOffice } from '../link/testing.ts'
import { actionsOf, fetchEntries, type ListedEntry } from './testing.ts'

describe('the activity list', () => {
  it('shows all entries to admins, and those of their company to users', async () => {
    await using office = await openOffice()
    const all = await fetchEntries(office, '?limit=200')
    const own = await fetchEntries(office, '?limit=200', office.eve)
    expect(all.length).toBeGreaterThan(own.length)
    expect(new Set(own.map(({ name }) => name))).toEqual(new Set(['eve@globex.example', 'Foreign', 'foreign.txt']))
    const acme = await office.companyOf(office.kim)
    await office.call('PATCH', `/v1/admin/company/${acme}`, office.admin, { name: 'Acme AG' })
    expect(await fetchEntries(office, '?limit=1', office.kim)).toMatchObject([
      { action: 'company.renamed', person: 'An administrator', client: null },
    ])
    expect(await fetchEntries(office, '?limit=1')).toMatchObject([{ person: 'Kim Doe', client: '127.0.0.1' }])
    expect(await fetchEntries(office, `?company=${acme}`, office.eve)).toEqual([])
    expect(await fetchEntries(office, `?file=${office.first}`, office.eve)).toEqual([])
    expect(await fetchEntries(office, `?person=${office.kimId}`, office.eve)).toEqual([])
  })

  it('names the address that a link was sent to in the entries of its visitors', async () => {
    await using office = await openOffice()
    const link = await office.share()
    await office.call('POST', '/v1/link/email', office.kim, { key: link.key, targetEmail: 'rob@client.example' })
    await office.enter(link)
    await office.verify(link.key, 'wrong')
    await office.call('POST', '/v1/ask', {}, { accessKey: link.key, wants: 'time' })
    const entries = await fetchEntries(office, `?link=${link.key}`, office.kim)
    const sentTo = Object.fromEntries(entries.map(({ action, sent_to }) => [action, sent_to]))
    expect(sentTo).toMatchObject({
      'link.opened': 'rob@client.example',
      'link.refused': 'rob@client.example',
      'link.asked': 'rob@client.example',
      'link.created': null,
      'link.code_sent': null,
    })
  })

  it('hides from the people of a company that it has a note', async () => {
    await using office = await openOffice()
    const [acme, eveId] = [await office.companyOf(office.kim), (await office.data('GET', '/v1/identity', office.eve)).id]
    await office.call('PATCH', `/v1/admin/user/${eveId}/access`, office.admin, { access: 'selected', companies: [acme] })
    for (const company of [acme, await office.companyOf(office.eve)])
      await office.call('PATCH', `/v1/admin/company/${company}`, office.admin, { note: 'Pays late.' })
    const countNotes = async (who: typeof office.kim) => (await fetchEntries(office, '?action=company.note_changed', who)).length
    expect(await countNotes(office.admin)).toBe(2)
    expect(await countNotes(office.kim)).toBe(0)
    expect(await countNotes(office.eve)).toBe(1) // she may read the note of Acme
    await office.giveAccess({ access: 'all' })
    expect(await countNotes(office.kim)).toBe(1)
    expect((await fetchEntries(office, '?limit=200', office.eve)).map(({ action }) => action)).toContain('company.note_changed')
  })

  it('shows the new values of changed settings to admins only', async () => {
    await using office = await openOffice()
    await office.giveAccess({ access: 'all' })
    const { email } = await office.data('GET', '/v1/admin/settings', office.admin)
    const change = { version: email.version, values: { smtp_host: 'mail.acme.example' } }
    await office.call('PATCH', '/v1/admin/settings/email', office.admin, change)
    const listNotes = async (who: typeof office.kim) => JSON.stringify(await fetchEntries(office, '?limit=200', who))
    expect(await listNotes(office.admin)).toContain('mail.acme.example')
    expect(await listNotes(office.kim)).not.toContain('mail.acme.example')
  })

  it('is paginated, and filtered by person, action and time', async () => {
    await using office = await openOffice()
    const all = await fetchEntries(office, '?limit=200')
    const readInPages = async (query: string) => {
      const pages: ListedEntry[] = []
      for (let cursor = ''; ; ) {
        const page = (await office.call('GET', `/v1/activity?limit=4${query}${cursor}`, office.admin)).json()
        pages.push(...page.data)
        if (page.next === null) return pages
        cursor = `&cursor=${page.next}`
      }
    }
    expect(await readInPages('')).toEqual(all)
    for (const sort of ['id', '-id']) {
      const span = `&from=2020-01-01T00:00:00Z&sort=${sort}`
      expect(await readInPages(span)).toEqual(await fetchEntries(office, `?limit=200${span}`))
    }
    const byKim = await fetchEntries(office, `?person=${office.kimId}&action=directory.created`)
    expect(byKim.map(({ name }) => name)).toEqual(['Other', 'Plans'])
    const boundary = new Date(office.deps.now().getTime() + 1000).toISOString()
    office.advance(5000)
    await office.share()
    expect(actionsOf(await fetchEntries(office, `?from=${boundary}`))).toEqual(['link.created'])
    expect((await fetchEntries(office, `?to=${boundary}&limit=200`)).length).toBe(all.length)
    for (const invalid of ['?cursor=x', '?action=nothing', '?from=yesterday', '?unknown=1'])
      expect((await office.call('GET', `/v1/activity${invalid}`, office.admin)).statusCode, invalid).toBe(400)
  })

  it('is exported as CSV without formulas, from a URL that works until the user signs out', async () => {
    await using office = await openOffice()
    await office.put(office.plans, '=cmd|calc, "x";=1+1.txt', office.kim)
    const { url } = await office.data('POST', api.activity.export.path, office.kim, { action: 'file.uploaded' })
    const reply = await office.app.inject({ url })
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringContaining('activity-2026-12-01.csv'),
    })
    const lines = reply.body.split('\r\n')
    expect(lines[0]).toMatch(/^\uFEFF"id","at","action","outcome","who","person","client","company","name","link",/)
    expect(lines.filter((line) => line.includes('file.uploaded'))).toHaveLength(4)
    expect(reply.body).toContain(`"'=cmd|calc, ""x"";'=1+1.txt"`)
    expect(reply.body).not.toContain('globex')
    expect(actionsOf(await fetchEntries(office, '?limit=1'))).toEqual(['activity.exported'])
    await office.call('DELETE', '/v1/identity', office.kim)
    expect((await office.app.inject({ url })).statusCode).toBe(404)
  })
})
