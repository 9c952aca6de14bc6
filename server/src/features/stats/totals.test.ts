import { expect, it } from 'vitest'
import { checkFiles, type Finding } from '../integrity/integrity.service.ts'
import { day, type Office, openOffice } from '../link/testing.ts'
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
  await office.put(plans, 'first.txt', kim, 'replaced', '?conflict=replace')
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
  office.advance(31 * day)
  await emptyTrash(office.deps)
  expect((await call('GET', `/v1/link/${link.key}`, kim)).statusCode).toBe(404)
  await expectTotals([2, 4, 1], [3, 5, 1])
  await call('DELETE', `/v1/directory/${plans}`, kim)
  office.advance(31 * day)
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

it('is checked and corrected by fsck', async () => {
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
