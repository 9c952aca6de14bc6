import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { toNameColumns } from '../../lib/names/name-order.ts'
import { emptyTrash } from '../trash/trash.service.ts'
import { dayMs, openVersionOffice } from '../version/testing.ts'
import { discardAbandonedCopies } from './discard-copy.service.ts'

type Office = Awaited<ReturnType<typeof openVersionOffice>>

const addFolder = async (office: Office, parent: string, directory: string): Promise<string> =>
  (await office.json(office.kim, 'POST', '/v1/directory', { directory, parent })).data.id

/** Returns the paths and contents of all files in a directory. */
async function readTree(office: Office, directory: string, path = ''): Promise<string[]> {
  const files = (await office.json(office.kim, 'GET', `/v1/file?directory=${directory}&limit=200`)).data
  const folders = (await office.json(office.kim, 'GET', `/v1/directory?parent=${directory}&limit=200`)).data
  const lines: string[] = []
  for (const { id, file_name } of files) lines.push(`${path}${file_name}: ${await office.readText(id)}`)
  for (const { id, directory: name } of folders) lines.push(...(await readTree(office, id, `${path}${name}/`)))
  return lines.toSorted()
}

const readTotals = async (office: Office, id: string) => {
  const { files, size } = (await office.json(office.kim, 'GET', `/v1/directory/${id}`)).data
  return [files, size]
}

