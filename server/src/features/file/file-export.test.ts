import { type IncomingMessage, request } from 'node:http'
import { api, type FileExportLine } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { requireStaff } from '../../lib/actor.ts'
import { newId } from '../../lib/secrets.ts'
import { openTree, type Tree } from '../directory/testing.ts'
import { findReader } from '../identity/ticket.service.ts'
import { openFileExport } from './file-export.service.ts'

const url = api.file.export.path

async function readLines(tree: Tree, query = '', who = tree.kim): Promise<FileExportLine[]> {
  const reply = await tree.call('GET', `${url}${query}`, who)
  expect(reply.statusCode).toBe(200)
  expect(reply.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
  return reply.body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** Returns the sorted paths, because directories that were created at the same time are exported in any order. */
const readPathsOf = async (...args: Parameters<typeof readLines>) => (await readLines(...args)).map(({ path }) => path).toSorted()

/** Adds copies of a file to its directory, without bytes. */
async function addCopies({ deps }: Tree, file: string, count: number) {
  const { seq: _, ...row } = await deps.db.selectFrom('file').selectAll().where('id', '=', file).executeTakeFirstOrThrow()
  const copies = Array.from({ length: count }, (_, n) => {
    const name = `copy ${String(n).padStart(6, '0')} ${'x'.repeat(200)}`
    return { ...row, id: newId(), name, name_key: name, name_order: name }
  })
  for (let i = 0; i < count; i += 500)
    await deps.db
      .insertInto('file')
      .values(copies.slice(i, i + 500))
      .execute()
}

describe('the export of the list of files', () => {
  it('has a line for each file, with its path', async () => {
    await using tree = await openTree()
    const folder = await tree.addFolder(tree.plans, '2026/Offers')
    const deep = await tree.upload(folder, 'deep.txt')
    expect(await readPathsOf(tree)).toEqual([
      ...['Other/hidden.txt', 'Plans/2026/Offers/deep.txt'],
      ...['Plans/first.txt', 'Plans/second.txt'],
    ])
    const { id, company, size, sha256, date_created } = deep
    const line = { id, company, path: 'Plans/2026/Offers/deep.txt', size, sha256, date_created }
    expect(await readLines(tree, `?directory=${folder}`)).toEqual([line])
  })

  it('has only the files in the requested directory and below, or of the requested company', async () => {
    await using tree = await openTree()
    const folder = await tree.addFolder(tree.plans, '2026')
    await tree.upload(await tree.addFolder(folder, 'Offers'), 'deep.txt')
    expect(await readPathsOf(tree, `?directory=${folder}`)).toEqual(['Plans/2026/Offers/deep.txt'])
    expect(await readPathsOf(tree, `?directory=${tree.plans}`)).toEqual([
      'Plans/2026/Offers/deep.txt',
      ...['Plans/first.txt', 'Plans/second.txt'],
    ])
    const { company } = await tree.readDirectory(tree.foreign, tree.eve)
    expect(await readPathsOf(tree, `?company=${company}`, tree.admin)).toEqual(['Foreign/foreign.txt'])
    expect(await readPathsOf(tree, `?company=${company}&directory=${tree.plans}`, tree.admin)).toEqual([])
    expect(await readPathsOf(tree, `?directory=${tree.foreign}`)).toEqual([])
  })

  it('leaves out the trash', async () => {
    await using tree = await openTree()
    const folder = await tree.addFolder(tree.other, '2026')
    await tree.upload(folder, 'deep.txt')
    await tree.send('DELETE', `/v1/file/${tree.first}`, tree.kim)
    await tree.send('DELETE', `/v1/directory/${folder}`, tree.kim)
    expect(await readPathsOf(tree)).toEqual(['Other/hidden.txt', 'Plans/second.txt'])
    expect(await readPathsOf(tree, `?directory=${folder}`)).toEqual([])
  })

  it('is complete with more files and directories than are read at a time', async () => {
    await using tree = await openTree()
    await addCopies(tree, tree.first, 2500)
    for (let i = 0; i < 3; i++) {
      const paths = Array.from({ length: 300 }, (_, n) => [`${i} ${n}`])
      await tree.send('POST', `/v1/directory/${tree.other}/folders`, tree.kim, { paths })
    }
    await tree.upload(await tree.addFolder(tree.other, '2 299'), 'last.txt')
    const paths = await readPathsOf(tree)
    expect(new Set(paths).size).toBe(2504)
    expect(paths).toHaveLength(2504)
    expect(paths).toContain('Other/2 299/last.txt')
  })

  it('omits the files of a company once access to it is lost', async () => {
    await using tree = await openTree()
    await addCopies(tree, tree.foreignFile, 2500)
    const setAccess = (access: string) => tree.send('PATCH', `/v1/admin/user/${tree.kimId}/access`, tree.admin, { access })
    await setAccess('all')
    using exported = openFileExport(tree.deps, await findKim(tree), {}, { isGone: () => false, isHead: false })
    const lines = exported.lines[Symbol.asyncIterator]()
    const readNext = async () => (await lines.next()).value ?? ''
    while (!(await readNext()).includes('Foreign/copy 000000'));
    await setAccess('own')
    for (let text = 'not empty'; text !== ''; text = await readNext()) expect(text).not.toContain('Foreign/')
  })

  it('is refused while two others run, until a client disconnects', async () => {
    await using tree = await openTree()
    await addCopies(tree, tree.first, 20_000) // more than the socket buffers hold for a client that does not read
    const address = await tree.listen()
    const opened = [await startExport(tree, address), await startExport(tree, address)]
    const refused = await startExport(tree, address)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10'])
    opened[0]?.destroy()
    await expect
      .poll(async () => {
        const reply = await startExport(tree, address)
        opened.push(reply)
        return reply.statusCode
      })
      .toBe(200)
    for (const reply of opened) reply.destroy()
  })

  it('sends only headers for a HEAD request', async () => {
    await using tree = await openTree()
    const reply = await tree.app.inject({ method: 'HEAD', url, headers: tree.kim })
    expect([reply.statusCode, reply.body]).toEqual([200, ''])
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="files-\d{4}-\d\d-\d\d\.ndjson"/)
  })
})

/** Starts an export without reading it. */
const startExport = ({ kim }: Tree, address: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request(address + url, { agent: false, headers: kim }, resolve)
      .once('error', reject)
      .end()
  })

async function findKim({ deps, kimId }: Tree) {
  const { id } = await deps.db.selectFrom('session').select('id').where('user_id', '=', kimId).executeTakeFirstOrThrow()
  const reader = await findReader(deps, { kind: 'staff', sessionId: id } as Parameters<typeof findReader>[1])
  return requireStaff(reader ?? { kind: 'anonymous' })
}
