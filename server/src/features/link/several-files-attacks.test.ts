import { Agent, get, type IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openTree } from '../directory/testing.ts'
import { readToEnd } from './testing.ts'

/** Plans has first.txt, second.txt, and the folder `sub` with deep.txt. Kim shares the first and the deep one with Rob. */
async function openSelection() {
  const tree = await openTree()
  const sub = await tree.addFolder(tree.plans, 'sub')
  const deep = (await tree.upload(sub, 'deep.txt')).id
  const rob = await tree.enter(await tree.shareFiles([tree.first, deep]))
  return Object.assign(tree, { sub, deep, rob })
}

type Selection = Awaited<ReturnType<typeof openSelection>>

const statusOf = async (reply: ReturnType<Selection['call']>) => (await reply).statusCode

/** Makes every call for recipients that has the id of a file in its path. Returns the statuses. */
const tryFile = ({ call, rob }: Selection, id: string) =>
  Promise.all([
    statusOf(call('GET', `/v1/file/${id}`, rob)),
    statusOf(call('GET', `/v1/file/${id}`, { ...rob, range: 'bytes=0-1' })),
    statusOf(call('HEAD', `/v1/file/${id}`, rob)),
    statusOf(call('POST', `/v1/file/${id}/ticket`, rob)),
    statusOf(call('POST', `/v1/file/${id}/preview`, rob)),
  ])

