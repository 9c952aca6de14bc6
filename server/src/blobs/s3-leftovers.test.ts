import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, it } from 'vitest'
import { newId } from '../lib/secrets.ts'
import { bodyOf } from './s3-call.ts'
import { comeAndGo, listOf, sample, sourceOf } from './samples.ts'
import { sweep } from './sweep.ts'
import { maxSize, put, useS3 } from './testing.ts'

const { db, openNew, spoolDir } = useS3()

describe('what a killed process left', () => {
  it('is swept: parts, tails and rows that nobody knows, and nothing else', async () => {
    const longAgo = new Date(Date.now() - 60_000) // independent of how long the test takes
    const { store, objects, keys } = await openNew()
    const [goesOn, dead, tail] = [newId(), newId(), newId()]
    await objects.begin(`blobs/${dead}`)
    await objects.put(`uploads/${tail}/0-${newId()}`, bodyOf(''))
    await store.create(goesOn)
    await store.append(goesOn, sourceOf(sample(10_000_000)), { offset: 0, maxSize })
    expect((await listOf(store.uploads())).toSorted()).toEqual([goesOn, dead, tail].toSorted())
    const soon = new Date(Date.now() + 60_000)
    const wanted = async () => new Set([goesOn])
    expect((await sweep(store, { before: longAgo, wanted })).uploads).toEqual([])
    expect((await sweep(store, { before: soon, wanted })).uploads.toSorted()).toEqual([dead, tail].toSorted())
    expect(await listOf(store.uploads())).toEqual([goesOn])
    expect(await listOf(objects.unfinished(''))).toHaveLength(1)
    expect(await keys()).toHaveLength(1)
    await store.append(goesOn, sourceOf(sample(10)), { offset: 10_000_000, maxSize })
    expect((await store.finish(goesOn)).size).toBe(10_000_010)
  })

  it('after the object was made, and before that was noted, is finished by the next who asks', async () => {
    const { store, reopen, keys } = await openNew()
    const [id, bytes] = [newId(), sample(10_000_000)]
    await store.create(id)
    await store.append(id, sourceOf(bytes), { offset: 0, maxSize: bytes.length })
    const row = await db().selectFrom('blob_upload').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const stored = await store.finish(id)
    await db().insertInto('blob_upload').values(row).execute()
    const later = await reopen()
    expect(await later.received(id)).toBe(bytes.length)
    expect(await later.finish(id)).toEqual(stored)
    expect(await listOf(later.uploads())).toEqual([])
    expect(await keys()).toEqual([`blobs/${id}`])
  })

  it('and whatever else lies there is told, and can be removed', async () => {
    const { store, objects, keys } = await openNew()
    const id = newId()
    await put(store, sample(10), id)
    const strays = ['blobs/a.txt', `blobs/${id}/x`, 'blobs/a & b + <c>', 'uploads/b.txt', `uploads/${id}/0-${newId()}`]
    for (const key of [...strays, 'elsewhere.txt']) await objects.put(key, bodyOf(''))
    expect((await listOf(store.strays())).map(({ place }) => place).toSorted()).toEqual(strays.toSorted())
    expect(await listOf(store.blobs())).toEqual([id])
    expect(await listOf(store.uploads())).toEqual([])
    for (const place of strays) await store.removeStray(place)
    expect((await keys()).toSorted()).toEqual([`blobs/${id}`, 'elsewhere.txt'])
  })
})

it('leaves no file behind and no descriptor open, whenever clients go away', async () => {
  const { store } = await openNew()
  const blob = newId()
  await put(store, sample(1_000_000), blob)
  const openFiles = async () => (await readdir('/proc/self/fd')).length
  const before = await openFiles()
  await Promise.all(Array.from({ length: 20 }, (_, i) => comeAndGo(store, blob, i)))
  expect(await readdir(spoolDir())).toEqual([])
  // Connections that wait to be used again are ours to keep.
  await expect.poll(async () => (await openFiles()) - before).toBeLessThanOrEqual(25)
})

it('needs little memory, whatever the size', async () => {
  const { settings } = await openNew(inject('smallS3'))
  const program = `
    import { Readable } from 'node:stream'
    import { openS3Blobs } from '${import.meta.dirname}/s3.ts'
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
  expect(grown, 'MiB more than before').toBeLessThan(60)
})
