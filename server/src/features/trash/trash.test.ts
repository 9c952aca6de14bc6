import { describe, expect, it, vi } from 'vitest'
import { removeBackupHold, renewBackupHold } from '../../db/installation.ts'
import { openFileOffice } from '../file/testing.ts'
import { emptyTrash, removeOrphans } from './trash.service.ts'

const day = 24 * 60 * 60_000

describe('the trash', () => {
  it('restores a file with a number in its name if the name is taken', async () => {
    await using server = await openFileOffice()
    const { data } = await server.put(server.directory, 'a.txt', 'first')
    expect((await server.call(server.kim, 'DELETE', `/v1/file/${data.id}`)).status).toBe(204)
    expect(await server.listNames()).toEqual([])
    expect((await server.json(server.kim, 'GET', '/v1/stats')).data.files).toBe(0)
    await server.put(server.directory, 'a.txt', 'second')
    const restored = await server.json(server.kim, 'POST', '/v1/file/restore', { ids: [data.id] })
    expect(restored.data).toMatchObject([{ file_name: 'a (1).txt', deleted_at: null }])
    expect(await (await server.get(`/v1/file/${data.id}`)).text()).toBe('first')
    expect((await server.json(server.kim, 'GET', `/v1/directory/${server.directory}`)).data).toMatchObject({ files: 2, size: 11 })
  })

  it('takes several files in one call: all or none', async () => {
    await using server = await openFileOffice()
    const ids: string[] = []
    for (const name of ['a.txt', 'b.txt', 'c.txt']) ids.push((await server.put(server.directory, name)).data.id)
    expect((await server.json(server.kim, 'POST', '/v1/file/delete', { ids: [...ids, 'absent'] })).code).toBe('file.not_found')
    expect(await server.listNames()).toHaveLength(3)
    expect((await server.call(server.kim, 'POST', '/v1/file/delete', { ids: [...ids, ids[0]] })).status).toBe(204)
    expect(await server.listNames()).toEqual([])
    server.advance(1000)
    const last = await server.put(server.directory, 'last.txt')
    await server.call(server.kim, 'DELETE', `/v1/file/${last.data.id}`)
    expect((await server.listNames(server.kim, '?trash=true'))[0]).toBe('last.txt') // the newest deletion first
    expect((await server.json(server.kim, 'POST', '/v1/file/restore', { ids })).data).toHaveLength(3)
    expect((await server.json(server.kim, 'GET', `/v1/directory/${server.directory}`)).data).toMatchObject({ files: 3, size: 15 })
  })

  it('takes a directory with its files, and restores both', async () => {
    await using server = await openFileOffice()
    const { data } = await server.put(server.directory, 'a.txt')
    await server.call(server.kim, 'DELETE', `/v1/directory/${server.directory}`)
    expect(await server.listNames()).toEqual([])
    expect((await server.get(`/v1/file/${data.id}`)).status).toBe(404)
    expect((await server.put(server.directory, 'b.txt')).status).toBe(404)
    expect((await server.json(server.kim, 'GET', '/v1/directory')).data).toEqual([])
    expect((await server.json(server.kim, 'GET', '/v1/directory?trash=true')).data).toMatchObject([
      { directory: 'Plans', files: 1 },
    ])
    expect((await server.json(server.kim, 'POST', `/v1/directory/${server.directory}/restore`)).data.deleted_at).toBeNull()
    expect(await server.listNames()).toEqual(['a.txt'])
  })

  it('removes rows and bytes after the retention time, and updates the company’s bytes', async () => {
    await using server = await openFileOffice({ TRASH_DAYS: '30' })
    const kept = await server.put(server.directory, 'kept.txt')
    const { data } = await server.put(server.directory, 'gone.txt')
    const other = await server.createDirectory('Other')
    await server.put(other, 'along.txt')
    await server.call(server.kim, 'DELETE', `/v1/file/${data.id}`)
    await server.call(server.kim, 'DELETE', `/v1/directory/${other}`)
    server.advance(30 * day - 1000)
    await emptyTrash(server.deps)
    expect(server.countStored().blobs).toBe(3)
    server.advance(2000)
    await emptyTrash(server.deps)
    expect(server.countStored().blobs).toBe(1)
    const { db } = server.deps
    expect(await db.selectFrom('file').select('id').execute()).toEqual([{ id: kept.data.id }])
    expect(await db.selectFrom('directory').select('name').execute()).toEqual([{ name: 'Plans' }])
    expect(await db.selectFrom('company').select('bytes').where('id', '=', server.company).executeTakeFirst()).toEqual({
      bytes: 5,
    })
  })

  it('removes nothing while a backup runs, but does not wait for one that died', async () => {
    await using server = await openFileOffice({ TRASH_DAYS: '30' })
    const { data } = await server.put(server.directory, 'gone.txt')
    await server.call(server.kim, 'DELETE', `/v1/file/${data.id}`)
    server.advance(31 * day)
    const { db } = server.deps
    await renewBackupHold(db, 'first', new Date(server.clock.now.getTime() + 60_000).toISOString())
    await renewBackupHold(db, 'second', new Date(server.clock.now.getTime() + 60_000).toISOString())
    await removeBackupHold(db, 'first')
    expect(await emptyTrash(server.deps)).toEqual([])
    expect(server.countStored().blobs).toBe(1)
    server.advance(61_000)
    expect(await emptyTrash(server.deps)).toMatchObject([{ name: 'gone.txt' }])
    expect(server.countStored().blobs).toBe(0)
  })

  it('removes only orphaned bytes that are older than a day', async () => {
    await using server = await openFileOffice()
    await server.put(server.directory, 'a.txt')
    await server.deps.blobs.create('BBBBBBBBBBBBBBBBBBBBBB')
    server.deps.now = () => new Date()
    await removeOrphans(server.deps)
    expect(server.countStored()).toEqual({ tmp: 1, blobs: 1 })
    server.deps.now = () => new Date(Date.now() + day + 1000)
    await removeOrphans(server.deps)
    expect(server.countStored()).toEqual({ tmp: 0, blobs: 1 })
  })

  it('neither restores an expired directory nor removes files of one that was restored', async () => {
    await using server = await openFileOffice({ SESSION_IDLE_MINUTES: '6000000' })
    for (const name of ['a.txt', 'b.txt']) await server.put(server.directory, name)
    const late = await server.createDirectory('Late')
    await server.put(late, 'c.txt')
    await server.json(server.kim, 'DELETE', `/v1/directory/${server.directory}`)
    server.advance(day)
    await server.json(server.kim, 'DELETE', `/v1/directory/${late}`)
    server.advance(29 * day + 1)
    const restore = async (id: string) => (await server.json(server.admin, 'POST', `/v1/directory/${id}/restore`)).status
    expect(await restore(server.directory)).toBe(404)
    // The sweep has read what to delete. Before it deletes anything, someone restores the other directory.
    const begun = emptyTrash(server.deps)
    expect(await restore(late)).toBe(200)
    await begun
    expect(await server.listNames()).toEqual(['c.txt'])
    expect((await server.json(server.kim, 'GET', '/v1/stats')).data).toMatchObject({ directories: 1, files: 1 })
    const company = await server.deps.db
      .selectFrom('company')
      .select('bytes')
      .where('id', '=', server.company)
      .executeTakeFirstOrThrow()
    expect(Number(company.bytes)).toBe(5)
  })

  it('stops removing files of a directory that is restored meanwhile, and keeps its counters correct', async () => {
    await using server = await openFileOffice({ SESSION_IDLE_MINUTES: '6000000' })
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await server.put(server.directory, name)
    await server.json(server.kim, 'DELETE', `/v1/directory/${server.directory}`)
    server.advance(31 * day)
    const remove = vi.spyOn(server.deps.blobs, 'remove')
    remove.mockImplementationOnce(async (id) => {
      // Simulates that the retention time is extended and the directory restored just after the first file is removed.
      await server.deps.db.updateTable('directory').set({ deleted_at: null }).where('id', '=', server.directory).execute()
      await server.deps.blobs.remove(id)
    })
    await emptyTrash(server.deps)
    expect(await server.listNames()).toHaveLength(2)
    expect((await server.json(server.kim, 'GET', `/v1/directory/${server.directory}`)).data).toMatchObject({ files: 2, size: 10 })
  })

  it('restores twenty files with the same name at once, each with its own number', async () => {
    await using server = await openFileOffice()
    const ids: string[] = []
    for (let i = 0; i < 20; i++) {
      const { data } = await server.put(server.directory, 'same.txt', `${i}`)
      ids.push(data.id)
      await server.json(server.kim, 'DELETE', `/v1/file/${data.id}`)
    }
    await server.put(server.directory, 'same.txt')
    const { data } = await server.json(server.kim, 'POST', '/v1/file/restore', { ids })
    const expected = Array.from({ length: 20 }, (_, i) => `same (${i + 1}).txt`).toSorted()
    expect(data.map((file: { file_name: string }) => file.file_name).toSorted()).toEqual(expected)
  })
})
