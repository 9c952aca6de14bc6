import type { FileRow } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { readZip } from '../../lib/testing.ts'
import { writeQueuedEntries } from '../audit/audit.service.ts'
import { openTree } from '../directory/testing.ts'
import { emptyTrash } from '../trash/trash.service.ts'
import { dayMs } from './testing.ts'

/** Plans has first.txt, second.txt, and the folder `sub` with deep.txt. Kim shares the first and the deep one with Rob. */
async function openSelection() {
  const tree = await openTree()
  const sub = await tree.addFolder(tree.plans, 'sub')
  const deep = (await tree.upload(sub, 'deep.txt')).id
  const link = await tree.shareFiles([tree.first, deep])
  const rob = await tree.enter(link)
  const { call, kim } = tree
  const readLink = () => tree.data('GET', `/v1/link/${link.key}/info`, kim)
  const readState = async () => (await readLink()).state
  const countAffected = async (body: object) => (await tree.data('POST', '/v1/link/affected', kim, body)).count
  const trash = (...ids: string[]) => call('POST', '/v1/file/delete', kim, { ids })
  const trashFolder = (id: string) => call('DELETE', `/v1/directory/${id}`, kim)
  const restore = (...ids: string[]) => call('POST', '/v1/file/restore', kim, { ids })
  const listSeen = () => tree.listFiles('?sort=name', rob)
  return Object.assign(tree, { sub, deep, link, rob, readLink, readState, countAffected, trash, trashFolder, restore, listSeen })
}

const readNames = async (zip: Buffer) =>
  (await readZip({ length: zip.length, read: async (start, end) => zip.subarray(start, end) })).map(({ name }) => name)

describe('a link to several files', () => {
  it('shows its files as one list, without the names of folders', async () => {
    await using office = await openSelection()
    expect(await office.readLink()).toMatchObject({ type: 'LINK_FILE', name: 'Plans', file_id: null, files: 2, state: 'active' })
    const access = await office.data('GET', '/v1/access', office.rob)
    expect(access).toMatchObject({ type: 'LINK_FILE', name: 'deep.txt', file_id: null, files: 2, size: 17, upload_limits: null })
    const rows: FileRow[] = await office.data('GET', '/v1/file?sort=name', office.rob)
    expect(rows.map(({ file_name, directory, path }) => ({ file_name, directory, path }))).toEqual([
      { file_name: 'deep.txt', directory: null, path: [] },
      { file_name: 'first.txt', directory: null, path: [] },
    ])
    const pages = await office.call('GET', '/v1/file?sort=-name&limit=1', office.rob)
    expect(pages.json().data).toMatchObject([{ file_name: 'first.txt' }])
    const next = await office.data('GET', `/v1/file?sort=-name&limit=1&cursor=${pages.json().next}`, office.rob)
    expect(next).toMatchObject([{ file_name: 'deep.txt' }])
  })

  it('is listed by its key for staff who may see its company, and for nobody else', async () => {
    await using office = await openSelection()
    const other = await office.shareFiles([office.second])
    const list = async (who: Record<string, string>, key: string) =>
      ((await office.data('GET', `/v1/file?link=${key}&sort=name`, who)) as FileRow[]).map(({ file_name }) => file_name)
    expect(await list(office.kim, office.link.key)).toEqual(['deep.txt', 'first.txt'])
    expect(await list(office.admin, office.link.key)).toEqual(['deep.txt', 'first.txt'])
    expect(await list(office.eve, office.link.key)).toEqual([])
    expect(await list(office.kim, 'absent')).toEqual([])
    expect(await list(office.rob, other.key)).toEqual(['deep.txt', 'first.txt']) // still the files of their own link
    await office.trash(office.deep)
    expect(await list(office.kim, office.link.key)).toEqual(['first.txt'])
  })

  it('lets recipients download each file, and all of them as a ZIP that can be resumed', async () => {
    await using office = await openSelection()
    for (const id of [office.first, office.deep])
      expect((await office.call('GET', `/v1/file/${id}`, office.rob)).statusCode).toBe(200)
    const { directory_id } = await office.data('GET', '/v1/access', office.rob)
    const { url } = await office.data('POST', `/v1/directory/${directory_id}/ticket`, office.rob)
    const zip = await office.call('GET', url)
    expect(zip.headers['content-disposition']).toContain('files.zip')
    expect(await readNames(zip.rawPayload)).toEqual(['deep.txt', 'first.txt'])
    const rest = await office.call('GET', url, { range: 'bytes=50-' })
    expect([rest.statusCode, rest.rawPayload]).toEqual([206, zip.rawPayload.subarray(50)])
    expect((await office.call('HEAD', url)).headers['content-length']).toBe(String(zip.rawPayload.length))
    const activity = await office.data('GET', `/v1/link/${office.link.key}/activity`, office.kim)
    const downloads = activity.filter(({ kind }: { kind: string }) => kind === 'downloaded')
    expect(downloads.map(({ name }: { name: string }) => name).toSorted()).toEqual(['deep.txt', 'files.zip', 'first.txt'])
    await writeQueuedEntries(office.deps)
    const entry = await office.deps.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'link.created')
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({ directory_id: office.plans, file_id: null, name: 'Plans' })
    expect(entry.note).toMatch(/^LINK_FILE, 2 files, until /)
  })

  it('gives two files of the same name different names in the ZIP', async () => {
    await using office = await openSelection()
    const same = (await office.upload(office.sub, 'first.txt')).id
    const rob = await office.enter(await office.shareFiles([office.first, same]))
    const zip = await office.call('GET', `/v1/directory/${office.plans}/zip`, rob)
    expect(await readNames(zip.rawPayload)).toEqual(['first.txt', 'first (1).txt'])
  })

  it('shows the current versions', async () => {
    await using office = await openSelection()
    await office.put(office.plans, 'first.txt', office.kim, 'newer', '?conflict=replace')
    const [clash] = await office.data('POST', '/v1/file/clash', office.kim, { directory: office.plans, names: ['first.txt'] })
    expect(clash).toMatchObject({ links: 1, pinned: 0 })
    expect((await office.call('GET', `/v1/file/${office.first}`, office.rob)).body).toBe('newer')
    const old = `/v1/file/${office.first}?version=${office.first}`
    expect((await office.call('GET', old, office.rob)).statusCode).toBe(404)
  })

  it('is found by each of its files, and by its directory', async () => {
    await using office = await openSelection()
    const find = async (query: string) => (await office.data('GET', `/v1/link?${query}`, office.kim)).length
    expect(await find(`file=${office.deep}`)).toBe(1)
    expect(await find(`file=${office.second}`)).toBe(0)
    expect(await find(`directory=${office.plans}`)).toBe(1)
    expect(await find('search=plans')).toBe(1)
  })

  it('is created once if the request is repeated; a repeated request with other files is rejected', async () => {
    await using office = await openSelection()
    const { key, accessCode } = await office.reserve()
    const body = { linkType: 'LINK_FILE', directory: office.plans, key, accessCode, expiry: office.inDays(9) }
    const create = (files: string[]) => office.send('POST', '/v1/link', office.kim, { ...body, files })
    expect((await create([office.first, office.second, office.first])).data.files).toBe(2)
    expect((await create([office.second, office.first])).status).toBe(200)
    expect((await create([office.first])).code).toBe('link.already_created')
  })
})

