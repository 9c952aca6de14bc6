import { describe, expect, it } from 'vitest'
import { toBearerHeader } from '../../testing.ts'
import { fetchEntries, type ListedEntry } from '../activity/testing.ts'
import { dayMs, type Office, openOffice } from '../link/testing.ts'
import { openWebhookOffice } from '../webhook/testing.ts'

type Link = Awaited<ReturnType<Office['share']>>

const requestCount = 60

/** Downloads one byte of a file in a new visit. */
const downloadOneByte = async (office: Office, link: Link, file = office.first) =>
  office.call('GET', `/v1/file/${file}`, { ...(await office.enter(link)), range: 'bytes=0-0' })

const sumOf = (rows: ListedEntry[], field: 'times' | 'bytes') => rows.reduce((sum, row) => sum + Number(row[field] ?? 0), 0)

/** Expects far fewer entries than requests. Waits for them: a download is recorded when it has ended, which may be a moment after its last byte. */
async function expectFolded(
  office: Office,
  action: string,
  isCounted: (row: ListedEntry) => boolean = () => true,
): Promise<ListedEntry[]> {
  const listRows = async () => (await fetchEntries(office, `?action=${action}&limit=200`)).filter(isCounted)
  await expect.poll(async () => sumOf(await listRows(), 'times')).toBe(requestCount)
  const entries = await listRows()
  expect(entries.length, action).toBeLessThan(requestCount / 2)
  return entries
}

describe('repeated requests', () => {
  it('P48: are combined in the audit log, with their totals, when each new visit downloads one byte', async () => {
    await using office = await openOffice()
    const link = await office.share()
    for (let i = 0; i < requestCount; i++) await downloadOneByte(office, link)
    await expectFolded(office, 'link.opened')
    expect(sumOf(await expectFolded(office, 'file.downloaded'), 'bytes')).toBe(requestCount)
  })

  it('P48: from one address add one line per file and day to the activity of the link', async () => {
    await using office = await openOffice()
    const link = await office.share()
    for (let i = 0; i < 30; i++) await downloadOneByte(office, link)
    await downloadOneByte(office, link, office.second)
    const listEvents = () => office.data('GET', `/v1/link/${link.key}/activity`, office.kim)
    await expect.poll(listEvents).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'opened', times: 31 }),
        // 30 bytes of a file of 9 bytes count as three downloads.
        expect.objectContaining({ kind: 'downloaded', name: 'first.txt', bytes: 30, times: 3 }),
        expect.objectContaining({ kind: 'downloaded', name: 'second.txt', bytes: 1, times: 1 }),
      ]),
    )
    expect(await listEvents()).toHaveLength(3)
    office.advance(dayMs)
    await downloadOneByte(office, link)
    await expect.poll(async () => (await listEvents()).length).toBe(5)
  })

  it('are combined in the audit log when each new visit previews a file and makes a refused call', async () => {
    await using office = await openOffice()
    const link = await office.share()
    for (let i = 0; i < requestCount; i++) {
      const visitor = await office.enter(link)
      const { url } = await office.data('POST', `/v1/file/${office.first}/preview`, visitor)
      await office.call('GET', url)
      await office.put(office.plans, 'x.txt', visitor)
    }
    for (const action of ['file.previewed', 'access.refused']) await expectFolded(office, action)
  })

  it('are combined in the audit log when staff download a file with a token, or with a new session each time', async () => {
    await using office = await openOffice()
    const { token } = await office.data('POST', '/v1/token', office.kim, { name: 'Reader', scope: 'read' })
    for (let i = 0; i < requestCount; i++) {
      await office.call('GET', `/v1/file/${office.first}`, toBearerHeader(token))
      await office.call('GET', `/v1/file/${office.second}`, await office.startSessionAs('kim@acme.example'))
      office.advance(1) // a user has at most twenty sessions; different times make clear which one is the oldest and ends
    }
    for (const name of ['Kim Doe (token Reader)', 'Kim Doe'])
      await expectFolded(office, 'file.downloaded', ({ person }) => person === name)
  })

  it('from one address keep at most a hundred visits open: the least recently used one ends', async () => {
    await using office = await openOffice()
    const link = await office.share()
    const first = await office.enter(link)
    office.advance(1000)
    for (let i = 0; i < 100; i++) await office.enter(link)
    const last = await office.enter(link)
    const getStatus = async (who: Record<string, string>) => (await office.call('GET', '/v1/access', who)).statusCode
    expect([await getStatus(first), await getStatus(last)]).toEqual([401, 200])
    expect(await office.deps.db.selectFrom('link_session').select('id').execute()).toHaveLength(100)
  })

  it('from one address cause one webhook delivery per file and day', async () => {
    await using server = await openWebhookOffice()
    await server.subscribe({ events: ['download'] })
    const link = await server.share()
    for (let i = 0; i < 5; i++) await server.call('GET', `/v1/file/${server.first}`, await server.enter(link))
    const downloadInHalves = async (file: string) => {
      for (const range of ['bytes=0-3', 'bytes=4-'])
        await server.call('GET', `/v1/file/${file}`, { ...(await server.enter(link)), range })
    }
    await downloadInHalves(server.second)
    const listNames = async () => {
      await server.deliver()
      return server.receiver
        .events()
        .map(({ data }) => data.name)
        .toSorted()
    }
    await expect.poll(listNames).toEqual(['first.txt', 'second.txt'])
    server.advance(dayMs)
    await server.call('GET', `/v1/file/${server.first}`, await server.enter(link))
    await expect.poll(listNames).toEqual(['first.txt', 'first.txt', 'second.txt'])
  })

  it('cause at most twenty webhook deliveries when a user downloads one file again and again', async () => {
    await using server = await openWebhookOffice()
    await server.subscribe({ events: ['download'] })
    for (let i = 0; i < 25; i++) await server.call('GET', `/v1/file/${server.first}`, server.kim)
    const { id } = (await server.data('GET', '/v1/webhook', server.kim))[0]
    await expect.poll(async () => (await server.data('GET', `/v1/webhook/${id}/delivery?limit=200`, server.kim)).length).toBe(20)
  })
})

describe('the notice about the first download', () => {
  it('is sent once if someone downloads half of a file in each of two visits', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_FILE', { tellDownload: true })
    const listSubjects = async () => {
      await office.deliver()
      return office.sentEmails.map(({ subject }) => subject)
    }
    const request = async (method: string, range?: string) =>
      office.call(method, `/v1/file/${office.first}`, { ...(await office.enter(link)), ...(range && { range }) })
    await request('HEAD')
    await request('GET', 'bytes=100-')
    expect(await listSubjects()).toEqual([])
    await request('GET', 'bytes=0-3')
    await expect.poll(listSubjects).toEqual(['First download from “first.txt”'])
    await request('GET', 'bytes=4-')
    await request('GET')
    const readBytes = async () =>
      (await office.data('GET', `/v1/link/${link.key}/activity`, office.kim)).find(
        ({ kind }: { kind: string }) => kind === 'downloaded',
      )?.bytes
    await expect.poll(readBytes).toBe(18)
    expect(await listSubjects()).toHaveLength(1)
  })
})