describe('copying files and folders', () => {
  it('shares the bytes of a file with its copy until both are removed', async () => {
    await using office = await openVersionOffice()
    const { id } = (await office.put(office.directory, 'plan.txt', 'hello')).data
    const { data } = await office.copy({ files: [id] })
    expect(data).toEqual({ files: [{ from: id, id: expect.any(String), name: 'plan (1).txt' }], directories: [] })
    const [copied] = data.files
    expect(await office.readText(copied.id)).toBe('hello')
    expect([await office.readBytes(), office.countStored().blobs]).toEqual([10, 1])
    expect(await office.listReferences()).toEqual([{ blob_id: id, refs: 2 }])
    expect(await office.check()).toEqual([])
    await office.call(office.kim, 'DELETE', `/v1/file/${id}`)
    office.advance(31 * dayMs)
    await emptyTrash(office.deps)
    expect(await office.readText(copied.id)).toBe('hello')
    expect(await office.listReferences()).toEqual([])
    expect(await office.check()).toEqual([])
    await office.call(office.kim, 'DELETE', `/v1/file/${copied.id}`)
    office.advance(31 * dayMs)
    await emptyTrash(office.deps)
    expect([await office.readBytes(), office.countStored().blobs]).toEqual([0, 0])
  })

  it('copies a folder with everything in it, and gives it a free name', async () => {
    await using office = await openVersionOffice()
    const { kim, directory } = office
    const folder = await addFolder(office, directory, 'Photos')
    const inner = await addFolder(office, folder, 'Summer')
    await addFolder(office, inner, 'Empty')
    await office.put(folder, 'a.txt', 'one')
    await office.put(inner, 'b.txt', 'two')
    const gone = (await office.put(inner, 'gone.txt', 'three')).data
    await office.call(kim, 'DELETE', `/v1/file/${gone.id}`)
    const { data } = await office.copy({ directories: [folder] })
    expect(data.directories).toMatchObject([{ from: folder, name: 'Photos (1)' }])
    const [copied] = data.directories
    expect(await readTree(office, copied.id)).toEqual(['Summer/b.txt: two', 'a.txt: one'])
    expect(await readTotals(office, copied.id)).toEqual([2, 6])
    expect(await readTotals(office, directory)).toEqual([4, 12])
    expect((await office.json(kim, 'GET', '/v1/stats')).data.files).toBe(4)
    // Into itself, and then together with a file and a folder inside it.
    expect((await office.copy({ directories: [folder], to: inner })).data.directories).toMatchObject([{ name: 'Photos' }])
    const file = (await office.put(inner, 'c.txt', 'four')).data
    expect((await office.copy({ directories: [folder, inner], files: [file.id] })).data).toMatchObject({
      files: [{ name: 'c.txt' }],
      directories: [{ name: 'Photos (2)' }, { name: 'Summer' }],
    })
    expect(await office.check()).toEqual([])
    expect((await office.json(kim, 'GET', '/v1/directory?trash=true')).data).toEqual([])
  })

  it('copies only the current version, and no links', async () => {
    await using office = await openVersionOffice()
    const { kim, company, directory } = office
    const { id } = (await office.put(directory, 'plan.txt', 'one')).data
    const reserved = (await office.json(kim, 'POST', '/v1/link/initialise', { company, directory })).data
    const link = { linkType: 'LINK_FILE', file: id, ...reserved, expiry: '2026-12-30' }
    expect((await office.json(kim, 'POST', '/v1/link', link)).status).toBe(200)
    await office.replace('plan.txt', 'two')
    const [copied] = (await office.copy({ files: [id] })).data.files
    expect(await office.readVersions(copied.id)).toEqual(['two'])
    await office.replace('plan (1).txt', 'three')
    expect([await office.readVersions(copied.id), await office.readVersions(id)]).toEqual([
      ['three', 'two'],
      ['two', 'one'],
    ])
    expect((await office.json(office.kim, 'GET', `/v1/link?file=${copied.id}`)).data).toEqual([])
    expect(await office.check()).toEqual([])
    // The shared bytes are an earlier version of one file and the current version of the other.
    const [, older] = await office.listVersions(copied.id)
    expect((await office.call(office.kim, 'DELETE', `/v1/file/${copied.id}/version/${older?.id}`)).status).toBe(204)
    expect(await office.readText(id)).toBe('two')
    expect(await office.check()).toEqual([])
  })

  it('counts a copy towards the quota of its company', async () => {
    await using office = await openVersionOffice()
    const { admin, eve } = office
    const globex = (await office.json(eve, 'GET', '/v1/identity')).data.company
    const foreign = await office.createDirectory('Foreign', eve, globex)
    const folder = await addFolder(office, office.directory, 'Plans')
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await office.put(folder, name, 'hello')
    expect((await office.copy({ directories: [folder], to: foreign })).code).toBe('directory.not_found')
    await office.json(admin, 'PATCH', `/v1/admin/company/${globex}`, { quota: 14 })
    expect((await office.copy({ directories: [folder], to: foreign }, admin)).code).toBe('company.full')
    expect([await office.readBytes(globex), await readTree(office, folder)]).toEqual([0, expect.any(Array)])
    await office.json(admin, 'PATCH', `/v1/admin/company/${globex}`, { quota: 15 })
    expect((await office.copy({ directories: [folder], to: foreign }, admin)).status).toBe(200)
    expect([await office.readBytes(globex), await office.readBytes()]).toEqual([15, 15])
    expect(await office.check()).toEqual([])
  })

  it('copies nothing if one of the items is not found', async () => {
    await using office = await openVersionOffice()
    const { id } = (await office.put(office.directory, 'plan.txt')).data
    expect((await office.copy({ files: [id, 'absent'] })).code).toBe('file.not_found')
    expect((await office.copy({ files: [id], directories: ['absent'] })).code).toBe('directory.not_found')
    const { data } = await office.json(office.eve, 'GET', '/v1/identity')
    const to = await office.createDirectory('Foreign', office.eve, data.company)
    expect((await office.copy({ files: [id], to }, office.eve)).code).toBe('file.not_found')
    expect((await office.copy({})).status).toBe(400)
    expect(await office.listNames()).toEqual(['plan.txt'])
    expect(await office.check()).toEqual([])
  })

  it('leaves nothing visible if the process dies halfway, and removes the leftovers after an hour', async () => {
    await using office = await openVersionOffice()
    const folder = await addFolder(office, office.directory, 'Many')
    await addFiles(office, folder, 250)
    const { deps } = office
    const before = await office.readBytes()
    const transaction = deps.db.transaction.bind(deps.db)
    let left = 3
    deps.db.transaction = () => {
      if (left-- <= 0) throw new Error('killed')
      return transaction()
    }
    expect((await office.copy({ directories: [folder] })).status).toBe(500)
    deps.db.transaction = transaction
    expect((await office.json(office.kim, 'GET', `/v1/directory?parent=${office.directory}`)).data).toHaveLength(1)
    expect((await office.json(office.kim, 'GET', '/v1/directory?trash=true')).data).toEqual([])
    expect((await office.json(office.kim, 'GET', '/v1/file?limit=200&search=many')).data).toHaveLength(200)
    expect((await office.json(office.kim, 'GET', '/v1/stats')).data.files).toBe(250)
    expect(await office.readBytes()).toBeGreaterThan(before)
    expect(await office.check()).toEqual([])
    await discardAbandonedCopies(deps)
    expect(await office.readBytes()).toBeGreaterThan(before)
    office.advance(61 * 60_000)
    await discardAbandonedCopies(deps)
    expect([await office.readBytes(), await office.listReferences()]).toEqual([
      before,
      [{ blob_id: expect.any(String), refs: 250 }],
    ])
    expect(await office.check()).toEqual([])
  })

  it('stops when the client disconnects, and leaves nothing behind', async () => {
    await using office = await openVersionOffice()
    const folder = await addFolder(office, office.directory, 'Many')
    await addFiles(office, folder, 1500)
    const before = await office.readBytes()
    const aborted = new AbortController()
    const body = JSON.stringify({ directories: [folder], to: office.directory })
    const headers = { ...office.kim, 'content-type': 'application/json' }
    const request = fetch(`${office.origin}/v1/copy`, { method: 'POST', headers, body, signal: aborted.signal })
    await expect.poll(() => office.readBytes()).toBeGreaterThan(before)
    aborted.abort()
    await expect(request).rejects.toThrow()
    await expect.poll(() => office.readBytes(), { timeout: 20_000 }).toBe(before)
    await expect
      .poll(() => office.deps.db.selectFrom('directory').select('id').where('trashed_with', 'is not', null).execute())
      .toEqual([])
    expect(await office.check()).toEqual([])
  })

  it('doesn’t block other requests while it copies 2,000 files', async () => {
    await using office = await openVersionOffice()
    const folder = await addFolder(office, office.directory, 'Many')
    await addFiles(office, folder, 2000)
    let isDone = false
    const copying = office.copy({ directories: [folder] }).finally(() => {
      isDone = true
    })
    let answered = 0
    while (!isDone) {
      expect((await office.get('/v1/identity')).status).toBe(200)
      answered++
      await wait(1)
    }
    expect((await copying).status).toBe(200)
    expect(answered).toBeGreaterThan(5)
    expect(await readTotals(office, office.directory)).toEqual([4000, 4000])
  })

  it('removes the shared bytes exactly once if both files are removed at the same time', async () => {
    await using office = await openVersionOffice()
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      const { id } = (await office.put(office.directory, `f${i}.txt`, `text ${i}`)).data
      ids.push(id, (await office.copy({ files: [id] })).data.files[0].id)
    }
    await office.json(office.kim, 'POST', '/v1/file/delete', { ids })
    office.advance(31 * dayMs)
    await Promise.all([emptyTrash(office.deps), emptyTrash(office.deps)])
    expect([await office.readBytes(), office.countStored().blobs, await office.listReferences()]).toEqual([0, 0, []])
    expect(await office.check()).toEqual([])
  })

  it('either copies a file with its bytes or fails if the file is purged at the same time', async () => {
    await using office = await openVersionOffice()
    const folder = await addFolder(office, office.directory, 'Plans')
    for (let i = 0; i < 8; i++) {
      const text = `hello ${i}`
      const { id } = (await office.put(folder, 'a.txt', text)).data
      const purge = async () => {
        await wait(2 * i) // in the first rounds the purge usually comes first, in the last ones the copy
        await office.json(office.kim, 'POST', '/v1/file/delete', { ids: [id] })
        office.advance(31 * dayMs)
        await emptyTrash(office.deps)
      }
      const [copied] = await Promise.all([office.copy({ files: [id] }), purge()])
      if (copied.status === 200) expect(await office.readText(copied.data.files[0].id)).toBe(text)
      else expect(copied.code).toBe('file.not_found')
      expect(await office.check()).toEqual([])
    }
  })
})

/** Adds many files quickly. They share a blob of one byte. */
async function addFiles(office: Office, directory: string, count: number) {
  const { id } = (await office.put(directory, 'many 0.txt', 'x')).data
  const { db } = office.deps
  const { seq: _, ...row } = await db.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const rows = Array.from({ length: count - 1 }, (_, i) => {
    const name = `many ${i + 1}.txt`
    return { ...row, id: `${'x'.repeat(16)}${String(i).padStart(6, '0')}`, name, ...toNameColumns(name) }
  })
  for (let at = 0; at < rows.length; at += 200)
    await db
      .insertInto('file')
      .values(rows.slice(at, at + 200))
      .execute()
  await db.insertInto('shared_blob').values({ blob_id: id, refs: count }).execute()
  await db.updateTable('directory').set({ files: count, bytes: count }).where('id', 'in', [directory, office.directory]).execute()
  await db.updateTable('company').set({ bytes: count }).where('id', '=', office.company).execute()
  await db.updateTable('company_total').set({ files: count }).where('company_id', 'in', ['', office.company]).execute()
}
