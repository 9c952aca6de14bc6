import { constants } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../lib/secrets.ts'
import type { BlobStore } from './blob-store.ts'
import { openDiskBlobs } from './disk.ts'
import { listOf, sample, sourceOf } from './samples.ts'

/** Everything asked of the real disk, in order; and what goes wrong with one of these steps. */
const disk = vi.hoisted(() => ({
  steps: [] as string[],
  fault: undefined as { step: RegExp; code: string } | undefined,
  isFull: false,
}))

/** Notes a step, or fails it. */
const note = (syscall: string, ...paths: string[]) => {
  const step = `${syscall} ${paths.map((path) => relative(folder, path)).join(' ')}`
  disk.steps.push(step)
  if (!disk.fault?.step.test(step)) return
  throw Object.assign(new Error(`${disk.fault.code}: ${step}`), { code: disk.fault.code, syscall })
}

const isWritten = (flags: number) => (flags & constants.O_WRONLY) !== 0
/** The kernel's own full disk. */
const fullDisk = '/dev/full'

/** By descriptors, as a new file is written and a folder flushed. */
vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs')>()
  const pathOf = new Map<number, string>()
  const noted = (call: (...call: never[]) => void, syscall: string) => {
    const wrapped = (fd: number, ...rest: unknown[]) => {
      try {
        note(syscall, pathOf.get(fd) ?? 'nothing we know')
        ;(call as unknown as (...call: unknown[]) => void)(fd, ...rest)
      } catch (error) {
        ;(rest.at(-1) as (error: unknown) => void)(error)
      }
    }
    return Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(call)) // what promisify() goes by
  }
  const calls = {
    open(path: string, flags: number, ...rest: unknown[]) {
      const done = rest.at(-1) as (error: unknown, fd: number) => void
      const opened = (error: unknown, fd: number) => {
        pathOf.set(fd, path)
        done(error, fd)
      }
      real.open(path, flags, rest.length > 1 ? (rest[0] as number) : undefined, (error, fd) => {
        if (error || !disk.isFull || !isWritten(flags)) return opened(error, fd)
        real.closeSync(fd)
        real.open(fullDisk, constants.O_WRONLY, opened)
      })
    },
    writev: noted(real.writev, 'write'),
    fsync: noted(real.fsync, 'fsync'),
  }
  return { ...real, ...calls, default: { ...real, ...calls } }
})

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>()
  return {
    ...real,
    async open(path: string, flags: number, mode?: number) {
      let file = await real.open(path, flags, mode)
      if (disk.isFull && isWritten(flags)) {
        await file.close()
        file = await real.open(fullDisk, constants.O_WRONLY)
      }
      const { writev, sync } = file
      file.writev = (async (...call: Parameters<typeof writev>) => {
        note('write', path)
        return await writev.apply(file, call)
      }) as typeof writev
      file.sync = async () => {
        note('fsync', path)
        await sync.call(file)
      }
      return file
    },
    async mkdir(path: string, options: object) {
      note('mkdir', path)
      await real.mkdir(path, options)
    },
    async rename(from: string, to: string) {
      note('rename', from, to)
      await real.rename(from, to)
    },
  }
})

let folder: string
let store: BlobStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'neptune-blobs-'))
  store = await openDiskBlobs(folder)
  disk.steps = []
})
afterEach(async () => {
  Object.assign(disk, { fault: undefined, isFull: false })
  await rm(folder, { recursive: true, force: true })
})

const put = (id = newId()) => store.put(id, sourceOf(sample(1000)), { maxSize: 1000 })
const id = 'q83vASNFZ4mrze8BI0VniQ' // ab cd ef …

async function nothingIsLeft() {
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
  expect(await listOf(store.blobs())).toEqual([])
}

it('has the bytes safe before the name, and the name safe before it answers', async () => {
  await put(id)
  expect(disk.steps).toEqual([
    `write tmp/${id}`,
    `fsync tmp/${id}`,
    'mkdir blobs/ab',
    'fsync blobs',
    'mkdir blobs/ab/cd',
    'fsync blobs/ab',
    `rename tmp/${id} blobs/ab/cd/${id}`,
    'fsync blobs/ab/cd',
  ])
})

