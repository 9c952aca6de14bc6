import { describe, expect, it } from 'vitest'
import { openFileOffice } from '../file/testing.ts'
import { checkFiles, type Finding } from '../integrity/integrity.service.ts'
import { dayMs } from '../link/testing.ts'
import { emptyTrash } from '../trash/trash.service.ts'
import { openTree, type Tree } from './testing.ts'

/** Returns what fsck finds wrong. */
async function findFaults({ deps }: Tree): Promise<Finding[]> {
  const found: Finding[] = []
  await checkFiles(deps, { isScrub: false, isRepair: false, isAlone: false, report: (finding) => void found.push(finding) })
  return found
}

describe('a directory', () => {
  it('has a unique name per company, ignoring case, and can be renamed', async () => {
    await using server = await openFileOffice()
    const create = (directory: string) => server.json(server.kim, 'POST', '/v1/directory', { directory, client: server.company })
    expect(await create('PLANS')).toMatchObject({ status: 409, code: 'directory.name_taken' })
    expect((await create('a/b')).errors).toEqual([{ field: 'directory', message: expect.stringContaining('slash') }])
    const { data } = await create('  Drawings ')
    expect(data.directory).toBe('Drawings')
    const renamed = await server.json(server.kim, 'PATCH', `/v1/directory/${data.id}`, { directory: 'Sketches' })
    expect(renamed.data.directory).toBe('Sketches')
    const { company } = (await server.json(server.eve, 'GET', '/v1/identity')).data
    expect(await server.json(server.kim, 'POST', '/v1/directory', { directory: 'X', client: company })).toMatchObject({
      status: 404,
    })
  })
})

describe('a folder', () => {
  it('is created, listed, read and renamed like a directory', async () => {
    await using tree = await openTree()
    const created = await tree.send('POST', '/v1/directory', tree.kim, { directory: 'Drafts', parent: tree.plans })
    expect(created.data).toMatchObject({ directory: 'Drafts', parent: tree.plans, path: [{ id: tree.plans, name: 'Plans' }] })
    const inner = await tree.addFolder(created.data.id, 'Old')
    expect(await tree.listFolders(`?parent=${tree.plans}`)).toEqual(['Drafts'])
    expect(await tree.listFolders('')).toEqual(['Other', 'Plans'])
    expect(await tree.listFolders('?folders=true')).toEqual(['Drafts', 'Old', 'Other', 'Plans'])
    expect(await tree.listFolders(`?folders=true&parent=${tree.plans}`)).toEqual(['Drafts', 'Old'])
    expect(await tree.listFolders('?folders=true&search=ol')).toEqual(['Old'])
    await tree.send('PATCH', `/v1/directory/${created.data.id}`, tree.kim, { directory: 'Sketches' })
    expect(await tree.pathOf(inner)).toBe('Plans/Sketches/Old')
    expect((await tree.readCompanyTotals())['directories']).toBe(2)
  })

  it('lists its own files, and finds those below it', async () => {
    await using tree = await openTree()
    const inner = await tree.addFolder(tree.plans, 'a/b')
    const file = await tree.upload(inner, 'inner.txt')
    expect(file).toMatchObject({ directory: 'b', directory_id: inner })
    expect(file.path.map(({ name }) => name)).toEqual(['Plans', 'a'])
    expect(await tree.listFiles(`?directory=${tree.plans}&sort=name`)).toEqual(['first.txt', 'second.txt'])
    expect(await tree.listFiles(`?directory=${tree.plans}&search=inner`)).toEqual(['inner.txt'])
    expect(await tree.listFiles(`?directory=${tree.other}&search=inner`)).toEqual([])
    expect(await tree.listFiles('?search=inner')).toEqual(['inner.txt'])
  })

  it('adds its files to the totals of all directories that contain it', async () => {
    await using tree = await openTree()
    const inner = await tree.addFolder(tree.plans, 'a/b')
    const before = await tree.readTotals(tree.plans)
    const { id } = await tree.upload(inner, '12345')
    expect(await tree.readTotals(tree.plans)).toEqual({ files: before.files + 1, size: before.size + 5 })
    expect(await tree.readTotals(inner)).toEqual({ files: 1, size: 5 })
    await tree.send('DELETE', `/v1/file/${id}`, tree.kim)
    expect(await tree.readTotals(tree.plans)).toEqual(before)
    expect(await findFaults(tree)).toEqual([])
  })

  it('has a name that no other file or folder in the same directory has, ignoring case', async () => {
    await using tree = await openTree()
    const create = (directory: string) => tree.send('POST', '/v1/directory', tree.kim, { directory, parent: tree.plans })
    expect((await create('FIRST.txt')).code).toBe('directory.name_taken')
    await create('Drafts')
    expect((await create('drafts')).code).toBe('directory.name_taken')
    expect((await tree.upload(tree.plans, 'drafts')).file_name).toBe('drafts (1)')
    expect((await tree.upload(tree.plans, 'Drafts', '?conflict=replace')).file_name).toBe('Drafts (2)')
    expect((await tree.send('PATCH', `/v1/file/${tree.first}`, tree.kim, { file_name: 'DRAFTS' })).code).toBe('file.name_taken')
    expect((await create('Drafts').then(() => tree.addFolder(tree.other, 'Drafts'))).length).toBeGreaterThan(0)
  })

  it('can be at most 32 levels deep, with a path of at most 1,000 characters', async () => {
    await using tree = await openTree()
    const names = Array.from({ length: 32 }, (_, i) => `${i}`)
    const deepest = await tree.addFolder(tree.plans, names.join('/'))
    const create = (parent: string, directory: string) => tree.send('POST', '/v1/directory', tree.kim, { directory, parent })
    expect((await create(deepest, 'x')).code).toBe('folder.too_deep')
    expect((await tree.send('POST', `/v1/directory/${deepest}/folders`, tree.kim, { paths: [['x']] })).code).toBe(
      'folder.too_deep',
    )
    const long = await tree.addFolder(tree.other, Array.from({ length: 4 }, () => 'x'.repeat(240)).join('/'))
    expect((await create(long, 'x'.repeat(40))).code).toBe('folder.path_too_long')
    expect((await create(long, 'x')).status).toBe(200)
    const renamed = await tree.send('PATCH', `/v1/directory/${tree.other}`, tree.kim, { directory: 'x'.repeat(100) })
    expect(renamed.code).toBe('folder.path_too_long')
  })
})

