import { describe, expect, it } from 'vitest'
import { openTree, type Tree } from '../directory/testing.ts'
import { checkFiles, type Finding } from '../integrity/integrity.service.ts'

async function findFaults({ deps }: Tree): Promise<Finding[]> {
  const found: Finding[] = []
  await checkFiles(deps, { isScrub: false, isRepair: false, isAlone: false, report: (finding) => void found.push(finding) })
  return found
}

describe('a move', () => {
  it('moves files and folders, and returns where they were, so that it can be undone', async () => {
    await using tree = await openTree()
    const a = await tree.addFolder(tree.plans, 'a')
    const inner = await tree.addFolder(a, 'inner')
    await tree.upload(inner, 'deep.txt')
    const { status, data } = await tree.move({ files: [tree.first], directories: [a], to: tree.other })
    expect(status).toBe(200)
    expect(data).toEqual({ files: [{ id: tree.first, from: tree.plans }], directories: [{ id: a, from: tree.plans }] })
    expect(await tree.pathOf(inner)).toBe('Other/a/inner')
    expect(await tree.listFiles(`?directory=${tree.other}&sort=name`)).toEqual(['first.txt', 'hidden.txt'])
    expect((await tree.readTotals(tree.plans)).files).toBe(1)
    expect((await tree.readTotals(tree.other)).files).toBe(3)
    await tree.move({ files: [tree.first], directories: [a], to: tree.plans })
    expect(await tree.pathOf(inner)).toBe('Plans/a/inner')
    expect((await tree.readTotals(tree.plans)).files).toBe(3)
    expect(await findFaults(tree)).toEqual([])
  })

  it('adds a number to names that are taken', async () => {
    await using tree = await openTree()
    const [a, file] = [await tree.addFolder(tree.plans, 'a.b'), await tree.upload(tree.plans, 'hidden.txt')]
    await tree.addFolder(tree.other, 'A.B')
    await tree.share('LINK_DIRECTORY', { directory: a })
    await tree.move({ files: [file.id], directories: [a], to: tree.other })
    expect(await tree.listFolders(`?parent=${tree.other}`)).toEqual(['A.B', 'a.b (1)'])
    expect(await tree.listFiles(`?directory=${tree.other}&sort=name`)).toEqual(['hidden (1).txt', 'hidden.txt'])
    expect((await tree.data('GET', '/v1/link', tree.kim))[0]).toMatchObject({ name: 'a.b (1)', state: 'active' })
  })

  it('is rejected into the folder itself or below it, and for a top-level directory', async () => {
    await using tree = await openTree()
    const a = await tree.addFolder(tree.plans, 'a')
    const inner = await tree.addFolder(a, 'b/c')
    expect((await tree.move({ directories: [a], to: a })).code).toBe('move.into_itself')
    expect((await tree.move({ directories: [a], to: inner })).code).toBe('move.into_itself')
    expect((await tree.move({ directories: [tree.plans], to: tree.other })).code).toBe('directory.top_level')
    expect((await tree.move({ directories: [tree.plans], to: inner })).code).toBe('directory.top_level')
  })

  it('moves nothing if one item can’t be moved', async () => {
    await using tree = await openTree()
    const a = await tree.addFolder(tree.plans, 'a')
    expect((await tree.move({ files: [tree.first, 'missing'], directories: [a], to: tree.other })).code).toBe('file.not_found')
    expect((await tree.move({ files: [tree.first], directories: ['missing'], to: tree.other })).code).toBe('directory.not_found')
    expect((await tree.move({ files: [tree.first, tree.foreignFile], to: tree.other })).code).toBe('file.not_found')
    expect((await tree.move({ files: [tree.first], to: tree.foreign })).code).toBe('directory.not_found')
    expect((await tree.move({ files: [], to: tree.other })).status).toBe(400)
    expect(await tree.listFiles(`?directory=${tree.plans}&sort=name`)).toEqual(['first.txt', 'second.txt'])
    expect(await tree.pathOf(a)).toBe('Plans/a')
  })

  it('lets exactly one of two opposite moves succeed', async () => {
    await using tree = await openTree()
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await tree.addFolder(tree.plans, `a${round}`), await tree.addFolder(tree.plans, `b${round}`)]
      const replies = await Promise.all([tree.move({ directories: [a], to: b }), tree.move({ directories: [b], to: a })])
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    }
    const [a, b] = [await tree.addFolder(tree.plans, 'x'), await tree.addFolder(tree.other, 'y')]
    const replies = await Promise.all([tree.move({ directories: [a], to: b }), tree.move({ directories: [b], to: a })])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await findFaults(tree)).toEqual([])
  })

  it('moves a folder and a folder inside it in the same call', async () => {
    await using tree = await openTree()
    const a = await tree.addFolder(tree.plans, 'a')
    const b = await tree.addFolder(a, 'b')
    await tree.upload(b, 'x.txt')
    await tree.move({ directories: [a, b], to: tree.other })
    expect(await tree.listFolders(`?parent=${tree.other}`)).toEqual(['a', 'b'])
    expect(await findFaults(tree)).toEqual([])
  })

  it('includes what is in the trash below the folder', async () => {
    await using tree = await openTree()
    const a = await tree.addFolder(tree.plans, 'a')
    const trashed = await tree.addFolder(a, 'trashed')
    await tree.upload(trashed, 'x.txt')
    await tree.send('DELETE', `/v1/directory/${trashed}`, tree.kim)
    await tree.move({ directories: [a], to: await tree.addFolder(tree.other, 'deeper') })
    await tree.send('POST', `/v1/directory/${trashed}/restore`, tree.kim)
    expect(await tree.pathOf(trashed)).toBe('Other/deeper/a/trashed')
    expect(await findFaults(tree)).toEqual([])
  })

  it('is rejected if folders would be nested too deeply or their paths too long', async () => {
    await using tree = await openTree()
    const deep = await tree.addFolder(tree.plans, Array.from({ length: 31 }, (_, i) => `${i}`).join('/'))
    const a = await tree.addFolder(tree.other, 'a')
    await tree.addFolder(a, 'b')
    expect((await tree.move({ directories: [a], to: deep })).code).toBe('folder.too_deep')
    const long = await tree.addFolder(tree.plans, Array.from({ length: 4 }, () => 'x'.repeat(247)).join('/'))
    expect((await tree.move({ directories: [a], to: long })).code).toBe('folder.path_too_long')
  })

  it('is in the audit log with both paths', async () => {
    await using tree = await openTree()
    const a = await tree.addFolder(tree.plans, 'a')
    await tree.move({ files: [tree.first], directories: [a], to: tree.other })
    const entries = await tree.data('GET', '/v1/activity?limit=2', tree.kim)
    expect(entries.map(({ action, name, note }: Record<string, string>) => [action, name, note])).toEqual([
      ['file.moved', 'first.txt', 'from Plans to Other'],
      ['directory.moved', 'a', 'from Plans to Other'],
    ])
  })
})