describe('P62: a recipient of several files', () => {
  it('reaches no other file by its id, no folder and no trash', async () => {
    await using office = await openSelection()
    const { call, rob, plans, sub, other, foreign } = office
    for (const id of [office.second, office.hidden, office.foreignFile, 'absent']) {
      expect(new Set(await tryFile(office, id))).toEqual(new Set([404]))
      expect(await statusOf(call('POST', `/v1/directory/${plans}/ticket`, rob, { files: [id] })), id).toBe(404)
    }
    expect(new Set(await tryFile(office, office.first))).toEqual(new Set([200, 206]))
    for (const id of [plans, sub, other, foreign, 'absent']) {
      expect(await statusOf(call('GET', `/v1/directory/${id}`, rob)), id).toBe(404)
      for (const query of [`file?directory=${id}`, `file?search=txt&directory=${id}`, `directory?parent=${id}`])
        expect(await office.data('GET', `/v1/${query}`, rob), query).toEqual([])
      // The id of the link’s own directory is the id of the ZIP with all shared files.
      if (id !== plans)
        for (const reply of [call('GET', `/v1/directory/${id}/zip`, rob), call('POST', `/v1/directory/${id}/ticket`, rob)])
          expect(await statusOf(reply)).toBe(404)
      expect(await statusOf(office.put(id, 'new.txt', rob))).toBe(403)
      expect(await statusOf(call('POST', `/v1/directory/${id}/folders`, rob, { paths: [['x']] }))).toBe(403)
    }
    for (const query of ['directory', 'directory?folders=true', 'directory?search=sub', 'file?search=second', 'file?kind=image'])
      expect(await office.data('GET', `/v1/${query}`, rob), query).toEqual([])
    for (const query of ['file?trash=true', 'directory?trash=true'])
      expect(await statusOf(call('GET', `/v1/${query}`, rob)), query).toBe(403)
    expect(await office.listFiles('?search=e', rob)).toEqual(['deep.txt'])
  })

  it('sees neither the name of a folder nor the number of versions', async () => {
    await using office = await openSelection()
    const { call, rob } = office
    const { directory_id } = await office.data('GET', '/v1/access', rob)
    const replies = [
      await call('GET', '/v1/access', rob),
      await call('GET', '/v1/file', rob),
      await call('GET', `/v1/directory/${directory_id}/zip`, rob),
    ]
    for (const { body, headers } of replies) expect(`${body} ${JSON.stringify(headers)}`).not.toMatch(/Plans|sub|"versions"/)
  })

  it('can’t use tickets or ZIPs for deleted files, nor a ticket of another link', async () => {
    await using office = await openSelection()
    const { call, data, rob, kim, plans } = office
    const tickets: string[] = [
      (await data('POST', `/v1/file/${office.deep}/ticket`, rob)).url,
      (await data('POST', `/v1/file/${office.deep}/preview`, rob)).url,
    ]
    const zip = (await data('POST', `/v1/directory/${plans}/ticket`, rob)).url
    expect(await Promise.all([...tickets, zip].map((url) => statusOf(call('GET', url))))).toEqual([200, 200, 200])
    await office.move({ files: [office.deep], to: office.other })
    expect(await statusOf(call('GET', tickets[0] ?? ''))).toBe(200)
    await call('POST', '/v1/file/delete', kim, { ids: [office.deep] })
    expect(await Promise.all(tickets.map((url) => statusOf(call('GET', url))))).toEqual([404, 404])
    expect((await call('GET', zip)).body).not.toContain('deep.txt')
    // A ticket for the whole directory, with another visit as its holder: the signature doesn't match.
    const colleague = await office.enter(await office.share('LINK_DIRECTORY'))
    const whole: string = (await data('POST', `/v1/directory/${plans}/ticket`, colleague)).url
    const [mine, theirs] = [zip.split('.'), whole.split('.')]
    expect(await statusOf(call('GET', [...theirs.slice(0, 3), mine[3], ...theirs.slice(4)].join('.')))).toBe(404)
    await call('POST', '/v1/file/delete', kim, { ids: [office.first] })
    expect(await statusOf(call('GET', zip))).toBe(404)
  })

  it('loses a running download of a file that is moved to another company', async () => {
    await using office = await openSelection()
    const origin = await office.listen()
    office.app.recheckIntervalMs = 50
    await office.giveAccess({ access: 'all' })
    const size = 24 * 2 ** 20
    const large = (await office.put(office.plans, 'large.bin', office.kim, 'x'.repeat(size))).json().data.id
    const rob = await office.enter(await office.shareFiles([large, office.first]))
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${origin}/v1/file/${large}`, { headers: rob, agent: new Agent() }, resolve).on('error', reject)
    })
    await office.move({ files: [large], to: office.foreign })
    await expect.poll(() => promisify(office.app.server.getConnections.bind(office.app.server))()).toBe(0)
    expect(await readToEnd(reply)).toBeLessThan(size)
  })
})

describe('P63: a link to several files', () => {
  it('is refused for what it can’t share, and says why', async () => {
    await using office = await openSelection()
    const { first, second, deep, plans, sub } = office
    const create = async (body: object, directory = plans) => {
      const { key, accessCode } = await office.reserve(office.kim, directory)
      const link = { linkType: 'LINK_FILE', directory, key, accessCode, expiry: office.inDays(9), ...body }
      const { status, code, errors } = await office.send('POST', '/v1/link', office.kim, link)
      return [status, errors?.[0]?.field ?? code]
    }
    const files = [first, second]
    expect(await create({ files, version: first })).toEqual([400, 'version'])
    expect(await create({ files, file: first })).toEqual([400, 'files'])
    expect(await create({ files, directory: undefined })).toEqual([400, 'directory'])
    expect(await create({ files: [] })).toEqual([400, 'files'])
    expect(await create({ files: Array.from({ length: 501 }, (_, i) => `file${i}`) })).toEqual([400, 'files'])
    for (const linkType of ['LINK_DIRECTORY', 'LINK_EDITABLE_DIRECTORY'])
      expect(await create({ files, linkType })).toEqual([400, 'files'])
    // Files of another directory, another company, in the trash, or that don’t exist.
    expect(await create({ files: [deep, first] }, sub)).toEqual([404, 'file.not_found'])
    for (const id of [office.hidden, office.foreignFile, 'absent', plans])
      expect(await create({ files: [first, id] })).toEqual([404, 'file.not_found'])
    await office.call('POST', '/v1/file/delete', office.kim, { ids: [second] })
    expect(await create({ files })).toEqual([404, 'file.not_found'])
    expect(await create({ files: [first] }, office.other)).toEqual([404, 'file.not_found'])
    expect(await create({ files: [first], directory: sub })).toEqual([404, 'file.not_found'])
    expect(await office.deps.db.selectFrom('link_file').selectAll().execute()).toHaveLength(2)
  })

  it('is found by nobody outside its company', async () => {
    await using office = await openSelection()
    expect(await office.data('GET', `/v1/link?file=${office.deep}`, office.eve)).toEqual([])
    const body = { files: [office.first, office.deep] }
    expect((await office.data('POST', '/v1/link/affected', office.eve, body)).count).toBe(0)
    expect((await office.data('POST', '/v1/link/affected', office.kim, body)).count).toBe(1)
  })
})
