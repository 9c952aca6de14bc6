import { describe, expect, it } from 'vitest'
import { readZip } from '../../lib/testing.ts'
import { writeQueuedEntries } from '../audit/audit.service.ts'
import { openTree } from '../directory/testing.ts'

/** Plans has first.txt, second.txt, the folder `a` with its folder `deep`, each with a file, and the folder `b` with first.txt. */
async function openChoice() {
  const tree = await openTree()
  const deep = await tree.addFolder(tree.plans, 'a/deep')
  const [a] = (await tree.data('GET', `/v1/directory?parent=${tree.plans}`, tree.kim)).map(({ id }: { id: string }) => id)
  const b = await tree.addFolder(tree.plans, 'b')
  const inA = (await tree.upload(a, 'in a.txt')).id
  const inDeep = (await tree.upload(deep, 'deep.txt')).id
  const sameName = (await tree.upload(b, 'first.txt')).id
  const choose = (body: object, who = tree.kim, directory = tree.plans) =>
    tree.send('POST', `/v1/directory/${directory}/ticket`, who, body)
  const list = async (body: object, who = tree.kim) => {
    const { data } = await choose(body, who)
    const { rawPayload: zip } = await tree.call('GET', data.url)
    return (await readZip({ length: zip.length, read: async (start, end) => zip.subarray(start, end) })).map(({ name }) => name)
  }
  return Object.assign(tree, { a, b, deep, inA, inDeep, sameName, choose, list })
}

describe('a ZIP of chosen files and folders', () => {
  it('contains the chosen files, and everything in the chosen folders', async () => {
    await using tree = await openChoice()
    expect(await tree.list({ files: [tree.second], directories: [tree.a] })).toEqual([
      'second.txt',
      'a/in a.txt',
      'a/deep/deep.txt',
    ])
    const rob = await tree.enter(await tree.share('LINK_DIRECTORY'))
    expect(await tree.list({ files: [tree.first, tree.sameName] }, rob)).toEqual(['first.txt', 'first (1).txt'])
    const shared = await tree.enter(await tree.shareFiles([tree.first, tree.inDeep, tree.second]))
    expect(await tree.list({ files: [tree.inDeep, tree.second] }, shared)).toEqual(['deep.txt', 'second.txt'])
    expect(await tree.list({ files: [], directories: [] }, shared)).toEqual(['deep.txt', 'first.txt', 'second.txt'])
    await writeQueuedEntries(tree.deps)
    const entries = await tree.deps.db.selectFrom('audit').select('note').where('action', '=', 'directory.downloaded').execute()
    const notes = entries.map(({ note }) => note) // entries are recorded after the downloads, in any order
    expect(notes.toSorted()).toEqual(['selection of 2', 'selection of 2', 'selection of 2', 'selection of 3'])
  })

  it('can be resumed, and can have up to 200 chosen items', async () => {
    await using tree = await openChoice()
    const folders = Array.from({ length: 199 }, (_, i) => [`folder ${i}`])
    const made = await tree.send('POST', `/v1/directory/${tree.plans}/folders`, tree.kim, { paths: folders })
    const directories = made.data.map(({ id }: { id: string }) => id)
    const { data } = await tree.choose({ directories, files: [tree.first] })
    const zip = (await tree.call('GET', data.url)).rawPayload
    const rest = await tree.call('GET', data.url, { range: 'bytes=100-' })
    expect([rest.statusCode, rest.rawPayload]).toEqual([206, zip.subarray(100)])
    expect((await tree.choose({ directories, files: [tree.first, tree.second] })).status).toBe(400)
    const longer = data.url.replace('.staff.', `~${tree.second}.staff.`)
    expect((await tree.call('GET', longer)).statusCode).toBe(404)
  })

  it('P64: is refused if anything chosen is outside the directory or the caller’s access', async () => {
    await using tree = await openChoice()
    const rob = await tree.enter(await tree.share('LINK_DIRECTORY', { directory: tree.a }))
    const shared = await tree.enter(await tree.shareFiles([tree.first, tree.inA]))
    const expectNone = async (body: object, who = tree.kim, directory = tree.plans) =>
      expect((await tree.choose(body, who, directory)).status, JSON.stringify(body)).toBe(404)
    for (const id of [tree.hidden, tree.foreignFile, 'absent', tree.plans]) await expectNone({ files: [tree.first, id] })
    for (const id of [tree.other, tree.foreign, 'absent', tree.plans]) await expectNone({ directories: [id] })
    await expectNone({ files: [tree.first] }, tree.eve)
    await expectNone({ files: [tree.first] }, tree.kim, tree.a)
    for (const body of [
      { files: [tree.first] },
      { directories: [tree.b] },
      { directories: [tree.plans] },
      { files: [tree.sameName] },
    ])
      await expectNone(body, rob, tree.a)
    for (const body of [
      { files: [tree.second] },
      { files: [tree.inA, tree.inDeep] },
      { directories: [tree.a] },
      { files: [tree.plans] },
    ])
      await expectNone(body, shared)
    await expectNone({ files: [tree.first] }, shared, tree.a)
    const file = await tree.enter(await tree.share('LINK_FILE'))
    expect((await tree.choose({ files: [tree.first] }, file)).status).toBe(403)
  })

  it('is refused once a chosen file is in the trash or out of reach', async () => {
    await using tree = await openChoice()
    const rob = await tree.enter(await tree.share('LINK_DIRECTORY', { directory: tree.a }))
    const url = (await tree.choose({ files: [tree.inA], directories: [tree.deep] }, rob, tree.a)).data.url
    const own = (await tree.choose({ files: [tree.inA, tree.first] })).data.url
    expect((await tree.call('GET', url)).statusCode).toBe(200)
    await tree.move({ files: [tree.inA], to: tree.b })
    expect([(await tree.call('GET', url)).statusCode, (await tree.call('GET', own)).statusCode]).toEqual([404, 200])
    await tree.call('DELETE', `/v1/file/${tree.inA}`, tree.kim)
    expect((await tree.call('GET', own)).statusCode).toBe(404)
  })
})