describe('POST /v1/directory/{id}/folders', () => {
  it('finds or creates folders, and returns the same ones when repeated', async () => {
    await using tree = await openTree()
    const paths = [['a', 'b'], ['A', 'c'], ['a'], ['ａ']]
    const send = () => tree.send('POST', `/v1/directory/${tree.plans}/folders`, tree.kim, { paths })
    const { data } = await send()
    expect(data.map(({ path }: { path: string[] }) => path.join('/'))).toEqual(['a/b', 'a/c', 'a', 'ａ'])
    expect((await send()).data).toEqual(data)
    expect(await tree.listFolders(`?parent=${tree.plans}`)).toEqual(['a', 'ａ'])
  })

  it('gives a folder a number if a file has its name, and finds this folder again', async () => {
    await using tree = await openTree()
    const paths = [['first.txt', 'x'], ['first.txt (1)'], ['first.txt', 'y']]
    const send = () => tree.send('POST', `/v1/directory/${tree.plans}/folders`, tree.kim, { paths })
    const { data } = await send()
    expect(data.map(({ path }: { path: string[] }) => path.join('/'))).toEqual([
      'first.txt (1)/x',
      'first.txt (1)',
      'first.txt (1)/y',
    ])
    expect((await send()).data).toEqual(data)
  })

  it('rejects names that a folder can’t have', async () => {
    await using tree = await openTree()
    for (const name of ['..', 'a/b', ' ', 'a\\b'])
      expect((await tree.send('POST', `/v1/directory/${tree.plans}/folders`, tree.kim, { paths: [[name]] })).status).toBe(400)
  })
})

