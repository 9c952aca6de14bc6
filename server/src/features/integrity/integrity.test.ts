import { Readable } from 'node:stream'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { openFileOffice } from '../file/testing.ts'
import { drawWantedThumbnails } from '../thumbnail/thumbnail.service.ts'
import { type Check, checkFiles, type Finding } from './integrity.service.ts'
import { setSortKeysOfNewNames } from './name-order.service.ts'

type Office = Awaited<ReturnType<typeof openFileOffice>>

async function check({ deps }: Office, more: Partial<Check> = {}): Promise<Finding[]> {
  const found: Finding[] = []
  await checkFiles(deps, { isScrub: true, isRepair: false, isAlone: true, report: (finding) => found.push(finding), ...more })
  return found
}

const toKinds = (found: Finding[]) => found.map(({ kind }) => kind)

it('marks a missing thumbnail to be drawn again', async () => {
  await using server = await openFileOffice()
  const photo = sharp({ create: { width: 800, height: 600, channels: 3, background: { r: 20, g: 90, b: 160 } } })
  await server.put(server.directory, 'photo.png', await photo.png().toBuffer())
  await drawWantedThumbnails(server.deps)
  expect(await check(server)).toEqual([])
  const { thumbnail_id } = await server.deps.db.selectFrom('file').select('thumbnail_id').executeTakeFirstOrThrow()
  await server.deps.blobs.remove(thumbnail_id ?? '')
  expect(toKinds(await check(server))).toEqual(['thumbnail'])
  expect(await check(server, { isRepair: true })).toMatchObject([{ kind: 'thumbnail', done: 'will be drawn again' }])
  await drawWantedThumbnails(server.deps)
  expect((await server.json(server.kim, 'GET', '/v1/file')).data[0].image).toContain('/v1/thumbnail/')
  expect(await check(server)).toEqual([])
})

it('removes an upload whose bytes are missing, and keeps the others', async () => {
  await using server = await openFileOffice()
  const begin = async (name: string) => {
    const encode = (text: string) => Buffer.from(text).toString('base64')
    const metadata = `filename ${encode(name)},directory ${encode(server.directory)}`
    const headers = { ...server.kim, 'tus-resumable': '1.0.0', 'upload-length': '10', 'upload-metadata': metadata }
    const reply = await fetch(`${server.origin}/v1/upload`, { method: 'POST', headers })
    expect(reply.status).toBe(201)
    return reply.headers.get('location')?.split('/').at(-1) ?? ''
  }
  const [lost, running] = [await begin('lost.txt'), await begin('running.txt')]
  await server.deps.blobs.discard(lost)
  expect(await check(server)).toMatchObject([{ kind: 'upload', id: lost }])
  expect(await check(server, { isRepair: true })).toMatchObject([{ kind: 'upload', id: lost, done: 'removed' }])
  expect(await check(server)).toEqual([])
  expect(await server.deps.blobs.getReceivedSize(running)).toBe(0)
})

it('removes orphaned bytes of any age, but only old ones while a server may be running', async () => {
  await using server = await openFileOffice()
  server.deps.now = () => new Date()
  await server.put(server.directory, 'a.txt')
  const id = 'BBBBBBBBBBBBBBBBBBBBBB'
  await server.deps.blobs.create(id)
  const whileServerRuns = { isRepair: true, isAlone: false }
  expect(await check(server, whileServerRuns)).toMatchObject([{ kind: 'orphan', id, isNote: true }])
  expect(server.countStored()).toEqual({ tmp: 1, blobs: 1 })
  server.deps.now = () => new Date(Date.now() + 15 * 60_000 + 1000)
  expect(await check(server, whileServerRuns)).toMatchObject([{ kind: 'orphan', id, done: 'removed' }])
  await server.deps.blobs.create(id)
  server.deps.now = () => new Date()
  expect(await check(server, { isRepair: true })).toMatchObject([{ kind: 'orphan', id, done: 'removed' }])
  expect(server.countStored()).toEqual({ tmp: 0, blobs: 1 })
})

it('counts the trash for the company but not for the directory, and repairs wrong counters', async () => {
  await using server = await openFileOffice()
  const { data } = await server.put(server.directory, 'a.txt', 'hello')
  await server.put(server.directory, 'b.txt', 'hello')
  await server.call(server.kim, 'DELETE', `/v1/file/${data.id}`)
  expect(await check(server)).toEqual([])
  const { db } = server.deps
  await db.updateTable('company').set({ bytes: 1 }).where('id', '=', server.company).execute()
  await db.updateTable('directory').set({ files: 5 }).execute()
  expect(toKinds(await check(server))).toEqual(['counter', 'counter'])
  await check(server, { isRepair: true })
  expect(await check(server)).toEqual([])
  expect((await db.selectFrom('company').select('bytes').where('id', '=', server.company).executeTakeFirst())?.bytes).toBe(10)
  expect(await db.selectFrom('directory').select(['files', 'bytes']).executeTakeFirst()).toEqual({ files: 1, bytes: 5 })
})

