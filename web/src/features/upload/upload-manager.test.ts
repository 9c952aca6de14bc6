import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { createPickedFile, createRequest, failNetwork, getStates, hang, settle, setUp, target } from './testing.ts'
import { describeJob } from './upload-texts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('createUploadManager', () => {
  it('sends five files in parallel, and no other while the request of a paused one is pending', async () => {
    const { manager, uploads, faults, stored } = setUp()
    faults.push(hang, hang, hang, hang, hang)
    manager.add(createRequest(...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => createPickedFile(name))), target)
    await settle()
    expect(getStates(manager)).toEqual(['sending', 'sending', 'sending', 'sending', 'sending', 'queued'])
    manager.pause(
      manager
        .read()
        .jobs.slice(0, 1)
        .map(({ id }) => id),
    )
    await settle()
    expect(uploads.size).toBe(0)
    expect(stored.size).toBe(6)
  })

  it('keeps the reason for a failure after a reload, until the file is chosen again', async () => {
    const { faults, open, manager } = setUp()
    const fail = () => Promise.reject(new ApiError('storage.full', 'The disk is full.', { status: 507 }))
    faults.push(fail)
    manager.add(createRequest(createPickedFile()), target)
    await settle()
    expect(getStates(manager)).toEqual(['failed'])
    const reopened = open()
    await settle()
    const [job] = reopened.read().jobs
    expect(job && [job.state.kind, describeJob(job)]).toEqual([
      'fileless',
      'The disk is full. Choose the file again to continue.',
    ])
    await reopened.supplyFiles([createPickedFile().file])
    await settle()
    expect(getStates(reopened)).toEqual(['done'])
  })

  it('removes completed uploads from the browser’s storage', async () => {
    const { manager, uploads, stored } = setUp()
    manager.add(createRequest(createPickedFile('a'), createPickedFile('b')), target)
    await settle()
    expect(getStates(manager)).toEqual(['done', 'done'])
    expect([...uploads.values()].map(({ bytes }) => bytes)).toEqual(['abcdef', 'abcdef'])
    expect(manager.read()).toMatchObject({ completed: 2, announcement: 'Uploads: 2 done.' })
    expect(stored.size).toBe(0)
  })

  it('resumes at the server’s offset after a network error, at once when the network is back', async () => {
    const { manager, uploads, faults, patches } = setUp()
    faults.push(() => undefined, failNetwork, failNetwork, failNetwork)
    manager.add(createRequest(createPickedFile()), target)
    await settle()
    expect(getStates(manager)).toEqual(['waiting'])
    await vi.advanceTimersByTimeAsync(1000) // the second attempt fails, too
    expect(getStates(manager)).toEqual(['waiting'])
    manager.retryWaiting()
    await settle() // so does the third; the next one would follow in four seconds
    expect(getStates(manager)).toEqual(['waiting'])
    manager.retryWaiting()
    await settle()
    expect(getStates(manager)).toEqual(['done'])
    expect(patches).toEqual([
      { id: 'u1', offset: 0 },
      { id: 'u1', offset: 2 },
    ])
    expect(uploads.get('u1')?.bytes).toBe('abcdef')
  })

  it('does not send a file again when only the last response was lost', async () => {
    const { manager, uploads, faults, patches } = setUp()
    faults.push(
      () => undefined,
      () => undefined,
      failNetwork,
    )
    manager.add(createRequest(createPickedFile()), target)
    await settle()
    expect(getStates(manager)).toEqual(['waiting'])
    await vi.advanceTimersByTimeAsync(1500)
    expect(getStates(manager)).toEqual(['done'])
    expect(patches).toHaveLength(1)
    expect(uploads.size).toBe(1)
  })

  it('restarts an upload that the server has lost, but only on retry', async () => {
    const { manager, uploads, faults } = setUp()
    faults.push(() => undefined, failNetwork)
    manager.add(createRequest(createPickedFile()), target)
    await settle()
    uploads.clear()
    await vi.advanceTimersByTimeAsync(1500)
    expect(getStates(manager)).toEqual(['failed'])
    manager.retry()
    await settle()
    expect(getStates(manager)).toEqual(['done'])
    expect(uploads.size).toBe(1)
  })

  it('pauses and resumes an upload, and cancels it on the server, too', async () => {
    const { manager, uploads, faults, stored, patches } = setUp()
    faults.push(() => undefined, failNetwork)
    manager.add(createRequest(createPickedFile()), target)
    await settle()
    const [id = ''] = manager.read().jobs.map((job) => job.id)
    manager.pause()
    expect(getStates(manager)).toEqual(['paused'])
    expect(stored.get(id)?.isPaused).toBe(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(patches).toHaveLength(1)
    faults.push(() => undefined, failNetwork)
    manager.resume([id])
    await settle()
    expect(patches.at(-1)).toEqual({ id: 'u1', offset: 2 })
    manager.cancel([id])
    await settle()
    expect([getStates(manager), uploads.size, stored.size]).toEqual([[], 0, 0])
  })

  it('shows the progress of paused uploads after a reload', async () => {
    const { manager, faults, open } = setUp()
    faults.push(() => undefined, failNetwork)
    manager.add(createRequest(createPickedFile()), target)
    await settle()
    manager.pause()
    const next = open()
    await settle()
    expect(next.read().jobs).toMatchObject([{ state: { kind: 'paused' }, sent: 2 }])
  })

  it('deletes an upload that is canceled while it is being created', async () => {
    const { manager, uploads, stored, faults } = setUp()
    let answer = () => {}
    faults.push(() => new Promise<never>((resolve) => (answer = resolve as () => void)))
    manager.add(createRequest(createPickedFile()), target)
    await settle()
    manager.cancel(manager.read().jobs.map(({ id }) => id))
    answer()
    await settle()
    expect([getStates(manager), uploads.size, stored.size]).toEqual([[], 0, 0])
  })

  it('keeps a finished upload in the list when it is canceled, until it is cleared', async () => {
    const { manager, uploads } = setUp()
    manager.add(createRequest(createPickedFile()), target)
    await settle()
    const ids = manager.read().jobs.map(({ id }) => id)
    manager.cancel(ids)
    await settle()
    expect([getStates(manager), uploads.size]).toEqual([['done'], 1])
    manager.clearFinished(ids)
    expect(getStates(manager)).toEqual([])
  })

  it('stops without a session, and resumes when the same user signs in again', async () => {
    const { manager, faults } = setUp()
    faults.push(
      () => undefined,
      () => Promise.reject(new ApiError('session.missing', '', { status: 401 })),
    )
    manager.add(createRequest(createPickedFile()), target)
    await settle()
    manager.setUser(undefined)
    expect(manager.read().jobs).toEqual([])
    manager.setUser('lee')
    await settle()
    expect(manager.read().jobs).toEqual([])
    manager.setUser('kim')
    await settle()
    expect(getStates(manager)).toEqual(['done'])
  })

  it('needs the file again after a reload, checks it, and sends only the rest', async () => {
    const { manager, open, faults, patches } = setUp()
    faults.push(() => undefined, hang)
    manager.add(createRequest(createPickedFile()), target)
    await settle()
    manager.setUser(undefined)
    const later = open()
    await settle()
    expect(later.read().jobs).toMatchObject([{ sent: 2, state: { kind: 'fileless', canAsk: false } }])
    const { id = '' } = later.read().jobs[0] ?? {}
    await later.supplyFiles([createPickedFile('Offer.pdf', 'abcdeX').file], id)
    expect(later.read().jobs[0]?.state).toMatchObject({
      problem: expect.stringMatching(/changed.*Choose the original “Offer.pdf”/),
    })
    await later.supplyFiles([createPickedFile().file], id)
    await settle()
    expect(getStates(later)).toEqual(['done'])
    expect(patches.at(-1)).toEqual({ id: 'u1', offset: 2 })
  })

  it('completes an upload after a reload if the server has all bytes', async () => {
    const { manager, open, faults } = setUp()
    faults.push(
      () => undefined,
      () => undefined,
      hang,
    )
    manager.add(createRequest(createPickedFile()), target)
    await settle()
    manager.setUser(undefined)
    const later = open()
    await settle()
    expect(getStates(later)).toEqual(['done'])
  })
})
