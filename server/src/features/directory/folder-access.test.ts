import { Agent, get, type IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import type { DirectoryRow, FileRow } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { readToEnd } from '../link/testing.ts'
import { openTree, type Tree } from './testing.ts'

/**
 * Plans/above/shared/below/deep, with a file in each, and the sibling Plans/above/beside. Rob is a recipient of the link to `shared`.
 */
async function openShared(linkType: 'LINK_DIRECTORY' | 'LINK_EDITABLE_DIRECTORY' = 'LINK_EDITABLE_DIRECTORY') {
  const tree = await openTree()
  const above = await tree.addFolder(tree.plans, 'above')
  const [shared, beside] = [await tree.addFolder(above, 'shared'), await tree.addFolder(above, 'beside')]
  const below = await tree.addFolder(shared, 'below')
  const deep = await tree.addFolder(below, 'deep')
  const directories = { above, shared, beside, below, deep }
  const files = {
    above: await tree.upload(above, 'above.txt'),
    shared: await tree.upload(shared, 'shared.txt'),
    beside: await tree.upload(beside, 'beside.txt'),
    below: await tree.upload(below, 'below.txt'),
    deep: await tree.upload(deep, 'deep.txt'),
  }
  const rob = await tree.enter(await tree.share(linkType, { directory: shared }))
  return Object.assign(tree, { directories, files, rob })
}

type Shared = Tree & Awaited<ReturnType<typeof openShared>>

/** Makes every call of a recipient that names a file or a directory. Returns the statuses. */
async function tryCalls({ call, put, rob, kim }: Shared, directory: string, file: FileRow) {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  const tus = { ...rob, 'tus-resumable': '1.0.0', 'upload-length': '3' }
  const ticketOf = async (path: string) => {
    const { data } = (await call('POST', path, kim)).json()
    return data?.url
  }
  expect(await ticketOf(`/v1/file/${file.id}/ticket`)).toBeTypeOf('string')
  const replies = {
    read: await call('GET', `/v1/directory/${directory}`, rob),
    ticket: await call('POST', `/v1/directory/${directory}/ticket`, rob),
    zip: await call('GET', `/v1/directory/${directory}/zip`, rob),
    head: await call('HEAD', `/v1/directory/${directory}/zip`, rob),
    create: await call('POST', `/v1/directory/${directory}/folders`, rob, { paths: [['new']] }),
    put: await put(directory, 'new.txt', rob),
    putPath: await put(directory, 'new.txt', rob, 'x', '?path=new'),
    tus: await call('POST', '/v1/upload', {
      ...tus,
      'upload-metadata': `filename ${encode('t.txt')},directory ${encode(directory)}`,
    }),
    tusPath: await call('POST', '/v1/upload', {
      ...tus,
      'upload-metadata': `filename ${encode('t.txt')},directory ${encode(directory)},path ${encode('new')}`,
    }),
    download: await call('GET', `/v1/file/${file.id}`, rob),
    fileTicket: await call('POST', `/v1/file/${file.id}/ticket`, rob),
    preview: await call('POST', `/v1/file/${file.id}/preview`, rob),
  }
  return Object.fromEntries(Object.entries(replies).map(([name, { statusCode }]) => [name, statusCode]))
}

const toNames = (rows: (DirectoryRow | FileRow)[]) =>
  rows.map((row) => ('file_name' in row ? row.file_name : row.directory)).toSorted()

describe('a recipient of a folder', () => {
  it('has access to it and everything below it', async () => {
    await using tree = await openShared()
    for (const where of ['shared', 'below', 'deep'] as const) {
      const statuses = await tryCalls(tree, tree.directories[where], tree.files[where])
      expect(
        Object.values(statuses).filter((status) => status >= 300),
        `${where} ${JSON.stringify(statuses)}`,
      ).toEqual([])
    }
  })

  it('has no access to directories above or beside it', async () => {
    await using tree = await openShared()
    const { plans, other } = tree
    const others = { ...tree.directories, plans, other }
    for (const [where, file] of [
      ['above', tree.files.above],
      ['beside', tree.files.beside],
      ['plans', { id: tree.first }],
      ['other', { id: tree.hidden }],
    ] as [keyof typeof others, FileRow][]) {
      const statuses = await tryCalls(tree, others[where], file)
      expect(
        Object.entries(statuses).filter(([, status]) => status !== 404),
        where,
      ).toEqual([])
      for (const path of ['file?directory', 'file?search=t&directory', 'directory?parent', 'directory?folders=true&parent'])
        expect(await tree.data('GET', `/v1/${path}=${others[where]}`, tree.rob), `${path} ${where}`).toEqual([])
    }
  })

  it('lists and finds only what is in it, with paths that start at the folder', async () => {
    await using tree = await openShared()
    const { rob, directories } = tree
    const list = (path: string) => tree.data('GET', path, rob)
    expect(toNames(await list('/v1/directory'))).toEqual(['below'])
    expect(toNames(await list('/v1/directory?folders=true'))).toEqual(['below', 'deep'])
    expect(toNames(await list('/v1/directory?folders=true&search=e'))).toEqual(['below', 'deep'])
    expect(toNames(await list(`/v1/directory?parent=${directories.below}`))).toEqual(['deep'])
    expect(toNames(await list('/v1/file'))).toEqual(['shared.txt'])
    expect(toNames(await list('/v1/file?search=txt'))).toEqual(['below.txt', 'deep.txt', 'shared.txt'])
    expect(toNames(await list(`/v1/file?directory=${directories.deep}`))).toEqual(['deep.txt'])
    expect(toNames(await list(`/v1/file?directory=${directories.below}&search=txt`))).toEqual(['below.txt', 'deep.txt'])
    expect((await tree.call('GET', '/v1/directory?trash=true', rob)).statusCode).toBe(403)
    const [deep] = await list(`/v1/directory?parent=${directories.below}`)
    expect(deep.path.map(({ name }: { name: string }) => name)).toEqual(['shared', 'below'])
    expect(await tree.readDirectory(directories.shared, rob)).toMatchObject({ parent: null, path: [] })
    const [file] = await list(`/v1/file?directory=${directories.deep}`)
    expect(file.path.map(({ name }: { name: string }) => name)).toEqual(['shared', 'below'])
  })

  it('can’t move, rename or delete anything', async () => {
    await using tree = await openShared()
    const { rob, directories, files } = tree
    expect((await tree.move({ files: [files.deep.id], to: directories.shared }, rob)).status).toBe(403)
    expect((await tree.call('PATCH', `/v1/directory/${directories.deep}`, rob, { directory: 'x' })).statusCode).toBe(403)
    expect((await tree.call('DELETE', `/v1/directory/${directories.deep}`, rob)).statusCode).toBe(403)
    expect((await tree.call('POST', '/v1/directory', rob, { directory: 'x', parent: directories.deep })).statusCode).toBe(403)
  })

  it('can’t add anything if the link is not editable', async () => {
    await using tree = await openShared('LINK_DIRECTORY')
    const { rob, directories } = tree
    expect((await tree.put(directories.deep, 'x', rob)).statusCode).toBe(403)
    expect((await tree.put(directories.deep, 'x', rob, 'x', '?path=new')).statusCode).toBe(403)
    expect((await tree.call('POST', `/v1/directory/${directories.deep}/folders`, rob, { paths: [['x']] })).statusCode).toBe(403)
    expect(await tree.listFolders(`?parent=${directories.deep}`)).toEqual([])
  })

  it('loses access to a folder that is moved out of it, even with earlier tickets and uploads', async () => {
    await using tree = await openShared()
    const { rob, directories, files } = tree
    const zip = (await tree.data('POST', `/v1/directory/${directories.below}/ticket`, rob)).url
    const download = (await tree.data('POST', `/v1/file/${files.deep.id}/ticket`, rob)).url
    const encode = (text: string) => Buffer.from(text).toString('base64')
    const tus = { ...rob, 'tus-resumable': '1.0.0' }
    const metadata = `filename ${encode('t.txt')},directory ${encode(directories.deep)}`
    const begun = await tree.call('POST', '/v1/upload', { ...tus, 'upload-length': '3', 'upload-metadata': metadata })
    const upload = String(begun.headers.location)
    const send = () =>
      tree.app.inject({
        method: 'PATCH',
        url: upload,
        headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        payload: 'abc',
      })
    expect((await tree.call('GET', download)).statusCode).toBe(200)
    await tree.move({ directories: [directories.below], to: directories.beside })
    const statuses = await tryCalls(tree, directories.deep, files.deep)
    expect(Object.entries(statuses).filter(([, status]) => status !== 404)).toEqual([])
    expect(await tree.listFolders(`?parent=${directories.below}`, rob)).toEqual([])
    expect((await tree.call('GET', zip)).statusCode).toBe(404)
    expect((await tree.call('GET', download)).statusCode).toBe(404)
    expect((await send()).statusCode).toBe(404)
    await tree.move({ directories: [directories.below], to: directories.shared })
    expect((await tree.call('GET', download)).statusCode).toBe(200)
    expect((await send()).statusCode).toBe(204)
  })

  it('loses a running download of a file that is moved out of it, but not of one that is moved within it', async () => {
    await using tree = await openShared()
    const origin = await tree.listen()
    tree.app.recheckIntervalMs = 50
    const size = 24 * 2 ** 20
    const addLarge = async (name: string): Promise<string> =>
      (await tree.put(tree.directories.below, name, tree.kim, 'x'.repeat(size))).json().data.id
    const begin = (id: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get(`${origin}/v1/file/${id}`, { headers: tree.rob, agent: new Agent() }, resolve).on('error', reject)
      })
    const [kept, lost] = [await addLarge('kept.bin'), await addLarge('lost.bin')]
    const [keptReply, lostReply] = [await begin(kept), await begin(lost)]
    await tree.move({ files: [kept], to: tree.directories.deep })
    await tree.move({ files: [lost], to: tree.directories.beside })
    await expect.poll(() => promisify(tree.app.server.getConnections.bind(tree.app.server))()).toBe(1)
    expect(await readToEnd(lostReply)).toBeLessThan(size)
    expect(await readToEnd(keptReply)).toBe(size)
  })

  it('can create as many folders as the link accepts files', async () => {
    await using tree = await openShared()
    const settings = { version: 0, values: { max_files: 5 } }
    expect((await tree.send('PATCH', '/v1/admin/settings/links', tree.admin, settings)).status).toBe(200)
    const create = (name: string, who = tree.rob) =>
      tree.send('POST', `/v1/directory/${tree.directories.deep}/folders`, who, { paths: [[name]] })
    // Two already exist.
    expect([await create('1'), await create('2'), await create('3')].map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await create('4')).code).toBe('link.full')
    expect((await create('3')).status).toBe(200)
    expect((await create('4', tree.kim)).status).toBe(200)
  })

  it('keeps access to the folder itself wherever it is moved', async () => {
    await using tree = await openShared()
    const { rob, directories, files } = tree
    await tree.move({ directories: [directories.shared], to: tree.other })
    expect((await tree.call('GET', `/v1/file/${files.deep.id}`, rob)).statusCode).toBe(200)
    expect((await tree.call('GET', `/v1/file/${tree.hidden}`, rob)).statusCode).toBe(404)
    expect((await tree.call('GET', `/v1/directory/${tree.other}`, rob)).statusCode).toBe(404)
  })
})

describe('a recipient of a file', () => {
  it('keeps access to it when it is moved, but has none to the rest of its folder', async () => {
    await using tree = await openShared()
    const { directories, files } = tree
    const rob = await tree.enter(await tree.share('LINK_FILE', { file: files.below.id, directory: directories.below }))
    const beside = await tree.upload(directories.below, 'not shared.txt')
    const check = async () => {
      expect((await tree.call('GET', `/v1/file/${files.below.id}`, rob)).statusCode).toBe(200)
      for (const id of [beside.id, files.deep.id]) expect((await tree.call('GET', `/v1/file/${id}`, rob)).statusCode).toBe(404)
      for (const path of ['/v1/directory', '/v1/directory?folders=true', `/v1/directory/${directories.deep}`, '/v1/file'])
        expect((await tree.call('GET', path, rob)).statusCode).toBe(403)
      expect((await tree.call('GET', `/v1/directory/${directories.below}/zip`, rob)).statusCode).toBe(403)
    }
    await check()
    await tree.move({ files: [files.below.id], to: tree.other })
    await check()
    await tree.move({ directories: [directories.above], to: tree.other })
    await check()
  })
})