it('says what is wrong with the number or the bytes of an earlier version', async () => {
  await using server = await openFileOffice()
  const { data } = await server.put(server.directory, 'a.txt', 'old')
  await server.put(server.directory, 'a.txt', 'new', { query: '?conflict=replace' })
  const { db } = server.deps
  const readTexts = async () => (await check(server)).filter(({ kind }) => kind === 'version').map(({ text }) => text)
  expect(await readTexts()).toEqual([])
  await db.updateTable('file_version').set({ number: 5 }).execute()
  expect(await readTexts()).toEqual([`"a.txt" (${data.id}): earlier version 5 is not lower than the current version 2`])
  const { blob_id } = await db.selectFrom('file').select('blob_id').executeTakeFirstOrThrow()
  await db.updateTable('file_version').set({ number: 1, blob_id }).execute()
  expect(await readTexts()).toEqual([
    `"a.txt" (${data.id}): earlier version 1 has the same stored bytes as the current version 2`,
  ])
})

it('finds and repairs wrong sort keys of names', async () => {
  await using server = await openFileOffice()
  for (const name of ['plan 2.txt', 'plan 10.txt']) await server.put(server.directory, name)
  expect(await check(server)).toEqual([])
  await server.deps.db.updateTable('file').set({ name_order: 'zzz' }).where('name', '=', 'plan 2.txt').execute()
  await server.deps.db.updateTable('user').set({ name_order: '' }).execute()
  expect(await check(server)).toMatchObject([{ kind: 'order', text: '4 names are sorted wrongly' }])
  expect(await check(server, { isRepair: true })).toMatchObject([{ kind: 'order', done: 'corrected' }])
  expect(await check(server)).toEqual([])
  expect(await server.listNames(server.kim, '?sort=name')).toEqual(['plan 2.txt', 'plan 10.txt'])
})

it('sets the sort keys of names that a node with the previous version added', async () => {
  await using server = await openFileOffice()
  const { data } = await server.put(server.directory, 'plan 2.txt')
  await server.put(server.directory, 'plan 10.txt')
  await server.call(server.kim, 'DELETE', `/v1/file/${data.id}`)
  for (const table of ['company', 'user', 'directory', 'file'] as const)
    await server.deps.db.updateTable(table).set({ name_order: '' }).execute()
  await setSortKeysOfNewNames(server.deps)
  expect(await check(server)).toEqual([])
})

it('never removes a file at the wrong path that may be the only copy', async () => {
  await using server = await openFileOffice()
  const { data } = await server.put(server.directory, 'a.txt')
  const { deps } = server
  const strays = async function* () {
    yield { path: `blobs/zz/${data.id}`, isLink: false }
  }
  const removed: string[] = []
  const removeStray = async (path: string) => void removed.push(path)
  deps.blobs = { ...deps.blobs, listStrays: strays, removeStray }
  expect(await check(server, { isRepair: true })).toMatchObject([{ kind: 'stray', text: expect.stringContaining('left alone') }])
  expect(removed).toEqual([])
})

it('records in the audit log that a file was marked as damaged and unmarked', async () => {
  await using server = await openFileOffice()
  const { data } = await server.put(server.directory, 'a.txt')
  const { deps } = server
  const { open } = deps.blobs
  // The disk returns wrong bytes of the right length, and later the right ones.
  deps.blobs = {
    ...deps.blobs,
    open: async (id, size) => ({ ...(await open(id, size)), read: () => Readable.from(['j'.repeat(size)]) }),
  }
  expect(await check(server, { isRepair: true })).toMatchObject([{ kind: 'flipped', done: 'marked as damaged' }])
  deps.blobs = { ...deps.blobs, open }
  expect(await check(server)).toMatchObject([{ kind: 'healed' }]) // without a repair
  expect(await check(server, { isRepair: true })).toMatchObject([{ kind: 'healed', done: 'no longer marked' }])
  expect(await check(server, { isRepair: true })).toEqual([])
  const entries = await deps.db.selectFrom('audit').selectAll().where('action', '=', 'file.damaged').orderBy('seq').execute()
  expect(entries).toMatchObject([
    { file_id: data.id, who: 'operator', note: expect.stringContaining('SHA-256') },
    { file_id: data.id, who: 'operator', name: 'a.txt', company_id: server.company, note: 'its content is intact again' },
  ])
})

it('sends no byte of a damaged file: alone, in a ZIP or with a ticket', async () => {
  await using server = await openFileOffice()
  const { data } = await server.put(server.directory, 'a.txt')
  await server.deps.db.updateTable('file').set({ damaged_at: '2026-12-01T09:00:00.000Z' }).execute()
  const [file, zip] = [`/v1/file/${data.id}`, `/v1/directory/${server.directory}/zip`]
  const { url } = (await server.json(server.kim, 'POST', `${file}/ticket`)).data
  for (const path of [file, zip, url]) {
    const reply = await server.get(path)
    expect(reply.status, path).toBe(500)
    expect(await reply.json(), path).toMatchObject({ code: path === zip ? 'directory.damaged' : 'file.damaged' })
  }
  expect((await server.json(server.kim, 'GET', '/v1/file')).data).toMatchObject([{ damaged: true }])
})