describe('the files of a link to several files', () => {
  it('disappear from the link when they are deleted, and the link stops working when the last one is deleted', async () => {
    await using office = await openSelection()
    expect(await office.countAffected({ files: [office.first] })).toBe(0)
    await office.trash(office.first)
    expect(await office.listSeen()).toEqual(['deep.txt'])
    expect((await office.call('GET', `/v1/file/${office.first}`, office.rob)).statusCode).toBe(404)
    expect(await office.readLink()).toMatchObject({ state: 'active', files: 1 })
    expect(await office.countAffected({ files: [office.deep] })).toBe(1)
    expect(await office.countAffected({ directory: office.sub })).toBe(1)
    await office.trashFolder(office.sub)
    expect(await office.readLink()).toMatchObject({ state: 'file_deleted', reasons: ['file_deleted'], files: 0 })
    expect(await office.data('GET', '/v1/link?state=file_deleted', office.kim)).toHaveLength(1)
    expect((await office.call('GET', '/v1/access', office.rob)).statusCode).toBe(404)
    expect((await office.call('GET', `/v1/directory/${office.plans}/zip`, office.rob)).statusCode).toBe(404)
    expect((await office.verify(office.link.key, office.link.code)).json().data).toMatchObject({ paused: true, token: null })
    await office.restore(office.first)
    expect(await office.readState()).toBe('active')
    await office.call('POST', `/v1/directory/${office.sub}/restore`, office.kim)
    expect(await office.listSeen()).toEqual(['deep.txt', 'first.txt'])
  })

  it('stay when they are moved out of their directory, even if it is purged', async () => {
    await using office = await openSelection()
    await office.move({ files: [office.first], to: office.other })
    expect(await office.countAffected({ directory: office.plans })).toBe(0)
    await office.trashFolder(office.plans)
    expect(await office.listSeen()).toEqual(['first.txt'])
    expect(await office.readLink()).toMatchObject({ state: 'active', files: 1, reasons: [] })
    office.advance(60 * dayMs)
    const link = await office.shareFiles([office.first], office.other)
    await office.deps.db
      .updateTable('link')
      .set({ expires_at: office.inDays(9) })
      .where('key', '=', office.link.key)
      .execute()
    await emptyTrash(office.deps)
    expect(await office.readLink()).toMatchObject({ state: 'active', name: 'Other', directory_id: office.other, files: 1 })
    await office.trash(office.first)
    office.advance(60 * dayMs)
    await emptyTrash(office.deps)
    for (const key of [office.link.key, link.key])
      expect((await office.call('GET', `/v1/link/${key}/info`, office.kim)).statusCode).toBe(404)
    expect((await office.readCompanyTotals())['links']).toBe(0)
    expect(await office.deps.db.selectFrom('link_file').selectAll().execute()).toEqual([])
  })

  it('leave the link when they are moved to another company, unless the directory of the link is moved with them', async () => {
    await using office = await openSelection()
    await office.giveAccess({ access: 'all' })
    const inSub = await office.shareFiles([office.deep], office.sub)
    expect(await office.countAffected({ files: [office.first], to: office.foreign })).toBe(0)
    expect(await office.countAffected({ files: [office.first], directories: [office.sub], to: office.foreign })).toBe(1)
    await office.move({ directories: [office.sub], to: office.foreign })
    expect(await office.listSeen()).toEqual(['first.txt'])
    expect((await office.data('GET', `/v1/link/${inSub.key}/info`, office.kim)).state).toBe('active')
    await office.move({ files: [office.first], to: office.foreign })
    expect(await office.listSeen()).toEqual([])
    expect(await office.readState()).toBe('file_deleted')
    await office.move({ files: [office.first], to: office.plans })
    expect(await office.readState()).toBe('active')
  })
})
