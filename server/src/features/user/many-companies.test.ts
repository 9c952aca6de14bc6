import { describe, expect, it } from 'vitest'
import { toNameColumns } from '../../lib/names/name-order.ts'
import { insertEntries, setHead } from '../audit/audit.repo.ts'
import { type Office, openOffice } from '../link/testing.ts'

/** More companies than `maxMergedCompanies`, so that lists scan the rows of all companies first. */
const selectedCompanies = 1050
/** More rows than a scan of the start of a list reads. */
const rowsOfOthers = 1600

/** Gives Kim access to Eve's company and to very many empty ones. */
async function openLargeFirm() {
  const office = await openOffice()
  const globex = await office.companyOf(office.eve)
  const access = { access: 'selected', companies: [globex] }
  expect((await office.call('PATCH', `/v1/admin/user/${office.kimId}/access`, office.admin, access)).statusCode).toBe(200)
  const clients = await addCompanies(office, 'Client', selectedCompanies, '2026-01-01T00:00:00.000Z')
  const rows = clients.map(({ id }) => ({ user_id: office.kimId, company_id: id }))
  await office.deps.db.insertInto('user_company').values(rows).execute()
  /** Reads all pages of a list and returns one field of its rows. */
  const readAll = async (path: string, field: string): Promise<string[]> => {
    const found: string[] = []
    for (let cursor = ''; ; ) {
      const page = (await office.call('GET', `${path}limit=150${cursor}`, office.kim)).json()
      found.push(...page.data.map((row: Record<string, string>) => row[field]))
      if (!page.next) return found
      cursor = `&cursor=${encodeURIComponent(page.next)}`
    }
  }
  return { ...office, readAll }
}

async function addCompanies({ deps: { db } }: Pick<Office, 'deps'>, name: string, count: number, created_at: string) {
  const rows = Array.from({ length: count }, (_, i) => ({
    id: `${name}${i}`,
    name: `${name} ${i}`,
    ...toNameColumns(`${name} ${i}`),
    created_at,
  }))
  await db.insertInto('company').values(rows).execute()
  return rows
}

/** Adds companies that Kim has no access to, with directories, files, links and users. They come first in every list below. */
async function addOthers(office: Office) {
  const { db } = office.deps
  const created_at = '2027-01-01T00:00:00.000Z'
  await addCompanies(office, 'Aardvark', rowsOfOthers, created_at)
  const ids = Array.from({ length: rowsOfOthers }, (_, i) => `aardvark ${i}`)
  const rows = ids.map((id) => ({ id, company_id: 'Aardvark0', name: id, ...toNameColumns(id), created_at }))
  await db
    .insertInto('directory')
    .values(rows.map((row) => ({ ...row, root_id: row.id, depth: 0 })))
    .execute()
  const user = { role: 'NEPTUNE_USER' as const, password_hash: '', generation: 0 }
  const users = rows.map((row, i) => ({ ...row, ...user, email: `aardvark${i}@acme.example` }))
  await db.insertInto('user').values(users).execute()
  const file = { kind: 'text' as const, content_type: '', size: 10 ** 9, sha256: '', crc32: 0, thumbnail: 'none' as const }
  const files = rows.map((row) => ({ ...row, ...file, blob_id: row.id, directory_id: row.id }))
  const link = { type: 'LINK_DIRECTORY' as const, code_mac: '', code_sealed: '', generation: 0, expires_at: created_at }
  const links = rows.map(({ id, ...row }) => ({ ...row, ...link, key: id, directory_id: id, maker_id: id }))
  for (let at = 0; at < rowsOfOthers; at += 400) {
    await db
      .insertInto('file')
      .values(files.slice(at, at + 400))
      .execute()
    await db
      .insertInto('link')
      .values(links.slice(at, at + 400))
      .execute()
  }
}

