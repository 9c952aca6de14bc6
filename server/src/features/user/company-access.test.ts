import { readdirSync } from 'node:fs'
import { get, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { toNameColumns } from '../../lib/names/name-order.ts'
import { openOffice, readToEnd } from '../link/testing.ts'

/**
 * Starts a server with another company, Initech, where Ada works. Returns helpers that change and read what Kim has access to. The names in
 * the database differ: Globex is called Acme 2, and Initech is called Acme 4.
 */
async function openOfficeWithAda() {
  const office = await openOffice()
  const adaId = await office.addUser({ email: 'ada@initech.example' })
  const ada = await office.startSessionAs('ada@initech.example')
  const adasDirectory = await office.addDirectory(ada, 'Contracts')
  await office.addFile(adasDirectory, 'contract.txt', ada)
  const [acme, globex, initech] = await Promise.all([office.kim, office.eve, ada].map(office.companyOf))
  const give = (access: string, companies?: (string | undefined)[]) =>
    office.call('PATCH', `/v1/admin/user/${office.kimId}/access`, office.admin, { access, ...(companies && { companies }) })
  const listNames = async (path: string, field: string, who = office.kim): Promise<string[]> => {
    const found: string[] = []
    for (let cursor = ''; ; ) {
      const page = (await office.call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=2${cursor}`, who)).json()
      found.push(...page.data.map((row: Record<string, string>) => row[field]))
      if (!page.next) return found.toSorted()
      cursor = `&cursor=${encodeURIComponent(page.next)}`
    }
  }
  return { ...office, ada, adaId, adasDirectory, acme, globex, initech, give, listNames }
}

const lists = [
  ['/v1/directory?sort=name', 'directory', ['Other', 'Plans'], ['Foreign'], ['Contracts']],
  ['/v1/directory?sort=-created_at', 'directory', ['Other', 'Plans'], ['Foreign'], ['Contracts']],
  ['/v1/file?sort=name', 'file_name', ['first.txt', 'hidden.txt', 'second.txt'], ['foreign.txt'], ['contract.txt']],
  ['/v1/file?sort=-size', 'file_name', ['first.txt', 'hidden.txt', 'second.txt'], ['foreign.txt'], ['contract.txt']],
  ['/v1/file?search=txt', 'file_name', ['first.txt', 'hidden.txt', 'second.txt'], ['foreign.txt'], ['contract.txt']],
  ['/v1/admin/company?sort=name', 'name', ['Acme GmbH'], ['Acme 2'], ['Acme 4']],
  ['/v1/company?sort=-created_at', 'name', ['Acme GmbH'], ['Acme 2'], ['Acme 4']],
  ['/v1/company?sort=bytes', 'name', ['Acme GmbH'], ['Acme 2'], ['Acme 4']],
  ['/v1/admin/user?sort=email', 'email', ['kim@acme.example'], ['eve@globex.example'], ['ada@initech.example']],
] as const

describe('users of other companies with access to a company', () => {
  it('are listed for callers who may see both the company and these users, except those with access to all companies', async () => {
    await using office = await openOfficeWithAda()
    const listGuests = (who: typeof office.kim) => office.listNames(`/v1/admin/user?guests_of=${office.globex}`, 'email', who)
    expect(await listGuests(office.admin)).toEqual([])
    await office.give('selected', [office.globex])
    await office.call('PATCH', `/v1/admin/user/${office.adaId}/access`, office.admin, {
      access: 'selected',
      companies: [office.globex, office.initech],
    })
    expect(await listGuests(office.admin)).toEqual(['ada@initech.example', 'kim@acme.example'])
    expect(await office.listNames(`/v1/admin/user?guests_of=${office.globex}&search=ada`, 'email', office.admin)).toEqual([
      'ada@initech.example',
    ])
    // Kim may see Globex but not Initech, where Ada works. Eve sees only her own company.
    expect(await listGuests(office.kim)).toEqual(['kim@acme.example'])
    expect(await listGuests(office.eve)).toEqual([])
    // Someone who may not see the company doesn't learn which colleagues have access to it.
    await office.addUser({ email: 'lee@acme.example', company_id: office.acme ?? '' })
    expect(await listGuests(await office.startSessionAs('lee@acme.example'))).toEqual([])
    await office.give('all')
    expect(await listGuests(office.admin)).toEqual(['ada@initech.example'])
  })
})

describe('a user', () => {
  it.each(lists)('sees only what belongs to the companies they have access to: %s', async (path, field, own, selected, other) => {
    await using office = await openOfficeWithAda()
    expect(await office.listNames(path, field)).toEqual(own.toSorted())
    expect((await office.give('selected', [office.globex])).json().data.access).toBe('selected')
    expect(await office.listNames(path, field)).toEqual([...own, ...selected].toSorted())
    await office.give('all')
    expect(await office.listNames(path, field)).toEqual(expect.arrayContaining([...own, ...selected, ...other]))
    await office.give('own')
    expect(await office.listNames(path, field)).toEqual(own.toSorted())
  })

  it.each(lists)('sees everything of hundreds of selected companies: %s', async (path, field, own, selected) => {
    await using office = await openOfficeWithAda()
    await addCompanies(office, 250)
    await office.give('selected', [office.globex])
    await office.deps.db
      .insertInto('user_company')
      .columns(['user_id', 'company_id'])
      .expression((eb) =>
        eb
          .selectFrom('company')
          .select((eb) => [eb.val(office.kimId).as('user_id'), 'company.id'])
          .where('company.name', 'like', 'Client %'),
      )
      .execute()
    const found = await office.listNames(path, field)
    expect(found.filter((name) => !name.startsWith('Client '))).toEqual([...own, ...selected].toSorted())
    expect(found).toHaveLength(own.length + selected.length + (field === 'name' ? 250 : 0))
  })
})

describe('access to another company', () => {
  it('includes its links, requests, activity and totals', async () => {
    await using office = await openOfficeWithAda()
    const link = await office.shareForeign(office.eve)
    await office.call('POST', '/v1/ask', {}, { accessKey: link.key, wants: 'time' })
    const read = async () => ({
      links: await office.listNames('/v1/link', 'key'),
      asks: (await office.data('GET', '/v1/ask', office.kim)).length,
      stats: await office.data('GET', '/v1/stats', office.kim),
      activity: (await office.listNames('/v1/activity', 'company')).includes('Acme 2'),
      storage: (await office.data('GET', '/v1/dashboard', office.kim)).storage.total,
    })
    const own = { links: [], asks: 0, stats: { links: 0, directories: 2, files: 3 }, activity: false, storage: 1 }
    expect(await read()).toEqual(own)
    await office.give('selected', [office.globex])
    expect(await read()).toEqual({
      links: [link.key],
      asks: 1,
      stats: { links: 1, directories: 3, files: 4 },
      activity: true,
      storage: 2,
    })
    await office.give('own')
    expect(await read()).toEqual(own)
  })

  it('is needed by the owner of a link: without it, the link stops', async () => {
    await using office = await openOfficeWithAda()
    await office.give('selected', [office.globex])
    const link = await office.shareForeign(office.kim)
    const visitor = await office.enter(link)
    const getStatus = async () => (await office.call('GET', '/v1/access', visitor)).statusCode
    const getState = async () => (await office.data('GET', `/v1/link?search=${link.key}`, office.admin))[0].state
    expect([await getStatus(), await getState()]).toEqual([200, 'active'])
    await office.give('own')
    expect([await getStatus(), await getState()]).toEqual([401, 'owner_without_access'])
    await office.give('all')
    expect([await getStatus(), await getState()]).toEqual([200, 'active'])
  })

  it('is recorded in the activity, and requires existing companies', async () => {
    await using office = await openOfficeWithAda()
    expect((await office.give('selected', [office.globex, 'absent'])).json().code).toBe('company.not_found')
    await office.give('selected', [office.globex])
    const [entry] = await office.data('GET', '/v1/activity?action=user.access_changed', office.admin)
    expect(entry).toMatchObject({ name: 'kim@acme.example', note: 'own → selected (1)' })
    expect(await office.data('GET', '/v1/activity?action=user.access_changed&limit=5', office.admin)).toHaveLength(1)
  })
})

describe('the companies selected for a user', () => {
  it('are listed for admins, with search, sort order and pages', async () => {
    await using office = await openOfficeWithAda()
    const listNamesOf = (id: string, query = '') => office.listNames(`/v1/admin/company?user=${id}${query}`, 'name', office.admin)
    expect(await listNamesOf(office.kimId)).toEqual([])
    await addCompanies(office, 5)
    await office.give('selected', [office.globex, 'client3', 'client1', 'client4'])
    expect(await listNamesOf(office.kimId)).toEqual(['Acme 2', 'Acme GmbH', 'Client 1', 'Client 3', 'Client 4'])
    expect(await listNamesOf(office.kimId, '&search=CLIENT&sort=-name')).toEqual(['Client 1', 'Client 3', 'Client 4'])
    const first = await office.data('GET', `/v1/admin/company?user=${office.kimId}&sort=-name&limit=2`, office.admin)
    expect(first.map(({ name }: { name: string }) => name)).toEqual(['Client 4', 'Client 3'])
    expect(await listNamesOf(office.adaId)).toEqual([])
    expect(await listNamesOf('absent')).toEqual([])
    await office.give('all')
    expect(await listNamesOf(office.kimId)).toEqual([])
  })

  it('are listed for the user themselves, but not for other users', async () => {
    await using office = await openOfficeWithAda()
    const path = `/v1/admin/company?user=${office.kimId}`
    await office.give('selected', [office.globex])
    expect(await office.listNames(path, 'name', office.kim)).toEqual(['Acme 2', 'Acme GmbH'])
    for (const access of ['own', 'selected', 'all']) {
      const body = { access, companies: [office.globex] }
      await office.call('PATCH', `/v1/admin/user/${office.adaId}/access`, office.admin, body)
      expect((await office.call('GET', path, office.ada)).json(), access).toEqual({ data: [], next: null })
    }
  })

  it('are counted in the list of users for callers who see all companies', async () => {
    await using office = await openOfficeWithAda()
    const readCounts = async (who: typeof office.admin) =>
      (await office.data('GET', '/v1/admin/user?search=kim@', who)).map(
        (row: { other_companies?: number }) => row.other_companies,
      )
    await office.give('own')
    expect(await readCounts(office.admin)).toEqual([undefined])
    await office.give('selected')
    expect(await readCounts(office.admin)).toEqual([0])
    await office.give('selected', [office.globex, office.initech])
    expect(await readCounts(office.admin)).toEqual([2])
    expect(await readCounts(office.kim)).toEqual([undefined])
    const giveAda = (body: object) => office.call('PATCH', `/v1/admin/user/${office.adaId}/access`, office.admin, body)
    await giveAda({ access: 'selected', companies: [office.acme] })
    expect(await readCounts(office.ada)).toEqual([undefined])
    await giveAda({ access: 'all' })
    expect(await readCounts(office.ada)).toEqual([2])
    await office.give('all')
    expect(await readCounts(office.admin)).toEqual([undefined])
  })
})

describe('a user who loses access', () => {
  it('cannot continue a resumable upload', async () => {
    await using office = await openOfficeWithAda()
    await office.give('selected', [office.globex])
    const tus = { ...office.kim, 'tus-resumable': '1.0.0' }
    const metadata = `filename ${btoa('b.txt')},directory ${btoa(office.foreign)}`
    const created = await office.call('POST', '/v1/upload', { ...tus, 'upload-length': '4', 'upload-metadata': metadata })
    const send = (offset: number) =>
      office.app.inject({
        method: 'PATCH',
        url: new URL(String(created.headers['location']), 'http://x').pathname,
        headers: { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
        payload: 'ab',
      })
    expect((await send(0)).statusCode).toBe(204)
    await office.give('own')
    expect((await send(2)).json().code).toBe('directory.not_found')
    expect(await office.listNames('/v1/file', 'file_name', office.eve)).toEqual(['foreign.txt'])
  })

  it('cannot finish an upload that is being sent', async () => {
    await using office = await openOfficeWithAda()
    await office.give('selected', [office.globex])
    const origin = await office.listen()
    const upload = request(`${origin}/v1/file/${office.foreign}/b.txt`, {
      method: 'PUT',
      headers: { ...office.kim, 'content-type': 'multipart/form-data; boundary=x' },
    })
    const replied = new Promise<number | undefined>((resolve) =>
      upload.on('response', (reply) => resolve(reply.resume().statusCode)),
    )
    upload.write('--x\r\ncontent-disposition: form-data; name="file"; filename="b"\r\n\r\nhalf')
    await expect.poll(() => readdirSync(join(office.folder, 'tmp'))).toHaveLength(1) // the server is receiving
    await office.give('own')
    upload.end('\r\n--x--\r\n')
    expect(await replied).toBe(404)
    expect(await office.listNames('/v1/file', 'file_name', office.eve)).toEqual(['foreign.txt'])
  })

  it.each(['file', 'directory'] as const)('gets only the start of a %s that is being downloaded', async (kind) => {
    await using office = await openOfficeWithAda()
    await office.give('selected', [office.globex])
    const body = 'x'.repeat(24 * 1024 * 1024)
    const { id } = (await office.put(office.foreign, 'big.bin', office.eve, body)).json().data
    const origin = await office.listen()
    office.app.recheckIntervalMs = 50
    const path = kind === 'file' ? `/v1/file/${id}` : `/v1/directory/${office.foreign}/zip`
    const reply = await new Promise<IncomingMessage>((resolve) => get(origin + path, { headers: office.kim }, resolve))
    expect(reply.statusCode).toBe(200)
    await office.give('own')
    // The client has not read yet, so most bytes are still on the server when it closes the connection.
    await expect.poll(() => promisify(office.app.server.getConnections.bind(office.app.server))()).toBe(0)
    expect(await readToEnd(reply)).toBeLessThan(body.length)
    expect(reply.complete).toBe(false)
  })
})

async function addCompanies({ deps: { db } }: Awaited<ReturnType<typeof openOffice>>, count: number) {
  const created_at = '2026-01-01T00:00:00.000Z'
  const rows = Array.from({ length: count }, (_, i) => ({
    id: `client${i}`,
    name: `Client ${i}`,
    ...toNameColumns(`Client ${i}`),
    created_at,
  }))
  await db.insertInto('company').values(rows).execute()
}
