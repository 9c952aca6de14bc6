import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { removeBackupHold, renewBackupHold } from '../../db/installation.ts'
import { writeQueuedEntries } from '../audit/audit.service.ts'
import { drawWantedThumbnails } from '../thumbnail/thumbnail.service.ts'
import { pruneVersions } from '../trash/prune-versions.service.ts'
import { emptyTrash, removeOrphans } from '../trash/trash.service.ts'
import { dayMs, openVersionOffice, sha256 } from './testing.ts'

describe('replacing a file', () => {
  it('keeps its id and its name, and makes the bytes its current version', async () => {
    await using office = await openVersionOffice()
    const first = (await office.put(office.directory, 'Plan.txt', 'one')).data
    const second = await office.replace('PLAN.TXT', 'second')
    expect(second).toMatchObject({
      id: first.id,
      file_name: 'Plan.txt',
      size: 6,
      version: 2,
      versions: 2,
      sha256: sha256('second'),
    })
    expect(await office.readText(first.id)).toBe('second')
    expect(await office.readVersions(first.id)).toEqual(['second', 'one'])
    expect(await office.listVersions(first.id)).toMatchObject([
      { number: 2, is_current: true, uploaded_by: 'Kim Doe', replaced_at: null, pinned_links: 0 },
      { number: 1, is_current: false, id: first.id, replaced_at: expect.any(String) },
    ])
    expect((await office.json(office.kim, 'GET', `/v1/directory/${office.directory}`)).data).toMatchObject({ files: 1, size: 6 })
    expect(await office.readBytes()).toBe(9)
    expect(await office.listReferences()).toEqual([])
    expect(await office.check()).toEqual([])
  })

  it('records the hashes of both versions, and of every download', async () => {
    await using office = await openVersionOffice()
    const { id } = (await office.put(office.directory, 'plan.txt', 'one')).data
    await office.readText(id)
    await writeQueuedEntries(office.deps)
    await office.replace('plan.txt', 'two')
    await office.readText(id)
    await (await office.get(`/v1/file/${id}?version=${id}`)).text()
    await writeQueuedEntries(office.deps)
    const rows = await office.deps.db
      .selectFrom('audit')
      .select(['action', 'note'])
      .where('file_id', '=', id)
      .orderBy('seq')
      .execute()
    expect(rows).toEqual([
      { action: 'file.uploaded', note: `SHA-256 ${sha256('one')}` },
      { action: 'file.downloaded', note: `SHA-256 ${sha256('one')}` },
      { action: 'file.replaced', note: `version 1, SHA-256 ${sha256('one')}` },
      { action: 'file.uploaded', note: `version 2, SHA-256 ${sha256('two')}` },
      { action: 'file.downloaded', note: `SHA-256 ${sha256('two')}` },
      { action: 'file.downloaded', note: `SHA-256 ${sha256('one')}` },
    ])
  })

  it('keeps all versions when done twenty times at once', async () => {
    await using office = await openVersionOffice({ VERSIONS_KEPT: '100' })
    const { id } = (await office.put(office.directory, 'plan.txt', 'first')).data
    await Promise.all(Array.from({ length: 20 }, (_, i) => office.replace('plan.txt', `text ${i}`)))
    const versions = await office.listVersions(id)
    expect(versions.map(({ number }) => number)).toEqual(Array.from({ length: 21 }, (_, i) => 21 - i))
    expect(new Set(await office.readVersions(id)).size).toBe(21)
    expect(await office.listNames()).toEqual(['plan.txt'])
    expect(await office.check()).toEqual([])
  })

  it('keeps the thumbnail of each version', async () => {
    await using office = await openVersionOffice()
    const draw = (background: string) =>
      sharp({ create: { width: 90, height: 60, channels: 3, background } })
        .png()
        .toBuffer()
    const { id } = (await office.put(office.directory, 'photo.png', await draw('red'))).data
    await drawWantedThumbnails(office.deps)
    const [row] = (await office.json(office.kim, 'GET', '/v1/file')).data
    await office.put(office.directory, 'photo.png', await draw('blue'), { query: '?conflict=replace' })
    await drawWantedThumbnails(office.deps)
    const [current, older] = await office.listVersions(id)
    expect(older?.image).not.toBeNull()
    expect(current?.image).not.toBe(row.image)
    const read = async (url = '') => Buffer.from(await (await office.get(url)).arrayBuffer()).toString('base64')
    expect(await read(current?.image ?? '')).not.toBe(await read(older?.image ?? ''))
    expect(await office.check()).toEqual([])
  })
})

