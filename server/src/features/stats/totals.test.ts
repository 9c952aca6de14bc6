import { expect, it } from 'vitest'
import { toNameColumns } from '../../lib/names/name-order.ts'
import { maxSummedCompanies } from '../company/company-total.repo.ts'
import { checkFiles, type Finding } from '../integrity/integrity.service.ts'
import { dayMs, type Office, openOffice } from '../link/testing.ts'
import { emptyTrash } from '../trash/trash.service.ts'

async function check({ deps }: Office, isRepair = false): Promise<Finding[]> {
  const found: Finding[] = []
  await checkFiles(deps, { isScrub: false, isRepair, isAlone: true, report: (finding) => found.push(finding) })
  return found
}

const readStats = (office: Office, who: Record<string, string>) => office.data('GET', '/v1/stats', who)

it('counts directories, files and links through every change, and separately for each company', async () => {
  await using office = await openOffice({ TRASH_DAYS: '30' })
  const { call, kim, eve, admin, plans, second } = office
  const expectTotals = async (ofKim: [number, number, number], ofAll: [number, number, number]) => {
    for (const [who, [directories, files, links]] of [[kim, ofKim] as const, [admin, ofAll] as const])
      expect(await readStats(office, who)).toEqual({ directories, files, links })
    expect(await check(office)).toEqual([])
  }
  await expectTotals([2, 3, 0], [3, 4, 0])
  const link = await office.share('LINK_FILE')
  await office.share()
  await expectTotals([2, 3, 2], [3, 4, 2])
  await office.put(plans, 'second.txt', kim, 'replaced', '?conflict=replace')
  await call('DELETE', `/v1/file/${office.first}`, kim)
  await office.put(plans, 'first.txt', kim)
  await office.put(plans, 'third.txt', kim)
  await expectTotals([2, 4, 2], [3, 5, 2])
  await call('POST', '/v1/file/delete', kim, { ids: [second, second] })
  await expectTotals([2, 3, 2], [3, 4, 2])
  await call('DELETE', `/v1/directory/${plans}`, kim)
  await expectTotals([1, 1, 2], [2, 2, 2])
  expect((await call('DELETE', `/v1/directory/${plans}`, kim)).statusCode).toBe(404)
  await call('POST', `/v1/directory/${plans}/restore`, kim)
  await call('POST', `/v1/directory/${plans}/restore`, kim)
  await call('POST', '/v1/file/restore', kim, { ids: [second] })
  await expectTotals([2, 4, 2], [3, 5, 2])
  // The link to a file is removed with it, and so is the link to a directory.
  office.advance(31 * dayMs)
  await emptyTrash(office.deps)
  expect((await call('GET', `/v1/link/${link.key}`, kim)).statusCode).toBe(404)
  await expectTotals([2, 4, 1], [3, 5, 1])
  await call('DELETE', `/v1/directory/${plans}`, kim)
  office.advance(31 * dayMs)
  await emptyTrash(office.deps)
  await expectTotals([1, 1, 0], [2, 2, 0])
  const reserved = await office.reserve(eve, office.foreign)
  const toForeign = { linkType: 'LINK_DIRECTORY', directory: office.foreign, ...reserved, expiry: office.inDays(9) }
  expect((await call('POST', '/v1/link', eve, toForeign)).statusCode).toBe(200)
  await expectTotals([1, 1, 0], [2, 2, 1])
  expect((await call('POST', '/v1/link/delete', eve, { keys: [reserved.key] })).statusCode).toBe(204)
  await expectTotals([1, 1, 0], [2, 2, 0])
})

it('sums up the totals of selected companies', async () => {
  await using office = await openOffice()
  const { call, kim, kimId, admin, eve } = office
  const access = { access: 'selected', companies: [await office.companyOf(eve)] }
  expect((await call('PATCH', `/v1/admin/user/${kimId}/access`, admin, access)).statusCode).toBe(200)
  expect(await readStats(office, kim)).toEqual({ directories: 3, files: 4, links: 0 })
})

/** Gives Kim access to so many companies that their sums are stored. Returns the ids of those besides Eve's. */
async function selectManyCompanies(office: Office): Promise<string[]> {
  const { db } = office.deps
  const others = Array.from({ length: maxSummedCompanies }, (_, i) => `company-${i}`)
  const rows = others.map((id) => ({ id, name: id, ...toNameColumns(id), created_at: office.deps.now().toISOString() }))
  await db.insertInto('company').values(rows).execute()
  await selectCompanies(office, [await office.companyOf(office.eve), ...others])
  return others
}

async function selectCompanies({ call, kimId, admin }: Office, companies: string[]) {
  const reply = await call('PATCH', `/v1/admin/user/${kimId}/access`, admin, { access: 'selected', companies })
  expect(reply.statusCode).toBe(200)
}

const listStored = ({ deps, kimId }: Office, table: 'company_total' | 'transfer') =>
  deps.db.selectFrom(table).selectAll().where('company_id', '=', kimId).execute()