describe('an upload with a path', () => {
  it('goes to the folder, which is created if it does not exist', async () => {
    await using tree = await openTree()
    const first = await tree.upload(tree.plans, 'a.txt', `?path=${encodeURIComponent('März 2026/Belege')}`)
    const second = await tree.upload(tree.plans, 'b.txt', `?path=${encodeURIComponent('märz 2026/BELEGE')}`)
    expect(second.directory_id).toBe(first.directory_id)
    expect(await tree.pathOf(first.directory_id)).toBe('Plans/März 2026/Belege')
    expect((await tree.put(tree.plans, 'c.txt', tree.kim, 'x', '?path=a//b')).json().code).toBe('file.name_invalid')
    expect((await tree.put(tree.plans, 'c.txt', tree.kim, 'x', '?path=..')).json().code).toBe('file.name_invalid')
  })

  it('goes to the folder if it uses tus', async () => {
    await using tree = await openTree()
    const encode = (text: string) => Buffer.from(text).toString('base64')
    const metadata = `filename ${encode('a.txt')},directory ${encode(tree.plans)},path ${encode('x/y')}`
    const headers = { ...tree.kim, 'tus-resumable': '1.0.0', 'upload-length': '0', 'upload-metadata': metadata }
    expect((await tree.call('POST', '/v1/upload', headers)).statusCode).toBe(201)
    expect(await tree.listFiles(`?directory=${await tree.addFolder(tree.plans, 'x/y')}`)).toEqual(['a.txt'])
  })
})

