import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, readlink, rename, rm, stat, symlink, truncate, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { newId } from '../../lib/secrets.ts'
import type { BlobStore } from '../blob-store.ts'
import { describeBlobStore } from '../suites/blob-store.suite.ts'
import { collect, createSource, disconnectMidway, sample } from '../suites/samples.ts'
import { openDiskBlobs } from './disk-store.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function openTemporary() {
  const folder = await mkdtemp(join(tmpdir(), 'neptune-blobs-'))
  folders.push(folder)
  return { folder, store: await openDiskBlobs(folder), reopen: () => openDiskBlobs(folder) }
}

describeBlobStore('disk', openTemporary)

const maxSize = 1e9
const put = (store: BlobStore, id: string, bytes: Buffer) => store.put(id, createSource(bytes), { maxSize })
const blobPath = (folder: string, id: string) => {
  const hex = Buffer.from(id, 'base64url').toString('hex')
  return join(folder, 'blobs', hex.slice(0, 2), hex.slice(2, 4), id)
}

it('creates files and folders that other users of the machine cannot read', async () => {
  const { folder, store } = await openTemporary()
  const id = newId()
  await put(store, id, sample(10))
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
  expect(await modeOf(blobPath(folder, id))).toBe('600')
  expect(await modeOf(join(folder, 'blobs'))).toBe('700')
  expect(await modeOf(join(blobPath(folder, id), '..'))).toBe('700')
})

it('lists unknown files in its folders as strays, not as blobs', async () => {
  const { folder, store } = await openTemporary()
  const id = newId()
  await put(store, id, sample(10))
  const shard = dirname(blobPath(folder, id))
  const elsewhere = newId()
  for (const path of ['tmp/a.txt', 'blobs/b.txt', 'tmp/.probe-now']) await writeFile(join(folder, path), '')
  await writeFile(join(shard, elsewhere), '')
  const strays = ['tmp/a.txt', 'blobs/b.txt', relative(folder, join(shard, elsewhere))]
  expect((await collect(store.listStrays())).map(({ path }) => path).toSorted()).toEqual(strays.toSorted())
  expect(await collect(store.listBlobs())).toEqual([id])
  for (const path of strays) await store.removeStray(path)
  expect(await collect(store.listStrays())).toEqual([])
})

it('lists symbolic links as strays, reads the folders they point to, and lists none as an upload or a blob', async () => {
  const { folder, store } = await openTemporary()
  const [id, linked] = [newId(), newId()]
  await put(store, id, sample(10))
  const shard = dirname(blobPath(folder, id))
  await rename(dirname(shard), join(folder, 'moved'))
  await symlink(join(folder, 'moved'), dirname(shard))
  const nowhere = join(folder, 'nowhere')
  const paths = [
    dirname(shard),
    join(folder, 'tmp', linked),
    join(folder, 'blobs', 'a'),
    join(folder, 'blobs', 'zz'),
    join(shard, linked),
  ]
  for (const path of paths.slice(1)) await symlink(nowhere, path)
  const strays = await collect(store.listStrays())
  expect(strays.map(({ path }) => path).toSorted()).toEqual(paths.map((path) => relative(folder, path)).toSorted())
  expect(strays.every(({ isLink }) => isLink)).toBe(true)
  expect(await collect(store.listBlobs())).toEqual([id])
  expect(await collect(store.listUploads())).toEqual([])
  expect(await store.getSize(id)).toBe(10)
})

it('lists entries that are named like a shard but are not folders as strays', async () => {
  const { folder, store } = await openTemporary()
  await writeFile(join(folder, 'blobs/1e'), '')
  await symlink(join(folder, 'nowhere'), join(folder, 'blobs/2f'))
  expect(await collect(store.listBlobs())).toEqual([])
  expect((await collect(store.listStrays())).toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: 'blobs/1e', isLink: false },
    { path: 'blobs/2f', isLink: true },
  ])
})