it('does for the next one in the same folder only what is needed', async () => {
  await put(id)
  disk.steps = []
  const next = `${id.slice(0, -1)}A`
  await put(next)
  expect(disk.steps).toEqual([
    `write tmp/${next}`,
    `fsync tmp/${next}`,
    `rename tmp/${next} blobs/ab/cd/${next}`,
    'fsync blobs/ab/cd',
  ])
})

it('flushes a folder it found once more, since whoever made it may have been killed before', async () => {
  await put(id)
  store = await openDiskBlobs(folder)
  disk.steps = []
  await put(`${id.slice(0, -1)}A`)
  expect(disk.steps.filter((step) => step.startsWith('fsync blobs'))).toEqual([
    'fsync blobs',
    'fsync blobs/ab',
    'fsync blobs/ab/cd',
  ])
})

describe('a disk that does not say that it is safe', () => {
  it.each([`tmp/${id}`, 'blobs', 'blobs/ab', 'blobs/ab/cd'])(
    'about %s is asked once; the upload is thrown away',
    async (path) => {
      disk.fault = { step: new RegExp(`^fsync ${path}$`), code: 'EIO' }
      await store.create(id)
      await store.append(id, sourceOf(sample(1000)), { offset: 0, maxSize: 1000 })
      await expect(store.finish(id)).rejects.toMatchObject({ code: 'EIO' })
      expect(disk.steps.filter((step) => step === `fsync ${path}`)).toHaveLength(1)
      disk.fault = undefined
      await nothingIsLeft()
      await expect(store.finish(id)).rejects.toMatchObject({ fault: 'missing' })
      await put()
    },
  )
})

it('never throws away what was finished before', async () => {
  await put(id)
  store = await openDiskBlobs(folder)
  disk.fault = { step: /^fsync/, code: 'EIO' }
  await expect(store.finish(id)).rejects.toMatchObject({ code: 'EIO' })
  disk.fault = undefined
  await (await store.open(id, 1000)).close()
})

describe('a disk that is full', () => {
  it('has no space, and keeps nothing of an upload in one go', async () => {
    disk.isFull = true
    await expect(put()).rejects.toMatchObject({ fault: 'no_space', cause: { code: 'ENOSPC' } })
    disk.isFull = false
    await nothingIsLeft()
    await put()
  })

  it('has no space, and keeps what an upload that resumes had before', async () => {
    await store.create(id)
    await store.append(id, sourceOf(sample(1000).subarray(0, 400)), { offset: 0, maxSize: 1000 })
    disk.fault = { step: /^write/, code: 'EDQUOT' }
    const rest = () => store.append(id, sourceOf(sample(1000).subarray(400)), { offset: 400, maxSize: 1000 })
    await expect(rest()).rejects.toMatchObject({ fault: 'no_space' })
    disk.fault = undefined
    expect(await store.received(id)).toBe(400)
    await rest()
    expect(await store.finish(id)).toEqual(await put())
  })

  it.each(['mkdir', 'rename'])('at the %s lets the upload be finished later', async (step) => {
    disk.fault = { step: new RegExp(`^${step}`), code: 'ENOSPC' }
    await store.create(id)
    await store.append(id, sourceOf(sample(1000)), { offset: 0, maxSize: 1000 })
    await expect(store.finish(id)).rejects.toMatchObject({ fault: 'no_space' })
    disk.fault = undefined
    expect(await store.received(id)).toBe(1000)
    expect(await store.finish(id)).toEqual(await put())
  })
})

it('hands on what else goes wrong as it came', async () => {
  disk.fault = { step: /^write/, code: 'EIO' }
  await expect(put()).rejects.toMatchObject({ code: 'EIO' })
  disk.fault = undefined
  await nothingIsLeft()
})
