import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, createNetworkError } from '../../api/api-error.ts'
import type { NewUpload, Tus } from './transport/tus.ts'
import { createTransfers } from './upload-manager.ts'
import type { KeptUpload, UploadStorage } from './upload-storage.ts'

const target = { id: 'd', name: 'Contracts' }
const file = (name = 'Offer.pdf', text = 'abcdef') => ({
  file: new File([text], name, { lastModified: 1 }),
  path: name,
  conflict: 'keep' as const,
})

/** Creates an in-memory server that can simulate faults, and an in-memory storage. */
function setUp() {
  const uploads = new Map<string, NewUpload & { bytes: string; isComplete: boolean }>()
  const kept = new Map<string, KeptUpload>()
  const patches: { id: string; offset: number }[] = []
  const faults: (() => Promise<never> | undefined)[] = []
  const fault = async () => faults.shift()?.()
  const find = (id: string) => {
    const upload = uploads.get(id)
    if (!upload) throw new ApiError('reply', '', { status: 404 })
    return upload
  }
  const tus: Tus = {
    async create(upload) {
      await fault()
      const id = `u${uploads.size + 1}`
      uploads.set(id, { ...upload, bytes: '', isComplete: false })
      return { id, offset: 0, file: undefined, isDirect: false }
    },
    async status(id) {
      await fault()
      const { bytes, isComplete } = find(id)
      return { offset: bytes.length, file: isComplete ? `file of ${id}` : undefined, isDirect: false }
    },
    async append(id, rest, { offset }, signal, onSent) {
      patches.push({ id, offset })
      const text = await rest.text()
      const upload = find(id)
      if (upload.bytes.length !== offset) throw new ApiError('upload.wrong_offset', '', { status: 409 })
      upload.bytes += text.slice(0, 2)
      onSent(2)
      await fault()
      signal.throwIfAborted()
      upload.bytes += text.slice(2)
      onSent(text.length)
      upload.isComplete = true
      await fault()
      return { offset: upload.bytes.length, file: `file of ${id}`, isDirect: false }
    },
    async remove(id) {
      uploads.delete(id)
    },
  }
  const storage: UploadStorage = {
    async put(rows) {
      for (const row of rows) kept.set(row.id, row)
    },
    async remove(ids) {
      for (const id of ids) kept.delete(id)
    },
    async adopt(user, take) {
      take([...kept.values()].filter((row) => row.user === user))
    },
  }
  const open = () => {
    const transfers = createTransfers(tus, storage)
    transfers.setUser('kim')
    return transfers
  }
  return { uploads, kept, patches, faults, open, transfers: open() }
}

