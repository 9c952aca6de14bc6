import { describe, expect, it } from 'vitest'
import { insertEntries, setHead } from '../../features/audit/audit.repo.ts'
import { type Office, openOffice } from '../../features/link/testing.ts'
import { runInTurn } from '../../lib/concurrency/run-in-turn.ts'
import { toNameColumns } from '../../lib/names/name-order.ts'

const count = 1500
/** A few of the first and a few of the last rows match. */
const isMatch = (i: number) => (i < 60 || i >= count - 60) && i % 10 === 5
const nameOf = (i: number) => (isMatch(i) ? `zz ${i}` : `row ${i}`)
const idOf = (kind: string, i: number) => `${kind}${i}`.padEnd(22, 'x')
const createRows = <Row>(row: (i: number) => Row) => Array.from({ length: count }, (_, i) => row(i))

/** Inserts rows of every kind that is listed, more than any list reads at once. */
async function insertManyRows({ deps, companyOf, kim, kimId, plans }: Office) {
  const { db } = deps
  const company_id = await companyOf(kim)
  const at = (i: number) => new Date(Date.parse('2026-10-01T00:00:00Z') + i * 60_000).toISOString()
  const named = (i: number) => ({ name: nameOf(i), ...toNameColumns(nameOf(i)), created_at: at(i) })
  const inserts = [
    db.insertInto('company').values(createRows((i) => ({ ...named(i), id: idOf('company', i) }))),
    db.insertInto('user').values(
      createRows((i) => ({
        ...named(i),
        id: idOf('user', i),
        company_id,
        email: `${i}@acme.example`,
        role: 'NEPTUNE_USER' as const,
        password_hash: '',
        generation: 0,
        suspended_at: i === 3 ? at(i) : null,
      })),
    ),
    db.insertInto('directory').values(
      createRows((i) => ({
        ...named(i),
        id: idOf('directory', i),
        root_id: idOf('directory', i),
        depth: 0,
        company_id,
        deleted_at: i % 3 === 0 ? at(i) : null,
      })),
    ),
    db.insertInto('file').values(
      createRows((i) => ({
        ...named(i),
        id: idOf('file', i),
        blob_id: idOf('file', i),
        company_id,
        directory_id: plans,
        kind: isMatch(i) ? ('media' as const) : ('text' as const),
        content_type: 'text/plain',
        size: i,
        sha256: '',
        crc32: 0,
        thumbnail: 'none' as const,
        deleted_at: i % 4 === 1 ? at(i) : null,
      })),
    ),
    db.insertInto('link').values(
      createRows((i) => ({
        ...named(i),
        key: idOf('link', i),
        type: 'LINK_DIRECTORY' as const,
        company_id,
        directory_id: plans,
        maker_id: isMatch(i) ? idOf('user', 3) : kimId,
        code_mac: '',
        code_sealed: '',
        generation: 0,
        expires_at: isMatch(i - 1) ? at(0) : '2999-01-01T00:00:00.000Z',
      })),
    ),
    db.insertInto('outbox').values(
      createRows((i) => ({
        id: idOf('mail', i),
        letter: 'test' as const,
        recipient: `${nameOf(i)}@acme.example`,
        about: '',
        state: 'sent' as const,
        created_at: at(i),
        ends_at: at(i),
        tries: 1,
        refusals: 0,
      })),
    ),
  ]
  for (const insert of inserts) await insert.execute()
  const none = { client: null, link_key: null, file_id: null, size: null, bytes: null, note: null, mac: '' }
  const { seq } = await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
  const entry = (i: number) => ({
    ...none,
    seq: Number(seq) + 1 + i,
    at: at(i),
    action: i % 7 === 0 ? ('file.downloaded' as const) : ('file.uploaded' as const),
    outcome: isMatch(i) ? ('refused' as const) : ('done' as const),
    who: 'staff' as const,
    person_id: kimId,
    person: 'Kim',
    company_id,
    directory_id: plans,
    name: nameOf(i),
    times: 1,
  })
  await insertEntries(db, createRows(entry))
  await setHead(db, { seq: Number(seq) + count, mac: '' })
}

