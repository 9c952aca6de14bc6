import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, it } from 'vitest'
import { newId } from '../../lib/secrets.ts'
import { collect, createSource, disconnectMidway, sample } from '../suites/samples.ts'
import { sweep } from '../sweep.ts'
import { createTextBody } from './client/transport.ts'
import { maxSize, put, useS3 } from './testing.ts'

const { db, openNew, spoolDir } = useS3()

describe('the leftovers of a killed process', () => {
  it('are swept: multipart uploads and tails that are not referenced, and nothing else', async () => {
    const longAgo = new Date(Date.now() - 60_000) // independent of how long the test takes
    const { store, objects, keys } = await openNew()
    const [unfinished, abandoned, tail] = [newId(), newId(), newId()]
    await objects.begin(`blobs/${abandoned}`)
    await objects.put(`uploads/${tail}/0-${newId()}`, createTextBody(''))
    await store.create(unfinished)
    await store.append(unfinished, createSource(sample(10_000_000)), { offset: 0, maxSize })
    expect((await collect(store.listUploads())).toSorted()).toEqual([unfinished, abandoned, tail].toSorted())
    const soon = new Date(Date.now() + 60_000)
    const findReferenced = async () => new Set([unfinished])
    expect((await sweep(store, { before: longAgo, findReferenced })).uploads).toEqual([])
    expect((await sweep(store, { before: soon, findReferenced })).uploads.toSorted()).toEqual([abandoned, tail].toSorted())
    expect(await collect(store.listUploads())).toEqual([unfinished])
    expect(await collect(objects.listUnfinished(''))).toHaveLength(1)
    expect(await keys()).toHaveLength(1)
    await store.append(unfinished, createSource(sample(10)), { offset: 10_000_000, maxSize })
    expect((await store.finish(unfinished)).size).toBe(10_000_010)
  })

  it('are cleaned up by the next `finish` if the object was created but its row remained', async () => {
    const { store, reopen, keys } = await openNew()
    const [id, bytes] = [newId(), sample(10_000_000)]
    await store.create(id)
    await store.append(id, createSource(bytes), { offset: 0, maxSize: bytes.length })
    const row = await db().selectFrom('blob_upload').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const stored = await store.finish(id)
    await db().insertInto('blob_upload').values(row).execute()
    const reopened = await reopen()
    expect(await reopened.getReceivedSize(id)).toBe(bytes.length)
    expect(await reopened.finish(id)).toEqual(stored)
    expect(await collect(reopened.listUploads())).toEqual([])
    expect(await keys()).toEqual([`blobs/${id}`])
  })

  it('are listed as strays, like other unknown objects, and can be removed', async () => {
    const { store, objects, keys } = await openNew()
    const id = newId()
    await put(store, sample(10), id)
    const strays = ['blobs/a.txt', `blobs/${id}/x`, 'blobs/a & b + <c>', 'uploads/b.txt', `uploads/${id}/0-${newId()}`]
    for (const key of [...strays, 'elsewhere.txt']) await objects.put(key, createTextBody(''))
    expect((await collect(store.listStrays())).map(({ path }) => path).toSorted()).toEqual(strays.toSorted())
    expect(await collect(store.listBlobs())).toEqual([id])
    expect(await collect(store.listUploads())).toEqual([])
    for (const path of strays) await store.removeStray(path)
    expect((await keys()).toSorted()).toEqual([`blobs/${id}`, 'elsewhere.txt'])
  })
})

it('leaves no file behind and no descriptor open, no matter when clients disconnect', async () => {
  const { store } = await openNew()
  const blob = newId()
  await put(store, sample(1_000_000), blob)
  const countOpenFiles = async () => (await readdir('/proc/self/fd')).length
  const before = await countOpenFiles()
  await Promise.all(Array.from({ length: 20 }, (_, i) => disconnectMidway(store, blob, i)))
  expect(await readdir(spoolDir())).toEqual([])
  // Kept-alive connections may stay open.
  await expect.poll(async () => (await countOpenFiles()) - before).toBeLessThanOrEqual(25)
})

it('uses little memory for an upload of 200 MiB', async () => {
  const { settings } = await openNew(inject('smallS3'))
  const program = `
    import { Readable } from 'node:stream'
    import { openS3Blobs } from '${import.meta.dirname}/s3-store.ts'
    const store = await openS3Blobs(${JSON.stringify(settings)}, { states: {}, spoolDir: '${spoolDir()}' })
    const bytes = (size) => Readable.from((function* () {
      for (let left = size; left > 0; left -= 65536) yield Buffer.alloc(65536, left)
    })(), { objectMode: false })
    await store.put('${newId()}', bytes(16 * 2 ** 20), { maxSize: 1e9 })
    const idle = process.memoryUsage().rss
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
    const { size } = await store.put('${newId()}', bytes(200 * 2 ** 20), { maxSize: 1e9 })
    clearInterval(watch)
    console.log(JSON.stringify({ size, grown: (most - idle) / 2 ** 20 }))
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { size, grown } = JSON.parse(await text(child.stdout)) as { size: number; grown: number }
  expect(size).toBe(200 * 2 ** 20)
  expect(grown, 'MiB of growth').toBeLessThan(60)
})
