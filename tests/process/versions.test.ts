import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeCommand, openServer } from '../support/operator-server.ts'
import { withTempFolder } from '../support/temp-folder.ts'

type Server = Awaited<ReturnType<typeof openServer>>

/**
 * Creates a file with two versions, a copy of it with two versions, which share bytes, and a link to both. Returns the ids of the files.
 */
async function addVersions(server: Server) {
  const { id } = await server.put('plan.txt', Buffer.from('one'))
  const reply = await server.send('POST', '/v1/copy', { files: [id], to: server.directory })
  const copy: string = (await reply.json()).data.files[0].id
  await server.put('plan.txt?conflict=replace', Buffer.from('two'))
  await server.put('plan%20(1).txt?conflict=replace', Buffer.from('three'))
  const { directory, company } = server
  const reserved = await (await server.send('POST', '/v1/link/initialise', { company, directory })).json()
  const expiry = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  const link = { linkType: 'LINK_FILE', files: [id, copy], directory, ...reserved.data, expiry }
  expect((await server.send('POST', '/v1/link', link)).status).toBe(200)
  return [id, copy]
}

/** Returns how many files each link to several files shares. */
const readLinkFiles = async (server: Server): Promise<number[]> =>
  (await (await server.get('/v1/link')).json()).data.map(({ files }: { files: number }) => files)

/** Returns the content of each version of a file, newest first. */
async function readVersions(server: Server, id: string): Promise<string[]> {
  const versions = (await (await server.get(`/v1/file/${id}/version`)).json()).data as { id: string }[]
  return Promise.all(versions.map(async (version) => (await server.get(`/v1/file/${id}?version=${version.id}`)).text()))
}

const countBlobs = (folder: string) =>
  readdirSync(join(folder, 'data/blobs'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

it('versions, shared bytes and links to several files survive a backup and a restore, and each blob is stored once', async () => {
  await withTempFolder(async (folder) => {
    let ids: string[]
    {
      await using server = await openServer(folder)
      ids = await addVersions(server)
      expect((await makeCommand(folder)('backup', join(folder, 'b.tar'))).out).toContain('Backed up 2 files')
    }
    const names = readFileSync(join(folder, 'b.tar'), 'latin1').match(/blobs\/[\w-]{22}\0/g) ?? []
    expect([names.length, new Set(names).size]).toEqual([3, 3])
    const restored = join(folder, 'restored')
    mkdirSync(restored)
    const SECRET_KEY = readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()
    const neptune = makeCommand(restored, { SECRET_KEY })
    expect(await neptune('restore', join(folder, 'b.tar'))).toMatchObject({ code: 0 })
    expect(await neptune('fsck', '--scrub')).toMatchObject({ code: 0 })
    expect(countBlobs(restored)).toBe(3)
    await using server = await openServer(restored, { SECRET_KEY })
    expect(await Promise.all(ids.map((id) => readVersions(server, id)))).toEqual([
      ['two', 'one'],
      ['three', 'one'],
    ])
    expect(await readLinkFiles(server)).toEqual([2])
  })
})

it('versions, shared bytes and links to several files survive a move to another data folder', async () => {
  await withTempFolder(async (folder) => {
    let ids: string[]
    {
      await using server = await openServer(folder)
      ids = await addVersions(server)
      await server.stop()
    }
    const target = join(folder, 'target')
    mkdirSync(target)
    writeFileSync(join(folder, 'target.env'), `DATA_DIR=${join(target, 'data')}\n`)
    expect(await makeCommand(folder)('migrate-to', join(folder, 'target.env'), '--finish')).toMatchObject({ code: 0 })
    writeFileSync(join(target, 'data/secret.key'), readFileSync(join(folder, 'data/secret.key')), { mode: 0o600 })
    expect(await makeCommand(target)('fsck', '--scrub')).toMatchObject({ code: 0 })
    expect(countBlobs(target)).toBe(3)
    await using server = await openServer(target)
    expect(await Promise.all(ids.map((id) => readVersions(server, id)))).toEqual([
      ['two', 'one'],
      ['three', 'one'],
    ])
    expect(await readLinkFiles(server)).toEqual([2])
  })
})
