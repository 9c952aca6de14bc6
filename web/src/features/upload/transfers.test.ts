import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, createNetworkError } from '../../api/api-error.ts'
import type { KeptUpload, Shelf } from './kept-uploads.ts'
import { createTransfers } from './transfers.ts'
import type { NewUpload, Tus } from './tus.ts'

const target = { id: 'd', name: 'Contracts' }
const file = (name = 'Offer.pdf', text = 'abcdef') => ({
  file: new File([text], name, { lastModified: 1 }),
  path: name,
  conflict: 'keep' as const,
})

/** A server in memory, which can be told to misbehave, and a shelf. */
function setUp() {
  const uploads = new Map<string, NewUpload & { bytes: string; landed: boolean }>()
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
      uploads.set(id, { ...upload, bytes: '', landed: false })
      return { id, offset: 0, file: undefined, isDirect: false }
    },
    async status(id) {
      await fault()
      const { bytes, landed } = find(id)
      return { offset: bytes.length, file: landed ? `file of ${id}` : undefined, isDirect: false }
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
      upload.landed = true
      await fault()
      return { offset: upload.bytes.length, file: `file of ${id}`, isDirect: false }
    },
    async remove(id) {
      uploads.delete(id)
    },
  }
  const shelf: Shelf = {
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
    const transfers = createTransfers(tus, shelf)
    transfers.attend('kim')
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

describe('uploads', () => {
  it('send what they are given, three at a time', async () => {
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

  it('are forgotten when they have landed', async () => {
    const { transfers, uploads, kept } = setUp()
    transfers.add([file('a'), file('b')], target)
    await settled()
    expect(states(transfers)).toEqual(['done', 'done'])
    expect([...uploads.values()].map(({ bytes }) => bytes)).toEqual(['abcdef', 'abcdef'])
    expect(transfers.read()).toMatchObject({ landed: 2, news: 'Uploads: 2 done.' })
    expect(kept.size).toBe(0)
  })

  it('go on from where the server stands when the network breaks, sooner when it is back', async () => {
    const { transfers, uploads, faults, patches } = setUp()
    faults.push(() => undefined, broken, broken, broken)
    transfers.add([file()], target)
    await settled()
    expect(states(transfers)).toEqual(['waiting'])
    await vi.advanceTimersByTimeAsync(1000) // the second try fails, too
    expect(states(transfers)).toEqual(['waiting'])
    transfers.wake()
    await settled() // and the third; now it would wait four seconds
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

  it('whose last answer was lost are found finished, and not sent again', async () => {
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

  it('the server has lost begin again only when asked to', async () => {
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

  it('pause, resume, and are given up on the server, too', async () => {
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

  it('that are paused show after a reload how far they are', async () => {
    const { transfers, faults, open } = setUp()
    faults.push(() => undefined, broken)
    transfers.add([file()], target)
    await settled()
    transfers.pause()
    const next = open()
    await settled()
    expect(next.read().transfers).toMatchObject([{ state: { kind: 'paused' }, sent: 2 }])
  })

  it('cancelled in the moment they begin are given up, too, and stay forgotten', async () => {
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

  it('stand still without their session, and go on with the same person’s next one', async () => {
    const { transfers, faults } = setUp()
    faults.push(
      () => undefined,
      () => Promise.reject(new ApiError('session.missing', '', { status: 401 })),
    )
    transfers.add([file()], target)
    await settled()
    transfers.attend(undefined)
    expect(transfers.read().transfers).toEqual([])
    transfers.attend('lee')
    await settled()
    expect(transfers.read().transfers).toEqual([])
    transfers.attend('kim')
    await settled()
    expect(states(transfers)).toEqual(['done'])
  })

  it('of a page that is gone want their file again, check it, and send only the rest', async () => {
    const { transfers, open, faults, patches } = setUp()
    faults.push(() => undefined, hang)
    transfers.add([file()], target)
    await settled()
    transfers.attend(undefined)
    const later = open()
    await settled()
    expect(later.read().transfers).toMatchObject([{ sent: 2, state: { kind: 'fileless', canAsk: false } }])
    const { id = '' } = later.read().transfers[0] ?? {}
    await later.supply([file('Offer.pdf', 'abcdeX').file], id)
    expect(later.read().transfers[0]?.state).toMatchObject({ problem: expect.stringMatching(/changed.*Choose “Offer.pdf”/) })
    await later.supply([file().file], id)
    await settled()
    expect(states(later)).toEqual(['done'])
    expect(patches.at(-1)).toEqual({ id: 'u1', offset: 2 })
  })

  it('of a page that is gone are done when the server has them whole', async () => {
    const { transfers, open, faults } = setUp()
    faults.push(
      () => undefined,
      () => undefined,
      hang,
    )
    transfers.add([file()], target)
    await settled()
    transfers.attend(undefined)
    const later = open()
    await settled()
    expect(states(later)).toEqual(['done'])
  })
})