const files = ['first.txt', 'foreign.txt', 'hidden.txt', 'second.txt']
const lists = [
  ['/v1/directory?sort=name&', 'directory', ['Foreign', 'Other', 'Plans']],
  ['/v1/directory?sort=-created_at&', 'directory', ['Foreign', 'Other', 'Plans']],
  ['/v1/file?sort=name&', 'file_name', files],
  ['/v1/file?sort=-size&', 'file_name', files],
  ['/v1/file?sort=-created_at&search=t&', 'file_name', files],
  ['/v1/file?sort=-created_at&kind=text&', 'file_name', files],
  ['/v1/link?sort=-created_at&', 'name', ['Plans']],
  ['/v1/admin/company?sort=name&', 'name', ['Acme 2', 'Acme GmbH']],
  ['/v1/company?sort=-created_at&', 'name', ['Acme 2', 'Acme GmbH']],
  ['/v1/company?sort=bytes&', 'name', ['Acme 2', 'Acme GmbH']],
  ['/v1/admin/user?sort=email&', 'email', ['eve@globex.example', 'kim@acme.example']],
  ['/v1/admin/user?sort=name&search=ex&', 'email', ['eve@globex.example', 'kim@acme.example']],
  ['/v1/admin/user?sort=-name&search=%40a&', 'email', ['kim@acme.example']],
  ['/v1/admin/user?sort=email&search=aardvark&', 'email', []],
  ['/v1/admin/user?sort=-created_at&search=gm%20k&', 'email', ['kim@acme.example']], // company and name
  ['/v1/admin/user?removed=true&search=aa&', 'email', []],
] as const

describe('a user with very many selected companies', () => {
  it('sees exactly their rows in every list, even after very many rows of other companies', async () => {
    await using office = await openLargeFirm()
    await office.share()
    const check = async () => {
      for (const [path, field, expected] of lists) {
        const found = await office.readAll(path, field)
        expect(found.filter((name) => !name.startsWith('Client ')).toSorted(), path).toEqual(expected)
        expect(new Set(found).size, path).toBe(expected.length + (path.includes('company') ? selectedCompanies : 0))
        expect(found, path).toHaveLength(new Set(found).size)
      }
    }
    await check()
    await addOthers(office)
    await check()
    const byName = await office.readAll('/v1/company?sort=-name&', 'name')
    const { compare } = new Intl.Collator('en', { numeric: true })
    expect(byName).toEqual(byName.toSorted(compare).toReversed())
  })

  it('finds companies by part of their name', async () => {
    await using office = await openLargeFirm()
    await addOthers(office)
    const search = (text: string) => office.readAll(`/v1/company?sort=name&search=${encodeURIComponent(text)}&`, 'name')
    expect(await search('ient 104')).toEqual(['Client 104', ...Array.from({ length: 10 }, (_, i) => `Client 104${i}`)])
    expect(await search('VARK 1')).toEqual([])
    expect(await search('client')).toHaveLength(selectedCompanies)
    expect(await search('5')).toHaveLength(
      (await office.readAll('/v1/company?', 'name')).filter((name) => name.includes('5')).length,
    )
    await office.call('PATCH', '/v1/admin/company/Client7', office.admin, { name: 'Renamed' })
    expect([await search('enam'), await search('Client 1049')]).toEqual([['Renamed'], ['Client 1049']])
    expect((await search('client')).includes('Client 7')).toBe(false)
  })

  it('sees the activity of these companies, even after very many entries of other companies', async () => {
    await using office = await openLargeFirm()
    const readTimes = () => office.readAll('/v1/activity?', 'at')
    const before = await readTimes()
    expect(before.length).toBeGreaterThan(5)
    const { db } = office.deps
    const { seq } = await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
    const none = { person_id: null, person: null, client: null, name: null, link_key: null, directory_id: null, file_id: null }
    const entry = { ...none, size: null, bytes: null, note: null, times: 1, mac: '', at: '2027-01-01T00:00:00.000Z' }
    const entries = Array.from({ length: rowsOfOthers }, (_, i) => ({
      ...entry,
      seq: Number(seq) + 1 + i,
      action: 'file.uploaded' as const,
      outcome: 'done' as const,
      who: 'system' as const,
      company_id: 'Aardvark0',
    }))
    await insertEntries(db, entries)
    await setHead(db, { seq: Number(seq) + rowsOfOthers, mac: '' })
    expect(await readTimes()).toEqual(before)
  })
})
