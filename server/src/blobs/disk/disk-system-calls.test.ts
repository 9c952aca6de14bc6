import { constants } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../../lib/secrets.ts'
import type { BlobStore } from '../blob-store.ts'
import { collect, createSource, sample } from '../suites/samples.ts'
import { openDiskBlobs } from './disk-store.ts'

/** Records the system calls on the real disk, in order, and makes one of them fail. */
const disk = vi.hoisted(() => ({
  steps: [] as string[],
  fault: undefined as { step: RegExp; code: string } | undefined,
  isFull: false,
}))

/** Records a step. Throws if it is the one that is to fail. */
const recordStep = (syscall: string, ...paths: string[]) => {
  const step = `${syscall} ${paths.map((path) => relative(folder, path)).join(' ')}`
  disk.steps.push(step)
  if (!disk.fault?.step.test(step)) return
  throw Object.assign(new Error(`${disk.fault.code}: ${step}`), { code: disk.fault.code, syscall })
}

const isForWriting = (flags: number) => (flags & constants.O_WRONLY) !== 0
/** A device on which every write fails with ENOSPC. */
const fullDevice = '/dev/full'

/** Mocks the functions with callbacks, with which the store writes new files and syncs folders. */
vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs')>()
  const pathOf = new Map<number, string>()
  const recordCalls = (call: (...call: never[]) => void, syscall: string) => {
    const wrapped = (fd: number, ...rest: unknown[]) => {
      try {
        recordStep(syscall, pathOf.get(fd) ?? 'unknown')
        ;(call as unknown as (...call: unknown[]) => void)(fd, ...rest)
      } catch (error) {
        ;(rest.at(-1) as (error: unknown) => void)(error)
      }
    }
    return Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(call)) // promisify() needs them
  }
  const calls = {
    open(path: string, flags: number, ...rest: unknown[]) {
      const done = rest.at(-1) as (error: unknown, fd: number) => void
      const opened = (error: unknown, fd: number) => {
        pathOf.set(fd, path)
        done(error, fd)
      }
      real.open(path, flags, rest.length > 1 ? (rest[0] as number) : undefined, (error, fd) => {
        if (error || !disk.isFull || !isForWriting(flags)) return opened(error, fd)
        real.closeSync(fd)
        real.open(fullDevice, constants.O_WRONLY, opened)
      })
    },
    writev: recordCalls(real.writev, 'write'),
    fsync: recordCalls(real.fsync, 'fsync'),
  }
  return { ...real, ...calls, default: { ...real, ...calls } }
})

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>()
  return {
    ...real,
    async open(path: string, flags: number, mode?: number) {
      let file = await real.open(path, flags, mode)
      if (disk.isFull && isForWriting(flags)) {
        await file.close()
        file = await real.open(fullDevice, constants.O_WRONLY)
      }
      const { writev, sync } = file
      file.writev = (async (...call: Parameters<typeof writev>) => {
        recordStep('write', path)
        return await writev.apply(file, call)
      }) as typeof writev
      file.sync = async () => {
        recordStep('fsync', path)
        await sync.call(file)
      }
      return file
    },
    async mkdir(path: string, options: object) {
      recordStep('mkdir', path)
      await real.mkdir(path, options)
    },
    async rename(from: string, to: string) {
      recordStep('rename', from, to)
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

const put = (id = newId()) => store.put(id, createSource(sample(1000)), { maxSize: 1000 })
const id = 'q83vASNFZ4mrze8BI0VniQ' // starts with the bytes ab cd, so its folder is blobs/ab/cd

async function expectEmpty() {
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
  expect(await collect(store.listBlobs())).toEqual([])
}

it('syncs the bytes before the rename, and resolves only when the rename is synced', async () => {
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

it('does not sync the parent folders again for the next blob in the same folder', async () => {
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

it('syncs an existing folder again, because the process that created it may have been killed before syncing it', async () => {
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

describe('a failed fsync', () => {
  it.each([`tmp/${id}`, 'blobs', 'blobs/ab', 'blobs/ab/cd'])(
    'of %s is not retried, and the upload is discarded',
    async (path) => {
      disk.fault = { step: new RegExp(`^fsync ${path}$`), code: 'EIO' }
      await store.create(id)
      await store.append(id, createSource(sample(1000)), { offset: 0, maxSize: 1000 })
      await expect(store.finish(id)).rejects.toMatchObject({ code: 'EIO' })
      expect(disk.steps.filter((step) => step === `fsync ${path}`)).toHaveLength(1)
      disk.fault = undefined
      await expectEmpty()
      await expect(store.finish(id)).rejects.toMatchObject({ fault: 'missing' })
      await put()
    },
  )
})

it('never discards an upload that was finished before', async () => {
  await put(id)
  store = await openDiskBlobs(folder)
  disk.fault = { step: /^fsync/, code: 'EIO' }
  await expect(store.finish(id)).rejects.toMatchObject({ code: 'EIO' })
  disk.fault = undefined
  await (await store.open(id, 1000)).close()
})

describe('a full disk', () => {
  it('fails with no_space and keeps nothing of a single-request upload', async () => {
    disk.isFull = true
    await expect(put()).rejects.toMatchObject({ fault: 'no_space', cause: { code: 'ENOSPC' } })
    disk.isFull = false
    await expectEmpty()
    await put()
  })

  it('fails with no_space and keeps the earlier bytes of a resumable upload', async () => {
    await store.create(id)
    await store.append(id, createSource(sample(1000).subarray(0, 400)), { offset: 0, maxSize: 1000 })
    disk.fault = { step: /^write/, code: 'EDQUOT' }
    const appendRest = () => store.append(id, createSource(sample(1000).subarray(400)), { offset: 400, maxSize: 1000 })
    await expect(appendRest()).rejects.toMatchObject({ fault: 'no_space' })
    disk.fault = undefined
    expect(await store.getReceivedSize(id)).toBe(400)
    await appendRest()
    expect(await store.finish(id)).toEqual(await put())
  })

  it.each(['mkdir', 'rename'])('during %s lets the upload be finished later', async (step) => {
    disk.fault = { step: new RegExp(`^${step}`), code: 'ENOSPC' }
    await store.create(id)
    await store.append(id, createSource(sample(1000)), { offset: 0, maxSize: 1000 })
    await expect(store.finish(id)).rejects.toMatchObject({ fault: 'no_space' })
    disk.fault = undefined
    expect(await store.getReceivedSize(id)).toBe(1000)
    expect(await store.finish(id)).toEqual(await put())
  })
})

it('rethrows other errors unchanged', async () => {
  disk.fault = { step: /^write/, code: 'EIO' }
  await expect(put()).rejects.toMatchObject({ code: 'EIO' })
  disk.fault = undefined
  await expectEmpty()
})