const pathsOf = (office: Office) => [
  '/v1/file?search=z',
  '/v1/file?search=zz&sort=name',
  '/v1/file?kind=media&sort=-size&trash=true',
  `/v1/file?directory=${office.plans}&search=zz&sort=name&trash=true`,
  '/v1/file?search=z&trash=true&sort=name',
  '/v1/link?search=zz',
  '/v1/link?state=expired&sort=-name',
  '/v1/directory?search=zz',
  '/v1/directory?search=zz&trash=true&sort=-created_at',
  '/v1/admin/company?search=zz',
  '/v1/admin/user?search=zz&sort=email',
  '/v1/admin/mail?search=zz',
  `/v1/activity?directory=${office.plans}&outcome=done&to=2026-10-01T00:30:00Z`,
  `/v1/activity?person=${office.kimId}&to=2026-10-01T01:00:00Z`,
]

type Page = Record<string, unknown>[]

/** Returns every page of a list by following its cursors. */
async function readPages({ call }: Office, path: string, who: Record<string, string>): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor = ''; ; ) {
    const page = (await call('GET', path + cursor, who)).json()
    pages.push(page.data)
    if (page.next === null) return pages
    cursor = `&cursor=${encodeURIComponent(page.next)}`
  }
}

describe('a list in which few rows match', () => {
  it('is complete in one reply if that may scan all rows, and otherwise continues over short pages', async () => {
    await using office = await openOffice()
    await insertManyRows(office)
    const read = async (path: string, query: string) => (await office.call('GET', `${path}&${query}`, office.admin)).json()
    for (const path of pathsOf(office)) {
      office.app.maxScannedRows = 100_000
      const all = await read(path, 'limit=200')
      expect(all.next, path).toBeNull()
      expect(all.data.length, path).toBeGreaterThan(2)
      office.app.maxScannedRows = 1
      const pages = await readPages(office, `${path}&limit=2`, office.admin)
      expect(pages.flat(), path).toEqual(all.data)
      expect(pages.slice(0, -1).filter(({ length }) => length < 2).length, path).toBeGreaterThan(0)
    }
  })

  it('contains only what the link shares for a recipient', async () => {
    await using office = await openOffice()
    await insertManyRows(office)
    await office.put(office.other, 'zz of another directory.txt', office.kim)
    office.app.maxScannedRows = 1
    const rob = await office.enter(await office.share())
    const names = (await readPages(office, '/v1/file?search=Z&sort=name', rob)).flat().map((row) => row['file_name'])
    expect(names).toEqual(['zz 15', 'zz 35', 'zz 55', 'zz 1455', 'zz 1475', 'zz 1495'])
    expect((await office.call('GET', `/v1/file?directory=${office.other}`, rob)).json()).toEqual({ data: [], next: null })
  })

  it('is rejected for a caller with too many searches at once, while other callers and lists are served', async () => {
    await using office = await openOffice()
    await insertManyRows(office)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const holding = [runInTurn('', () => held), runInTurn('', () => held)]
    const search = () => office.call('GET', '/v1/file?search=zz', office.kim)
    const searches = Array.from({ length: 20 }, search)
    const rejected: Awaited<ReturnType<typeof search>>[] = []
    for (const reply of searches) void reply.then((reply) => reply.statusCode === 429 && rejected.push(reply))
    await expect.poll(() => rejected.length).toBe(4)
    expect(rejected[0]?.headers['retry-after']).toBe('1')
    expect((await office.call('GET', '/v1/file', office.kim)).statusCode).toBe(200)
    const other = office.call('GET', '/v1/file?search=zz', office.eve)
    release()
    await Promise.all(holding)
    expect((await other).statusCode).toBe(200)
    const statuses = (await Promise.all(searches)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(16)
  })
})
