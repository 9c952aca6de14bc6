import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { isSqlite } from '../../db/database.ts'
import { seal } from '../../lib/secrets.ts'
import { type Office, openOffice } from '../link/testing.ts'

type Headers = Record<string, string>
type Row = Record<string, string>

/** Returns all rows of a list by following its cursors, two at a time. */
async function readList({ call }: Office, path: string, who: Headers): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor = ''; ; ) {
    const page = (await call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=2${cursor}`, who)).json()
    rows.push(...page.data)
    if (page.next === null) return rows
    cursor = `&cursor=${encodeURIComponent(page.next)}`
  }
}

const names = ['2 plans.pdf', '10 plans.pdf', 'Azur.txt', 'Ärzte.txt', 'IMG_9.jpg', 'IMG_0010.jpg', 'IMG_11.jpg', 'zebra.txt']
const inOrder = ['2 plans.pdf', '10 plans.pdf', 'Ärzte.txt', 'Azur.txt', 'IMG_9.jpg', 'IMG_0010.jpg', 'IMG_11.jpg', 'zebra.txt']

it('lists files in natural order, in both directions and over several pages', async () => {
  await using office = await openOffice()
  const directory = await office.addDirectory(office.kim, 'Photos')
  for (const name of names) await office.addFile(directory, name, office.kim)
  const list = async (query: string) =>
    (await readList(office, `/v1/file?directory=${directory}${query}`, office.kim)).map((row) => row['file_name'])
  expect(await list('&sort=name')).toEqual(inOrder)
  expect(await list('&sort=-name')).toEqual(inOrder.toReversed())
  expect(await list('&sort=name&search=plans')).toEqual(['2 plans.pdf', '10 plans.pdf'])
  await office.call('POST', '/v1/file/delete', office.kim, {
    ids: (await readList(office, `/v1/file?directory=${directory}`, office.kim)).map((row) => row['id']),
  })
  expect(await list('&sort=name&trash=true')).toEqual(inOrder)
})

it('lists every file once over several pages if many have the same name', async () => {
  await using office = await openOffice()
  for (const directory of ['A', 'B', 'C', 'D', 'E']) {
    const id = await office.addDirectory(office.kim, directory)
    for (const name of ['plan 10.txt', 'plan 2.txt']) await office.addFile(id, name, office.kim)
  }
  const rows = await readList(office, '/v1/file?sort=name&search=plan', office.kim)
  const expected = [...Array.from({ length: 5 }, () => 'plan 2.txt'), ...Array.from({ length: 5 }, () => 'plan 10.txt')]
  expect(rows.map((row) => row['file_name'])).toEqual(expected)
  expect(new Set(rows.map((row) => row['id'])).size).toBe(10)
})

it('moves a file in the list when it is renamed', async () => {
  await using office = await openOffice()
  const directory = await office.addDirectory(office.kim, 'Photos')
  const id = await office.addFile(directory, 'plan 1.txt', office.kim)
  for (const name of ['plan 2.txt', 'plan 10.txt']) await office.addFile(directory, name, office.kim)
  await office.call('PATCH', `/v1/file/${id}`, office.kim, { file_name: 'plan 3.txt' })
  const rows = await readList(office, `/v1/file?directory=${directory}&sort=name`, office.kim)
  expect(rows.map((row) => row['file_name'])).toEqual(['plan 2.txt', 'plan 3.txt', 'plan 10.txt'])
})

it('lists directories, links, companies and users in natural order, even after they were renamed', async () => {
  await using office = await openOffice()
  const { admin, kim } = office
  const unsorted = ['Project 10', 'Project 9', 'Äpfel', 'Zoo', 'Birnen']
  const sorted = ['Äpfel', 'Birnen', 'Project 9', 'Project 10', 'Zoo']
  for (const name of unsorted) {
    const directory = await office.addDirectory(kim, `old ${name}`)
    await office.call('PATCH', `/v1/directory/${directory}`, kim, { directory: name })
    const { key, accessCode } = await office.reserve(kim, directory)
    const link = { linkType: 'LINK_DIRECTORY', directory, key, accessCode, expiry: office.inDays(30) }
    await office.call('POST', '/v1/link', kim, link)
    const company = await office.data('POST', '/v1/admin/company', admin, { name: `old ${name}` })
    await office.call('PATCH', `/v1/admin/company/${company.id}`, admin, { name })
    const email = `${unsorted.indexOf(name)}@acme.example`
    await office.call('PATCH', `/v1/admin/user/${await office.addUser({ email })}`, admin, { name, email })
  }
  const read = async (path: string, field: string, who = admin) =>
    (await readList(office, path, who)).map((row) => row[field] ?? '').filter((name) => unsorted.includes(name))
  expect(await read('/v1/directory?sort=name', 'directory')).toEqual(sorted)
  expect(await read('/v1/directory?sort=-name', 'directory', kim)).toEqual(sorted.toReversed())
  expect(await read('/v1/link?sort=name', 'name')).toEqual(sorted)
  expect(await read('/v1/admin/company?sort=name', 'name')).toEqual(sorted)
  expect(await read('/v1/admin/user?sort=-name', 'name')).toEqual(sorted.toReversed())
})

it('rejects a cursor that was created before names had a natural order', async () => {
  await using office = await openOffice()
  const request = async (...cursor: string[]) => {
    const sealed = seal(office.app.cursorKey, `/v1/file ${office.kimId}`, JSON.stringify(cursor))
    return office.call('GET', `/v1/file?sort=name&cursor=${sealed}`, office.kim)
  }
  expect((await request('name_order', 'a', '')).statusCode).toBe(200)
  const rejected = await request('name', 'a', '')
  expect([rejected.statusCode, rejected.json().errors]).toMatchObject([400, [{ field: 'cursor' }]])
})

it('stores the sort keys of names with the collation C on PostgreSQL, so that its locale does not matter', async () => {
  await using office = await openOffice()
  const { db } = office.deps
  if (isSqlite(db)) return // SQLite always compares bytes
  const { rows } = await sql<{ collation_name: string }>`select collation_name from information_schema.columns
    where table_schema = current_schema() and column_name = 'name_order'`.execute(db)
  expect(rows).toEqual(Array.from({ length: 5 }, () => ({ collation_name: 'C' })))
})