describe('a move during an upload or a visit', () => {
  it('lets the upload finish in the folder’s new location', async () => {
    await using tree = await openTree()
    const a = await tree.addFolder(tree.plans, 'a')
    const encode = (text: string) => Buffer.from(text).toString('base64')
    const tus = { ...tree.kim, 'tus-resumable': '1.0.0' }
    const metadata = `filename ${encode('t.txt')},directory ${encode(a)}`
    const begun = await tree.call('POST', '/v1/upload', { ...tus, 'upload-length': '3', 'upload-metadata': metadata })
    await tree.move({ directories: [a], to: tree.other })
    const headers = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const sent = await tree.app.inject({ method: 'PATCH', url: String(begun.headers.location), headers, payload: 'abc' })
    expect(sent.statusCode).toBe(204)
    expect(await tree.listFiles(`?directory=${a}`)).toEqual(['t.txt'])
    expect((await tree.readTotals(tree.other)).files).toBe(2)
    expect(await findFaults(tree)).toEqual([])
  })

  it('keeps file links and their tickets working', async () => {
    await using tree = await openTree()
    const rob = await tree.enter(await tree.share('LINK_FILE'))
    const { url } = await tree.data('POST', `/v1/file/${tree.first}/ticket`, rob)
    await tree.move({ files: [tree.first], to: tree.other })
    expect((await tree.call('GET', url)).body).toBe('first.txt')
  })
})