describe('a version', () => {
  it('gets the next number when it is restored, and keeps its id', async () => {
    await using office = await openVersionOffice()
    const { id } = (await office.put(office.directory, 'plan.txt', 'one')).data
    await office.replace('plan.txt', 'second')
    const restored = await office.json(office.kim, 'POST', `/v1/file/${id}/version/${id}/restore`)
    expect(restored.data).toMatchObject({ version: 3, versions: 2, size: 3, sha256: sha256('one') })
    expect((await office.listVersions(id)).map((version) => [version.id === id, version.number])).toEqual([
      [true, 3],
      [false, 2],
    ])
    expect(await office.readVersions(id)).toEqual(['one', 'second'])
    expect((await office.json(office.kim, 'POST', `/v1/file/${id}/version/${id}/restore`)).data.version).toBe(3)
    expect(await office.readBytes()).toBe(9)
    expect(await office.check()).toEqual([])
  })

  it('is deleted for good with its bytes, unless it is the current one', async () => {
    await using office = await openVersionOffice()
    const { id } = (await office.put(office.directory, 'plan.txt', 'one')).data
    await office.replace('plan.txt', 'second')
    const [current] = await office.listVersions(id)
    expect((await office.call(office.kim, 'DELETE', `/v1/file/${id}/version/${current?.id}`)).status).toBe(409)
    expect((await office.call(office.kim, 'DELETE', `/v1/file/${id}/version/${id}`)).status).toBe(204)
    expect((await office.call(office.kim, 'DELETE', `/v1/file/${id}/version/${id}`)).status).toBe(404)
    expect(await office.readVersions(id)).toEqual(['second'])
    expect([await office.readBytes(), office.countStored().blobs]).toEqual([6, 1])
    expect(await office.check()).toEqual([])
  })

  it('keeps its bytes after its deletion only while a backup runs', async () => {
    await using office = await openVersionOffice()
    const { id } = (await office.put(office.directory, 'plan.txt', 'one')).data
    await office.replace('plan.txt', 'two')
    const { deps } = office
    await renewBackupHold(deps.db, 'backup', new Date(office.clock.now.getTime() + 60_000).toISOString())
    expect((await office.call(office.kim, 'DELETE', `/v1/file/${id}/version/${id}`)).status).toBe(204)
    expect(office.countStored().blobs).toBe(2)
    await removeBackupHold(deps.db, 'backup')
    deps.now = () => new Date(Date.now() + 2 * dayMs)
    await removeOrphans(deps)
    expect(office.countStored().blobs).toBe(1)
  })

  it('is never shown to another company, and can be previewed and downloaded with a ticket', async () => {
    await using office = await openVersionOffice()
    const { id } = (await office.put(office.directory, 'plan.txt', 'one')).data
    await office.replace('plan.txt', 'two')
    for (const [method, path] of [
      ['GET', 'version'],
      ['POST', `version/${id}/restore`],
      ['DELETE', `version/${id}`],
    ] as const)
      expect((await office.json(office.eve, method, `/v1/file/${id}/${path}`)).code).toBe('file.not_found')
    expect((await office.json(office.kim, 'POST', `/v1/file/${id}/ticket`, { version: 'absent' })).code).toBe('version.not_found')
    const { data } = await office.json(office.kim, 'POST', `/v1/file/${id}/ticket`, { version: id })
    expect(await (await fetch(office.origin + data.url)).text()).toBe('one')
    const preview = await office.json(office.kim, 'POST', `/v1/file/${id}/preview`, { version: id })
    expect(await (await fetch(office.origin + preview.data.url)).text()).toBe('one')
  })

  it('that is damaged is neither sent nor restored, nor confused with the others', async () => {
    await using office = await openVersionOffice()
    const { id } = (await office.put(office.directory, 'plan.txt', 'one')).data
    await office.replace('plan.txt', 'two')
    await office.deps.blobs.remove(id)
    expect(await office.check(true)).toEqual([expect.stringContaining('version 1 of "plan.txt"')])
    expect(await office.readVersions(id)).toEqual(['two', '500'])
    expect((await office.json(office.kim, 'POST', `/v1/file/${id}/version/${id}/restore`)).code).toBe('file.damaged')
    expect(await office.readText(id)).toBe('two')
  })
})

describe('automatic removal', () => {
  it('keeps as many versions as the settings allow, and none that is too old', async () => {
    await using office = await openVersionOffice({ VERSIONS_KEPT: '3', VERSION_DAYS: '10' })
    const { id } = (await office.put(office.directory, 'plan.txt', '0')).data
    for (let i = 1; i <= 6; i++) await office.replace('plan.txt', `${i}`)
    expect((await pruneVersions(office.deps)).map(({ number }) => number)).toEqual([3, 2, 1])
    expect(await office.readVersions(id)).toEqual(['6', '5', '4', '3'])
    expect(await pruneVersions(office.deps)).toEqual([])
    office.advance(9 * dayMs)
    await office.replace('plan.txt', '7')
    office.advance(2 * dayMs)
    await pruneVersions(office.deps)
    expect(await office.readVersions(id)).toEqual(['7', '6'])
    expect([await office.readBytes(), office.countStored().blobs]).toEqual([2, 2])
    expect(await office.check()).toEqual([])
  })

  it('removes all versions of a file that is purged from the trash', async () => {
    await using office = await openVersionOffice()
    const { id } = (await office.put(office.directory, 'plan.txt', 'one')).data
    await office.replace('plan.txt', 'two')
    await office.call(office.kim, 'DELETE', `/v1/file/${id}`)
    office.advance(31 * dayMs)
    await emptyTrash(office.deps)
    expect([await office.readBytes(), office.countStored().blobs]).toEqual([0, 0])
    expect(await office.deps.db.selectFrom('file_version').selectAll().execute()).toEqual([])
    expect(await office.check()).toEqual([])
  })
})