const states = (transfers: ReturnType<typeof createTransfers>) => transfers.read().transfers.map(({ state }) => state.kind)
const settled = () => vi.advanceTimersByTimeAsync(500)
const broken = () => Promise.reject(createNetworkError())
const hang = () => new Promise<never>(() => {})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('createTransfers', () => {
  it('sends three files in parallel', async () => {
    const { transfers, uploads, faults, kept } = setUp()
    faults.push(hang, hang, hang)
    transfers.add(
      ['a', 'b', 'c', 'd'].map((name) => file(name)),
      target,
    )
    await settled()
    expect(states(transfers)).toEqual(['sending', 'sending', 'sending', 'queued'])
    transfers.pause(
      transfers
        .read()
        .transfers.slice(0, 1)
        .map(({ id }) => id),
    )
    await settled()
    expect(uploads.size).toBe(0)
    expect(kept.size).toBe(4)
  })

  it('removes completed uploads from the storage', async () => {
    const { transfers, uploads, kept } = setUp()
    transfers.add([file('a'), file('b')], target)
    await settled()
    expect(states(transfers)).toEqual(['done', 'done'])
    expect([...uploads.values()].map(({ bytes }) => bytes)).toEqual(['abcdef', 'abcdef'])
    expect(transfers.read()).toMatchObject({ completed: 2, announcement: 'Uploads: 2 done.' })
    expect(kept.size).toBe(0)
  })

  it('resumes at the server’s offset after a network error, at once when the network is back', async () => {
    const { transfers, uploads, faults, patches } = setUp()
    faults.push(() => undefined, broken, broken, broken)
    transfers.add([file()], target)
    await settled()
    expect(states(transfers)).toEqual(['waiting'])
    await vi.advanceTimersByTimeAsync(1000) // the second attempt fails, too
    expect(states(transfers)).toEqual(['waiting'])
    transfers.wake()
    await settled() // so does the third; the next one would follow in four seconds
    expect(states(transfers)).toEqual(['waiting'])
    transfers.wake()
    await settled()
    expect(states(transfers)).toEqual(['done'])
    expect(patches).toEqual([
      { id: 'u1', offset: 0 },
      { id: 'u1', offset: 2 },
    ])
    expect(uploads.get('u1')?.bytes).toBe('abcdef')
  })

  it('does not send a file again when only the last response was lost', async () => {
    const { transfers, uploads, faults, patches } = setUp()
    faults.push(
      () => undefined,
      () => undefined,
      broken,
    )
    transfers.add([file()], target)
    await settled()
    expect(states(transfers)).toEqual(['waiting'])
    await vi.advanceTimersByTimeAsync(1500)
    expect(states(transfers)).toEqual(['done'])
    expect(patches).toHaveLength(1)
    expect(uploads.size).toBe(1)
  })

  it('restarts an upload that the server has lost only on retry', async () => {
    const { transfers, uploads, faults } = setUp()
    faults.push(() => undefined, broken)
    transfers.add([file()], target)
    await settled()
    uploads.clear()
    await vi.advanceTimersByTimeAsync(1500)
    expect(states(transfers)).toEqual(['failed'])
    transfers.retry()
    await settled()
    expect(states(transfers)).toEqual(['done'])
    expect(uploads.size).toBe(1)
  })

  it('pauses, resumes and cancels uploads, also on the server', async () => {
    const { transfers, uploads, faults, kept, patches } = setUp()
    faults.push(() => undefined, broken)
    transfers.add([file()], target)
    await settled()
    const [id = ''] = transfers.read().transfers.map((transfer) => transfer.id)
    transfers.pause()
    expect(states(transfers)).toEqual(['paused'])
    expect(kept.get(id)?.isPaused).toBe(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(patches).toHaveLength(1)
    faults.push(() => undefined, broken)
    transfers.resume([id])
    await settled()
    expect(patches.at(-1)).toEqual({ id: 'u1', offset: 2 })
    transfers.cancel([id])
    await settled()
    expect([states(transfers), uploads.size, kept.size]).toEqual([[], 0, 0])
  })

  it('shows the progress of paused uploads after a reload', async () => {
    const { transfers, faults, open } = setUp()
    faults.push(() => undefined, broken)
    transfers.add([file()], target)
    await settled()
    transfers.pause()
    const next = open()
    await settled()
    expect(next.read().transfers).toMatchObject([{ state: { kind: 'paused' }, sent: 2 }])
  })

  it('deletes an upload that is canceled while it is created', async () => {
    const { transfers, uploads, kept, faults } = setUp()
    let answer = () => {}
    faults.push(() => new Promise<never>((resolve) => (answer = resolve as () => void)))
    transfers.add([file()], target)
    await settled()
    transfers.cancel(transfers.read().transfers.map(({ id }) => id))
    answer()
    await settled()
    expect([states(transfers), uploads.size, kept.size]).toEqual([[], 0, 0])
  })

  it('stops without a session, and resumes when the same user signs in again', async () => {
    const { transfers, faults } = setUp()
    faults.push(
      () => undefined,
      () => Promise.reject(new ApiError('session.missing', '', { status: 401 })),
    )
    transfers.add([file()], target)
    await settled()
    transfers.setUser(undefined)
    expect(transfers.read().transfers).toEqual([])
    transfers.setUser('lee')
    await settled()
    expect(transfers.read().transfers).toEqual([])
    transfers.setUser('kim')
    await settled()
    expect(states(transfers)).toEqual(['done'])
  })

  it('needs the file again after a reload, checks it, and sends only the rest', async () => {
    const { transfers, open, faults, patches } = setUp()
    faults.push(() => undefined, hang)
    transfers.add([file()], target)
    await settled()
    transfers.setUser(undefined)
    const later = open()
    await settled()
    expect(later.read().transfers).toMatchObject([{ sent: 2, state: { kind: 'fileless', canAsk: false } }])
    const { id = '' } = later.read().transfers[0] ?? {}
    await later.supplyFiles([file('Offer.pdf', 'abcdeX').file], id)
    expect(later.read().transfers[0]?.state).toMatchObject({
      problem: expect.stringMatching(/changed.*Choose the original “Offer.pdf”/),
    })
    await later.supplyFiles([file().file], id)
    await settled()
    expect(states(later)).toEqual(['done'])
    expect(patches.at(-1)).toEqual({ id: 'u1', offset: 2 })
  })

  it('completes an upload after a reload if the server has all bytes', async () => {
    const { transfers, open, faults } = setUp()
    faults.push(
      () => undefined,
      () => undefined,
      hang,
    )
    transfers.add([file()], target)
    await settled()
    transfers.setUser(undefined)
    const later = open()
    await settled()
    expect(states(later)).toEqual(['done'])
  })
})
