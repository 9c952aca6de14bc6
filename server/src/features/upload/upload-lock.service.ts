import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/secrets.ts'
import { hasOtherProcesses } from '../job/job.service.ts'
import { findHold, releaseHold, renewHold, requestHold, takeHold } from './upload.repo.ts'

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
export interface Hold extends AsyncDisposable {
  /** Aborts when another request wants the upload, or has taken it. */
  signal: AbortSignal
  /** Throws if another process has the upload by now. Call it before truncating or finishing the upload. */
  confirm(): Promise<void>
}

const held = new Map<string, { stop: () => void; ended: Promise<void> }>()

/**
 * Locks an upload, across all processes. A new request stops the one before it: a client that resumes from another network may
 * have left its old connection open on our side.
 */
export async function holdUpload(deps: Deps, id: string): Promise<Hold> {
  const stopped = new AbortController()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const previous = held.get(id)
  const entry = { stop: () => stopped.abort(), ended }
  held.set(id, entry)
  const release = () => {
    if (held.get(id) === entry) held.delete(id)
    end()
  }
  try {
    previous?.stop()
    await previous?.ended
    if (hasOtherProcesses(deps)) return await holdAcrossProcesses(deps, id, stopped, release)
    return { signal: stopped.signal, confirm: async () => undefined, [Symbol.asyncDispose]: async () => release() }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Stores the holder in the upload's row. Doesn't compare clocks: the holder increments `beat`, and a waiting process sees
 * whether it still does.
 */
async function holdAcrossProcesses(deps: Deps, id: string, stopped: AbortController, release: () => void): Promise<Hold> {
  const me = newId()
  const acquiredAt = await acquireHold(deps, id, me)
  const timer = startHeartbeat(deps, id, me, acquiredAt, stopped)
  return {
    signal: stopped.signal,
    async confirm() {
      if (!(await renewHold(deps.db, id, me))) throw new AppError('upload.busy')
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      // If this fails, the next request waits until it considers us dead.
      await releaseHold(deps.db, id, me).catch((err) =>
        deps.log.warn({ err, upload: id }, 'could not release the lock of an upload'),
      )
      release()
    },
  }
}

/**
 * Asks the current holder to stop, and waits for it. Of several waiting requests the newest wins, because the client is still
 * connected to that one. Returns when the lock was acquired.
 */
async function acquireHold(deps: Deps, id: string, me: string): Promise<number> {
  const deadline = performance.now() + acquireTimeoutMs
  let askedAt = performance.now()
  if (await takeHold(deps.db, id, me, undefined)) return askedAt
  await requestHold(deps.db, id, me)
  let seen = { holder: '', beat: -1, at: 0 }
  for (;;) {
    askedAt = performance.now()
    const row = await findHold(deps.db, id)
    if (!row) throw new AppError('upload.not_found')
    if (row.awaited_by !== me || askedAt > deadline) throw new AppError('upload.busy')
    if (row.holder === null && (await takeHold(deps.db, id, me, undefined))) return askedAt
    if (row.holder !== seen.holder || row.beat !== seen.beat)
      seen = { holder: row.holder ?? '', beat: row.beat, at: performance.now() }
    else if (askedAt - seen.at > deadAfterMs && (await takeHold(deps.db, id, me, seen))) return askedAt
    await wait(pollIntervalMs)
  }
}

/** Renews the lock until the timer is cleared. Aborts the work when the lock is lost or wanted. */
function startHeartbeat(deps: Deps, id: string, me: string, acquiredAt: number, stopped: AbortController) {
  let renewedAt = acquiredAt
  let beatAt = acquiredAt
  let isBeating = false
  async function beat() {
    beatAt = performance.now()
    const row = await renewHold(deps.db, id, me)
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