describe('a folder in the trash', () => {
  it('hides everything below it, and is listed as a single item', async () => {
    await using tree = await openTree()
    const outer = await tree.addFolder(tree.plans, 'outer')
    const inner = await tree.addFolder(outer, 'inner')
    const { id } = await tree.upload(inner, 'deep.txt')
    const before = (await tree.readCompanyTotals())['files'] ?? 0
    await tree.send('DELETE', `/v1/directory/${outer}`, tree.kim)
    expect(await tree.listFolders('?trash=true')).toEqual(['outer'])
    expect((await tree.send('GET', `/v1/directory/${inner}`, tree.kim)).status).toBe(404)
    expect((await tree.send('POST', `/v1/file/${id}/ticket`, tree.kim)).status).toBe(404)
    expect(await tree.listFiles('?search=deep')).toEqual([])
    expect((await tree.readTotals(tree.plans)).files).toBe(2)
    expect((await tree.readCompanyTotals())['files']).toBe(before - 1)
    expect((await tree.send('POST', `/v1/directory/${inner}/restore`, tree.kim)).status).toBe(404)
    await tree.send('POST', `/v1/directory/${outer}/restore`, tree.kim)
    expect(await tree.pathOf(inner)).toBe('Plans/outer/inner')
    expect((await tree.readTotals(tree.plans)).files).toBe(3)
    expect((await tree.readCompanyTotals())['files']).toBe(before)
    expect(await findFaults(tree)).toEqual([])
  })

  it('gets a number when it is restored and its name is taken', async () => {
    await using tree = await openTree()
    const folder = await tree.addFolder(tree.plans, 'v1.2')
    await tree.send('DELETE', `/v1/directory/${folder}`, tree.kim)
    await tree.addFolder(tree.plans, 'V1.2')
    expect((await tree.send('POST', `/v1/directory/${folder}/restore`, tree.kim)).data.directory).toBe('v1.2 (1)')
  })

  it('is restored into the nearest directory that is not in the trash', async () => {
    await using tree = await openTree()
    const outer = await tree.addFolder(tree.plans, 'outer')
    const inner = await tree.addFolder(outer, 'middle/inner')
    const { id } = await tree.upload(await tree.addFolder(outer, 'middle'), 'alone.txt')
    await tree.upload(inner, 'with inner.txt')
    await tree.send('DELETE', `/v1/directory/${inner}`, tree.kim)
    await tree.send('DELETE', `/v1/file/${id}`, tree.kim)
    await tree.send('DELETE', `/v1/directory/${outer}`, tree.kim)
    expect(await tree.listFiles('?trash=true')).toEqual(['alone.txt'])
    await tree.send('POST', `/v1/directory/${inner}/restore`, tree.kim)
    expect(await tree.pathOf(inner)).toBe('Plans/inner')
    const restored = await tree.send('POST', '/v1/file/restore', tree.kim, { ids: [id] })
    expect(restored.data[0]).toMatchObject({ directory: 'Plans', path: [] })
    expect((await tree.readTotals(tree.plans)).files).toBe(4)
    expect(await findFaults(tree)).toEqual([])
  })

  it('can’t be restored while its top-level directory is in the trash, and neither can files', async () => {
    await using tree = await openTree()
    const folder = await tree.addFolder(tree.plans, 'a/b')
    const files = [await tree.upload(folder, 'x.txt'), await tree.upload(tree.plans, 'y.txt')]
    for (const { id } of files) await tree.send('DELETE', `/v1/file/${id}`, tree.kim)
    await tree.send('DELETE', `/v1/directory/${folder}`, tree.kim)
    await tree.send('DELETE', `/v1/directory/${tree.plans}`, tree.kim)
    expect((await tree.send('POST', `/v1/directory/${folder}/restore`, tree.kim)).code).toBe('folder.directory_deleted')
    for (const { id } of files) {
      const { status, code } = await tree.send('POST', '/v1/file/restore', tree.kim, { ids: [id] })
      expect([status, code]).toEqual([409, 'folder.directory_deleted'])
    }
  })

  it('is deleted for good with everything below it, without touching the rest', async () => {
    await using tree = await openTree()
    const outer = await tree.addFolder(tree.plans, 'outer')
    await tree.upload(await tree.addFolder(outer, 'a/b/c'), 'deep.txt')
    await tree.send('DELETE', `/v1/directory/${outer}`, tree.kim)
    tree.advance(40 * dayMs)
    await emptyTrash(tree.deps)
    expect(await tree.listFolders('?trash=true')).toEqual([])
    expect(await tree.deps.db.selectFrom('directory').select('name').where('parent_id', 'is not', null).execute()).toEqual([])
    expect((await tree.readTotals(tree.plans)).files).toBe(2)
    expect(await findFaults(tree)).toEqual([])
  })

  it('stops the links to everything below it, which are listed as affected beforehand', async () => {
    await using tree = await openTree()
    const outer = await tree.addFolder(tree.plans, 'outer')
    const inner = await tree.addFolder(outer, 'inner')
    const { id } = await tree.upload(inner, 'x.txt')
    await tree.share('LINK_DIRECTORY', { directory: inner })
    await tree.share('LINK_FILE', { file: id, directory: inner })
    expect((await tree.send('POST', '/v1/link/affected', tree.kim, { directory: outer })).data.count).toBe(2)
    await tree.send('DELETE', `/v1/directory/${outer}`, tree.kim)
    const states = async () => (await tree.data('GET', '/v1/link', tree.kim)).map(({ state }: { state: string }) => state)
    expect(await states()).toEqual(['directory_deleted', 'directory_deleted'])
    await tree.send('POST', `/v1/directory/${outer}/restore`, tree.kim)
    expect(await states()).toEqual(['active', 'active'])
  })
})

describe('fsck', () => {
  it('finds and repairs wrong totals and wrong positions in a tree', async () => {
    await using tree = await openTree()
    const outer = await tree.addFolder(tree.plans, 'outer')
    const inner = await tree.addFolder(outer, 'inner')
    await tree.upload(inner, 'x.txt')
    const { db } = tree.deps
    await db.updateTable('directory').set({ files: 7 }).where('id', '=', outer).execute()
    await db.updateTable('directory').set({ root_id: tree.other, depth: 9 }).where('id', '=', outer).execute()
    await db.updateTable('directory').set({ trashed_with: 'nothing' }).where('id', '=', inner).execute()
    expect((await findFaults(tree)).length).toBeGreaterThanOrEqual(3)
    await checkFiles(tree.deps, { isScrub: false, isRepair: true, isAlone: false, report: () => undefined })
    expect(await findFaults(tree)).toEqual([])
    expect(await tree.readTotals(outer)).toEqual({ files: 1, size: 5 })
  })
})