describe('a move to another company', () => {
  it('moves bytes, totals and links, for callers with access to both', async () => {
    await using tree = await openTree()
    const a = await tree.addFolder(tree.plans, 'a')
    const { id } = await tree.upload(await tree.addFolder(a, 'b'), '12345')
    const { id: trashed } = await tree.upload(a, 'in the trash')
    await tree.send('DELETE', `/v1/file/${trashed}`, tree.kim)
    await tree.share('LINK_DIRECTORY', { directory: a })
    await tree.share('LINK_FILE')
    expect((await tree.move({ directories: [a], to: tree.foreign }, tree.eve)).code).toBe('directory.not_found')
    const bytesOf = async (who: Record<string, string>) =>
      (await tree.data('GET', `/v1/company/${await tree.companyOf(who)}`, tree.admin)).bytes
    const before = { kim: await bytesOf(tree.kim), eve: await bytesOf(tree.eve) }
    const moved = await tree.move({ directories: [a], files: [tree.first], to: tree.foreign }, tree.admin)
    expect(moved.status).toBe(200)
    const bytes = '12345'.length + 'in the trash'.length + 'first.txt'.length
    expect([await bytesOf(tree.kim), await bytesOf(tree.eve)]).toEqual([before.kim - bytes, before.eve + bytes])
    const links = (await tree.data('GET', '/v1/link', tree.admin)) as { company: string }[]
    expect(links.map(({ company }) => company)).toEqual(Array(2).fill(await tree.companyOf(tree.eve)))
    expect((await tree.send('POST', `/v1/file/${id}/ticket`, tree.kim)).status).toBe(404)
    expect((await tree.send('POST', `/v1/file/${id}/ticket`, tree.eve)).status).toBe(200)
    expect(await findFaults(tree)).toEqual([])
  })

  it('includes the earlier versions of files', async () => {
    await using tree = await openTree()
    const a = await tree.addFolder(tree.plans, 'a')
    for (const [folder, text] of [
      [a, '1'],
      [a, '22'],
      [tree.plans, '333'],
      [tree.plans, '4444'],
    ] as const)
      await tree.put(folder, 'versions.txt', tree.kim, text, '?conflict=replace')
    const [file] = await tree.data('GET', `/v1/file?directory=${tree.plans}&sort=-name`, tree.kim)
    const moved = await tree.move({ directories: [a], files: [file.id], to: tree.foreign }, tree.admin)
    expect(moved.status).toBe(200)
    expect(await findFaults(tree)).toEqual([])
  })

  it('counts a file once if the folder that it is in is moved, too', async () => {
    await using tree = await openTree()
    const a = await tree.addFolder(tree.plans, 'a')
    const { id } = await tree.upload(a, '12345')
    await tree.share('LINK_FILE', { file: id, directory: a })
    const moved = await tree.move({ directories: [a], files: [id], to: tree.foreign }, tree.admin)
    expect(moved.status).toBe(200)
    expect(await tree.listFiles(`?directory=${tree.foreign}`, tree.eve)).toContain('12345')
    expect(await findFaults(tree)).toEqual([])
  })

  it('stops the links of owners without access to it, which are listed as affected beforehand', async () => {
    await using tree = await openTree()
    const a = await tree.addFolder(tree.plans, 'a')
    const link = await tree.share('LINK_EDITABLE_DIRECTORY', { directory: a })
    const rob = await tree.enter(link)
    const ask = (body: object) => tree.send('POST', '/v1/link/affected', tree.admin, body)
    expect((await ask({ directories: [a], to: tree.other })).data.count).toBe(0)
    expect((await ask({ directories: [a], to: tree.foreign })).data.count).toBe(1)
    await tree.move({ directories: [a], to: tree.foreign }, tree.admin)
    expect((await tree.data('GET', '/v1/link', tree.admin))[0].state).toBe('owner_without_access')
    expect((await tree.call('GET', '/v1/file', rob)).statusCode).toBe(401)
    expect(await tree.data('GET', '/v1/link', tree.kim)).toEqual([])
    await tree.giveAccess({ access: 'all' })
    expect((await tree.call('GET', '/v1/file', rob)).statusCode).toBe(200)
  })

  it('is rejected if it would exceed the quota of that company, and then moves nothing', async () => {
    await using tree = await openTree()
    const a = await tree.addFolder(tree.plans, 'a')
    await tree.upload(a, '1234567890')
    const company = await tree.companyOf(tree.eve)
    await tree.send('PATCH', `/v1/admin/company/${company}`, tree.admin, { quota: 15 })
    expect((await tree.move({ directories: [a], to: tree.foreign }, tree.admin)).code).toBe('company.full')
    expect(await tree.pathOf(a)).toBe('Plans/a')
    expect(await findFaults(tree)).toEqual([])
  })

  it('hides the folders of one company from people of the other in the activity list', async () => {
    await using tree = await openTree()
    const a = await tree.addFolder(tree.plans, 'a')
    await tree.move({ directories: [a], to: tree.foreign }, tree.admin)
    const noteFor = async (who: Record<string, string>) => (await tree.data('GET', '/v1/activity?limit=1', who))[0].note
    expect(await noteFor(tree.kim)).toBe('from Plans to another company')
    expect(await noteFor(tree.eve)).toBe('from another company to Foreign')
  })
})
