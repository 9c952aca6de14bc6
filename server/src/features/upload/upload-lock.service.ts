import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/secrets.ts'
import { hasOtherProcesses } from '../job/job.service.ts'
import { findLock, releaseLock, renewLock, requestLock, tryAcquireLock, type UploadRecord } from './upload.repo.ts'

/** How often a holder renews its lock and checks whether another process is waiting for it. */
const heartbeatIntervalMs = 2_000
/** A holder without a heartbeat for this long is considered dead. One that can't write its heartbeat stops itself before that. */
const deadAfterMs = 6_000
const maxSilenceMs = 5_000
const tickMs = 500
const pollIntervalMs = 200
/** How long to wait for a holder that is alive but doesn't stop. */
const acquireTimeoutMs = 15_000

/** A lock on an upload. Dispose it to release it. */
export interface HeldUploadLock extends AsyncDisposable {
  /** Aborts when another request wants the upload, or has taken it. */
  signal: AbortSignal
  /** Throws if another process has the upload by now. Call it before truncating or finishing the upload. */
  confirm(): Promise<void>
}

const heldLocks = new Map<string, { stop: () => void; ended: Promise<void> }>()

/** Returns whether a request, in this process or another one, is writing to the upload. */
export const isLocked = ({ id, holder }: UploadRecord) => heldLocks.has(id) || holder !== null

/**
 * Locks an upload, across all processes. A new request stops the previous one: if a client resumes from another network, the server may
 * not have noticed yet that the old connection is dead.
 */
export async function lockUpload(deps: Deps, id: string): Promise<HeldUploadLock> {
  const stopped = new AbortController()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const previous = heldLocks.get(id)
  const entry = { stop: () => stopped.abort(), ended }
  heldLocks.set(id, entry)
  const release = () => {
    if (heldLocks.get(id) === entry) heldLocks.delete(id)
    end()
  }
  try {
    previous?.stop()
    await previous?.ended
    if (hasOtherProcesses(deps)) return await lockAcrossProcesses(deps, id, stopped, release)
    return { signal: stopped.signal, confirm: async () => undefined, [Symbol.asyncDispose]: async () => release() }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Stores the holder in the upload's row. The holder regularly increments `beat`, so that a waiting process can see whether it is alive,
 * without comparing clocks.
 */
async function lockAcrossProcesses(
  deps: Deps,
  id: string,
  stopped: AbortController,
  release: () => void,
): Promise<HeldUploadLock> {
  const ownId = newId()
  const acquiredAt = await acquireLock(deps, id, ownId)
  const timer = startHeartbeat(deps, id, ownId, acquiredAt, stopped)
  return {
    signal: stopped.signal,
    async confirm() {
      if (!(await renewLock(deps.db, id, ownId))) throw new AppError('upload.busy')
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      // If this fails, the next request waits until it considers this process dead.
      await releaseLock(deps.db, id, ownId).catch((err) =>
        deps.log.warn({ err, upload: id }, 'could not release the lock of an upload'),
      )
      release()
    },
  }
}

/**
 * Requests that the current holder stops, and waits until it has. Of several waiting requests, the newest one gets the lock, because the
 * client is still connected to it. Returns the time of the successful attempt, by `performance.now()`.
 */
async function acquireLock(deps: Deps, id: string, ownId: string): Promise<number> {
  const deadline = performance.now() + acquireTimeoutMs
  let askedAt = performance.now()
  if (await tryAcquireLock(deps.db, id, ownId, undefined)) return askedAt
  await requestLock(deps.db, id, ownId)
  let seen = { holder: '', beat: -1, at: 0 }
  for (;;) {
    askedAt = performance.now()
    const row = await findLock(deps.db, id)
    if (!row) throw new AppError('upload.not_found')
    if (row.awaited_by !== ownId || askedAt > deadline) throw new AppError('upload.busy')
    if (row.holder === null && (await tryAcquireLock(deps.db, id, ownId, undefined))) return askedAt
    if (row.holder !== seen.holder || row.beat !== seen.beat)
      seen = { holder: row.holder ?? '', beat: row.beat, at: performance.now() }
    else if (askedAt - seen.at > deadAfterMs && (await tryAcquireLock(deps.db, id, ownId, seen))) return askedAt
    await wait(pollIntervalMs)
  }
}

/** Renews the lock until the timer is cleared. Aborts the work when the lock is lost or wanted. */
function startHeartbeat(deps: Deps, id: string, ownId: string, acquiredAt: number, stopped: AbortController) {
  let renewedAt = acquiredAt
  let beatAt = acquiredAt
  let isBeating = false
  async function beat() {
    beatAt = performance.now()
    const row = await renewLock(deps.db, id, ownId)
    renewedAt = beatAt
    if (!row || row.awaited_by !== null) stopped.abort()
  }
  return setInterval(() => {
    if (performance.now() - renewedAt > maxSilenceMs) stopped.abort()
    if (isBeating || performance.now() - beatAt < heartbeatIntervalMs) return
    isBeating = true
    void beat()
      .catch((err) => deps.log.warn({ err, upload: id }, 'could not renew the lock of an upload'))
      .finally(() => {
        isBeating = false
      })
  }, tickMs)
}
