import type { NewsRow } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { toBearerHeader } from '../../testing.ts'
import { dayMs, type Office, openOffice } from '../link/testing.ts'
import { countAllTransfers } from './transfer.service.ts'

type Headers = Record<string, string>

const minute = 60_000

const readNews = async (office: Office, who: Headers = office.kim): Promise<NewsRow[]> =>
  (await office.data('GET', '/v1/dashboard', who)).news

const summarize = (rows: NewsRow[]) => rows.map(({ kind, files, name }) => [kind, files, name])

describe('the news', () => {
  it('groups the uploads of recipients by link and burst, and leaves out uploads by staff', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const upload = async (...names: string[]) => {
      const rob = await office.enter(link)
      for (const name of names) {
        await office.put(office.plans, name, rob)
        office.advance(minute)
      }
    }
    await upload('a.txt', 'b.txt')
    expect(await readNews(office)).toMatchObject([{ kind: 'uploaded', files: 2, bytes: 10, name: 'a.txt', link: link.key }])
    office.advance(50 * minute)
    await upload('c.txt')
    expect(summarize(await readNews(office))).toEqual([['uploaded', 3, 'a.txt']])
    office.advance(61 * minute)
    await upload('d.txt')
    await office.put(office.plans, 'staff.txt', office.kim)
    expect(summarize(await readNews(office))).toEqual([
      ['uploaded', 1, 'd.txt'],
      ['uploaded', 3, 'a.txt'],
    ])
    expect(await readNews(office)).toMatchObject([{ target: 'Plans', client: 'Acme GmbH', directory_id: office.plans }, {}])
    expect(await readNews(office, office.eve)).toEqual([])
    expect(await readNews(office, office.admin)).toHaveLength(2)
    await office.giveAccess({ access: 'selected', companies: [await office.companyOf(office.eve)] })
    expect(await readNews(office)).toHaveLength(2)
    await office.call('DELETE', `/v1/link/${link.key}`, office.kim)
    expect(await readNews(office)).toEqual([])
  })

  it('lists the first download through a link and its receipts, and deletes them after 30 days', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const rob = await office.enter(link)
    const { token } = await office.data('POST', `/v1/link/${link.key}/preview`, office.kim)
    await office.call('GET', `/v1/file/${office.first}`, toBearerHeader(token))
    expect(await readNews(office)).toEqual([])
    await office.call('GET', `/v1/file/${office.first}`, rob)
    await readNews(office)
    office.advance(minute)
    await office.call('GET', `/v1/file/${office.second}`, rob)
    expect(summarize(await readNews(office))).toEqual([['downloaded', 1, 'first.txt']])
    await office.put(office.plans, 'a.txt', rob)
    office.advance(minute)
    const { id } = (await office.data('POST', '/v1/receipt', rob, {})).receipt
    expect(await readNews(office)).toMatchObject([{ kind: 'uploaded', files: 1, receipt: id }, { kind: 'downloaded' }])
    await office.put(office.plans, 'b.txt', rob)
    await readNews(office)
    office.advance(31 * minute)
    await office.call('GET', '/v1/access', rob) // keeps the visit from becoming idle
    office.advance(31 * minute)
    const later = (await office.data('POST', '/v1/receipt', rob, {})).receipt
    expect(await readNews(office)).toMatchObject([
      { kind: 'receipt', files: 2, receipt: later.id },
      { files: 2, receipt: null }, // the first receipt is for one of them
      {},
    ])
    office.advance(31 * dayMs)
    await office.put(office.plans, 'late.txt', office.kim)
    await countAllTransfers(office.deps)
    expect(await readNews(office)).toEqual([])
  })

  it('shows a receipt only with the uploads that it covers', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const upload = async (name: string, rob: Headers) => {
      await office.put(office.plans, name, rob)
      office.advance(minute)
      return async () => (await office.data('POST', '/v1/receipt', rob, {})).receipt.id
    }
    const rob = await office.enter(link)
    await (await upload('a.txt', rob))()
    const issue = await upload('b.txt', rob)
    expect(await readNews(office)).toMatchObject([{ kind: 'uploaded', files: 2, receipt: null }])
    const both = await issue()
    expect(await readNews(office)).toMatchObject([{ kind: 'uploaded', files: 2, receipt: both }])
    const other = await (await upload('c.txt', await office.enter(link)))()
    expect(await readNews(office)).toMatchObject([
      { kind: 'receipt', files: 1, receipt: other },
      { kind: 'uploaded', files: 3, receipt: null },
    ])
  })

  it('marks news as new until the visit that showed it ends, in every browser', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const upload = async (name: string) => office.put(office.plans, name, await office.enter(link))
    const readNew = async (who = office.kim) =>
      (await readNews(office, who)).filter(({ is_new }) => is_new).map(({ name }) => name)
    office.advance(minute)
    await upload('first visit.txt')
    expect(await readNew()).toEqual(['first visit.txt'])
    office.advance(29 * minute)
    expect(await readNew()).toEqual(['first visit.txt'])
    office.advance(2 * 60 * minute)
    await upload('second visit.txt')
    office.advance(minute)
    expect(await readNew()).toEqual(['second visit.txt'])
    expect(await readNew(await office.startSessionAs('kim@acme.example'))).toEqual(['second visit.txt'])
    expect(await readNew(office.admin)).toHaveLength(2)
    office.advance(31 * minute)
    expect(await readNew()).toEqual([])
  })

  it('still marks news as new after a script has read the dashboard', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    await readNews(office)
    const { token } = await office.data('POST', '/v1/token', office.kim, { name: 'Script', scope: 'read' })
    office.advance(31 * minute)
    await office.put(office.plans, 'a.txt', await office.enter(link))
    const script = toBearerHeader(token)
    expect((await readNews(office, script))[0]?.is_new).toBe(true)
    office.advance(31 * minute)
    expect((await readNews(office, script))[0]?.is_new).toBe(true)
    expect((await readNews(office))[0]?.is_new).toBe(true)
  })
})