it('does not follow a symbolic link in place of an upload or a blob', async () => {
  const { folder, store } = await openTemporary()
  const [id, victim] = [newId(), join(folder, 'victim')]
  await writeFile(victim, 'precious')
  await symlink(victim, join(folder, 'tmp', id))
  await expect(store.create(id)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(store.append(id, createSource(sample(8)), { offset: 8, maxSize })).rejects.toMatchObject({ fault: 'missing' })
  await expect(store.getReceivedSize(id)).rejects.toMatchObject({ fault: 'missing' })
  await expect(store.finish(id)).rejects.toMatchObject({ fault: 'missing' })
  await store.discard(id)
  expect(await readFile(victim, 'utf8')).toBe('precious')

  await put(store, id, sample(8))
  await unlink(blobPath(folder, id))
  await symlink(victim, blobPath(folder, id))
  await expect(store.open(id, 8)).rejects.toMatchObject({ fault: 'damaged' })
})

it.each([
  ['truncated', (path: string) => truncate(path, 99)],
  ['extended', (path: string) => truncate(path, 101)],
  ['deleted', (path: string) => unlink(path)],
])('reports a blob that was %s as damaged when it is opened', async (_, damage) => {
  const { folder, store } = await openTemporary()
  const id = newId()
  await put(store, id, sample(100))
  await damage(blobPath(folder, id))
  await expect(store.open(id, 100)).rejects.toMatchObject({ fault: 'damaged' })
})

it('fails when a blob is truncated after it was opened', async () => {
  const { folder, store } = await openTemporary()
  const [id, size] = [newId(), 2_000_000]
  await put(store, id, sample(size))
  await using blob = await store.open(id, size)
  await truncate(blobPath(folder, id), 1_000_000)
  const to = new PassThrough().resume()
  await expect(blob.sendTo(to)).rejects.toMatchObject({ fault: 'damaged' })
  await expect(buffer(blob.read())).rejects.toMatchObject({ fault: 'damaged' })
})

it('computes the checksums again when the file has changed', async () => {
  const { folder, store } = await openTemporary()
  const [id, bytes] = [newId(), sample(100)]
  await store.create(id)
  await store.append(id, createSource(bytes), { offset: 0, maxSize })
  await truncate(join(folder, 'tmp', id), 50)
  await store.append(id, createSource(bytes.subarray(50)), { offset: 50, maxSize })
  expect(await store.finish(id)).toEqual(await put(store, newId(), bytes))
})

it('lists neither probes nor unknown files as uploads or blobs', async () => {
  const { folder, store } = await openTemporary()
  await writeFile(join(folder, 'tmp', '.probe-left-behind'), '')
  await writeFile(join(folder, 'blobs', '.DS_Store'), '')
  expect(await collect(store.listUploads())).toEqual([])
  expect(await collect(store.listBlobs())).toEqual([])
})

it('leaves no descriptor open, no matter when clients disconnect', async () => {
  const { folder, store } = await openTemporary()
  const openFiles = async () => {
    const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
    return (await Promise.all(links)).filter((path) => path.startsWith(folder))
  }
  const blob = newId()
  await put(store, blob, sample(1_000_000))
  await Promise.all(Array.from({ length: 100 }, (_, i) => disconnectMidway(store, blob, i)))
  await expect(store.open(blob, 1)).rejects.toMatchObject({ fault: 'damaged' })
  await expect.poll(openFiles).toEqual([])
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})

it('reports the correct size after the process was killed', async () => {
  const { folder, reopen } = await openTemporary()
  const program = (id: string) => `
    import { Readable } from 'node:stream'
    import { openDiskBlobs } from '${import.meta.dirname}/disk-store.ts'
    const store = await openDiskBlobs('${folder}')
    await store.create('${id}')
    let next = 0
    for (let offset = 0; ; ) {
      const part = Array.from({ length: 40 }, () => Buffer.from(new Uint32Array(16384).map(() => next++).buffer))
      offset = await store.append('${id}', Readable.from(part), { offset, maxSize: 1e12 })
      process.stdout.write(offset + '\\n')
    }`
  for (let round = 0; round < 3; round++) {
    const id = newId()
    const child = spawn(process.execPath, ['--input-type=module', '-e', program(id)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = new AbortController()
    child.once('close', () => exited.abort())
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    while (output.split('\n').length <= 1 + round * 3) await once(child.stdout, 'data', { signal: exited.signal })
    child.kill('SIGKILL')
    await once(child, 'close')

    const acknowledged = Number(output.trimEnd().split('\n').at(-1))
    const store = await reopen()
    const received = await store.getReceivedSize(id)
    expect(received).toBeGreaterThanOrEqual(acknowledged)
    const counted = Buffer.from(Uint32Array.from({ length: Math.ceil(received / 4) }, (_, i) => i).buffer)
    const kept = await readFile(join(folder, 'tmp', id))
    expect(kept.equals(counted.subarray(0, received))).toBe(true)
    await store.append(id, createSource(sample(10)), { offset: received, maxSize: 1e12 })
    expect((await store.finish(id)).size).toBe(received + 10)
  }
})

it('throws an error for the operator when the folders cannot be used', async () => {
  const { folder } = await openTemporary()
  await expect(openDiskBlobs(join(folder, 'nowhere'))).rejects.toThrow(/^Can't store files in .*nowhere \(ENOENT\)/)
  await rm(join(folder, 'blobs'), { recursive: true })
  await writeFile(join(folder, 'blobs'), '')
  await expect(openDiskBlobs(folder)).rejects.toThrow(/^Can't store files in .* \(ENOTDIR\)/)
  await rm(join(folder, 'blobs'))
  await symlink('/proc', join(folder, 'blobs'))
  await expect(openDiskBlobs(folder)).rejects.toThrow('are on different file systems')
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})
