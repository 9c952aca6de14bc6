import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../../lib/secrets.ts'
import type { BlobStore } from '../blob-store.ts'
import { computeChecksums, createFailingSource, createSource, sample } from '../suites/samples.ts'
import { openDiskBlobs } from './disk-store.ts'

const folders: string[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function openTemporary() {
  const folder = await mkdtemp(join(tmpdir(), 'neptune-blobs-'))
  folders.push(folder)
  return { store: await openDiskBlobs(folder), reopen: () => openDiskBlobs(folder) }
}

const bytes = sample(20_000_001)
const expected = { ...computeChecksums(bytes), head: bytes.subarray(0, 4096) }

const put = (store: BlobStore, source = createSource(bytes)) =>
  store.put(newId(), source, { maxSize: bytes.length, announcedBytes: bytes.length })
const append = (store: BlobStore, id: string, offset: number, end: number) =>
  store.append(id, createSource(bytes.subarray(offset, end)), { offset, maxSize: bytes.length })

/** Makes the thread end at this message, as if it had crashed. */
function crashAtMessage(number: number) {
  const post = Worker.prototype.postMessage
  let count = 0
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, message) {
    if (++count === number) void this.terminate()
    else post.call(this, message)
  })
}

describe('a large upload, which is hashed in a thread,', () => {
  it('has the same checksums and first bytes as without the thread, also with others at the same time', async () => {
    const { store } = await openTemporary()
    expect(await Promise.all([put(store), put(store), put(store)])).toEqual([expected, expected, expected])
  })

  it('has them after several requests, a rewind and a restart', async () => {
    const { store, reopen } = await openTemporary()
    const id = newId()
    await store.create(id)
    await append(store, id, 0, 7_000_000)
    await append(store, id, 7_000_000, 9_000_000)
    await store.rewind(id, 8_000_000)
    await append(store, id, 8_000_000, 12_000_000)
    const reopened = await reopen()
    await append(reopened, id, 12_000_000, 19_000_000)
    await append(reopened, id, 19_000_000, bytes.length)
    expect(await reopened.finish(id)).toEqual(expected)
    expect(await (await reopen()).finish(id)).toEqual(expected)
  })

  it.each([1, 3, 5])('has them even if the thread crashes at message %i, and so has the next one', async (number) => {
    const { store } = await openTemporary()
    crashAtMessage(number)
    expect(await put(store)).toEqual(expected)
    expect(await put(store)).toEqual(expected)
  })

  it('leaves nothing in the thread if it fails', async () => {
    const { store } = await openTemporary()
    const post = vi.spyOn(Worker.prototype, 'postMessage')
    await expect(put(store, createFailingSource(bytes.subarray(0, 10_000_000)))).rejects.toMatchObject({ fault: 'cut' })
    expect(post).toHaveBeenLastCalledWith({ id: expect.any(Number), isDropped: true })
  })
})