/** Returns today's transfers in the companies that Kim has access to. */
async function readToday(office: Office) {
  const { transfers } = await office.data('GET', '/v1/dashboard', office.kim)
  const { uploads, bytes_in } = transfers.at(-1)
  return { uploads, bytes_in }
}

it('stores the sums of many selected companies, and keeps them right through every change', async () => {
  await using office = await openOffice({ TRASH_DAYS: '30' })
  const { call, kim, eve, admin, plans, foreign } = office
  const others = await selectManyCompanies(office)
  const expectSums = async (directories: number, files: number, links: number, uploads: number) => {
    expect(await readStats(office, kim)).toEqual({ directories, files, links })
    expect(await readToday(office)).toMatchObject({ uploads })
    expect(await listStored(office, 'company_total')).toHaveLength(1)
    expect(await listStored(office, 'transfer')).toHaveLength(1)
    expect(await check(office)).toEqual([])
  }
  await expectSums(3, 4, 0, 4)
  await office.put(plans, 'new.txt', kim)
  await office.put(foreign, 'new.txt', eve)
  await office.share()
  await expectSums(3, 6, 1, 6)
  // The first directory and file of a company that had none.
  const { id: created } = await office.data('POST', '/v1/directory', admin, { directory: 'First', client: others[0] })
  await office.put(created, 'first.txt', admin)
  await expectSums(4, 7, 1, 7)
  await call('DELETE', `/v1/directory/${created}`, admin)
  await expectSums(3, 6, 1, 7)
  await call('POST', `/v1/directory/${created}/restore`, admin)
  expect((await call('POST', `/v1/admin/company/${others[0]}/archive`, admin)).statusCode).toBe(200)
  await expectSums(4, 7, 1, 7)
  // First removes Eve's company from the selection, and then all but a few companies.
  await selectCompanies(office, [...others, 'company-0', await office.companyOf(admin)])
  await expectSums(3, 5, 1, 5)
  await office.put(foreign, 'unseen.txt', eve)
  await expectSums(3, 5, 1, 5)
  await selectCompanies(office, others.slice(1))
  expect(await readStats(office, kim)).toEqual({ directories: 2, files: 4, links: 1 })
  expect(await readToday(office)).toMatchObject({ uploads: 4 })
  for (const table of ['company_total', 'transfer'] as const) expect(await listStored(office, table)).toEqual([])
  expect(await check(office)).toEqual([])
})

it('deletes the stored sums of a removed user', async () => {
  await using office = await openOffice()
  await selectManyCompanies(office)
  expect(await readToday(office)).toMatchObject({ uploads: 4 })
  expect((await office.call('POST', `/v1/admin/user/${office.kimId}/remove`, office.admin, {})).statusCode).toBe(204)
  for (const table of ['company_total', 'transfer'] as const) expect(await listStored(office, table)).toEqual([])
  expect(await check(office)).toEqual([])
})

it('checks and corrects the stored sums with fsck', async () => {
  await using office = await openOffice()
  const { deps, kimId } = office
  await selectManyCompanies(office)
  const today = await readToday(office)
  await deps.db.updateTable('company_total').set({ links: 9 }).where('company_id', '=', kimId).execute()
  await deps.db.updateTable('transfer').set({ uploads: 9 }).where('company_id', '=', kimId).execute()
  const wrong = [
    {
      kind: 'counter',
      id: kimId,
      text: expect.stringMatching(/selected for kim@.*4 files, 9 links; there are .*4 files, 0 links/),
    },
    { kind: 'counter', id: kimId, text: expect.stringMatching(/^stored transfers for kim@/) },
  ]
  expect(await check(office)).toMatchObject(wrong)
  expect(await check(office, true)).toMatchObject(wrong.map((finding) => ({ ...finding, done: 'counted again' })))
  expect(await check(office)).toEqual([])
  expect(await readToday(office)).toEqual(today)
  expect(await readStats(office, office.kim)).toEqual({ directories: 3, files: 4, links: 0 })
})

it('checks and corrects the totals of companies with fsck', async () => {
  await using office = await openOffice()
  const company = await office.companyOf(office.kim)
  const { db } = office.deps
  await db.updateTable('company_total').set({ files: 7 }).where('company_id', '=', company).execute()
  await db.deleteFrom('company_total').where('company_id', '=', '').execute()
  const wrong = [
    { kind: 'counter', id: 'all' },
    {
      kind: 'counter',
      id: company,
      text: expect.stringContaining('7 files, 0 links; there are 2 directories, 3 files, 0 links'),
    },
  ]
  const sortById = (found: Finding[]) => found.toSorted((a, b) => Number(b.id === 'all') - Number(a.id === 'all'))
  expect(sortById(await check(office))).toMatchObject(wrong)
  expect(sortById(await check(office, true))).toMatchObject(wrong.map((finding) => ({ ...finding, done: 'counted again' })))
  expect(await check(office)).toEqual([])
  expect(await readStats(office, office.admin)).toEqual({ directories: 3, files: 4, links: 0 })
})
