import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/secrets.ts'
import { hasOtherProcesses } from '../job/job.service.ts'
import { awaitHold, beatHold, endHold, findHold, takeHold } from './upload.repo.ts'

/** How often a holder says that it is still there, and hears who waits. */
const beatEvery = 2_000
/** Without a word for so long, it is taken for dead; before that, one that cannot make itself heard stops by itself. */
const deadAfter = 6_000
const silentAtMost = 5_000
const tick = 500
const lookEvery = 200
/** Longer than this nobody waits for a holder that is alive and cannot stop. */
const patience = 15_000

export interface Hold {
  /** Ends when somebody else wants the upload, or has it. */
  signal: AbortSignal
  /** Refuses what would take back or make final the bytes of somebody else, who has the upload by now. */
  confirm(): Promise<void>
}

type Work<T> = (hold: Hold) => Promise<T>

const running = new Map<string, { stop: () => void; ended: Promise<unknown> }>()

/**
 * Works on an upload while nobody else does, in this process or another. Whoever comes back from another network finds the old connection
 * still open on this side. It is over: the new one goes on.
 */
export async function holdUpload<T>(deps: Deps, id: string, work: Work<T>): Promise<T> {
  const before = running.get(id)
  const stopped = new AbortController()
  const takeTurn = async () => {
    before?.stop()
    await before?.ended.catch(() => undefined)
    return hasOtherProcesses(deps)
      ? holdAmongProcesses(deps, id, stopped, work)
      : work({ signal: stopped.signal, confirm: async () => undefined })
  }
  const ended = takeTurn()
  const entry = { stop: () => stopped.abort(), ended }
  running.set(id, entry)
  try {
    return await ended
  } finally {
    if (running.get(id) === entry) running.delete(id)
  }
}

/**
 * The upload's row says who has it. No clocks are compared: a holder counts up, and whoever waits sees that it does, or that it has
 * ceased to.
 */
async function holdAmongProcesses<T>(deps: Deps, id: string, stopped: AbortController, work: Work<T>): Promise<T> {
  const me = newId()
  const heardAt = await takeHoldOf(deps, id, me)
  const timer = keepHold(deps, id, me, heardAt, stopped)
  try {
    const confirm = async () => {
      if (!(await beatHold(deps.db, id, me))) throw new AppError('upload.busy')
    }
    return await work({ signal: stopped.signal, confirm })
  } finally {
    clearInterval(timer)
    // Left undone, the next one waits until it takes us for dead.
    await endHold(deps.db, id, me).catch((err) => deps.log.warn({ err, upload: id }, 'an upload could not be let go of'))
  }
}

/** Asks whoever has it to let go, and waits for that. Of several who wait, the last to come is the one the client still talks to. */
async function takeHoldOf(deps: Deps, id: string, me: string): Promise<number> {
  const end = performance.now() + patience
  let askedAt = performance.now()
  if (await takeHold(deps.db, id, me, undefined)) return askedAt
  await awaitHold(deps.db, id, me)
  let seen = { holder: '', beat: -1, at: 0 }
  for (;;) {
    askedAt = performance.now()
    const row = await findHold(deps.db, id)
    if (!row) throw new AppError('upload.not_found')
    if (row.awaited_by !== me || askedAt > end) throw new AppError('upload.busy')
    if (row.holder === null && (await takeHold(deps.db, id, me, undefined))) return askedAt
    if (row.holder !== seen.holder || row.beat !== seen.beat)
      seen = { holder: row.holder ?? '', beat: row.beat, at: performance.now() }
    else if (askedAt - seen.at > deadAfter && (await takeHold(deps.db, id, me, seen))) return askedAt
    await wait(lookEvery)
  }
}

/** Beats until the timer is cleared, and stops the work when it must end. */
function keepHold(deps: Deps, id: string, me: string, begun: number, stopped: AbortController) {
  let heardAt = begun
  let beatAt = begun
  let isBeating = false
  async function beat() {
    beatAt = performance.now()
    const row = await beatHold(deps.db, id, me)
    heardAt = beatAt
    if (!row || row.awaited_by !== null) stopped.abort()
  }
  return setInterval(() => {
    if (performance.now() - heardAt > silentAtMost) stopped.abort()
    if (isBeating || performance.now() - beatAt < beatEvery) return
    isBeating = true
    void beat()
      .catch((err) => deps.log.warn({ err, upload: id }, 'that an upload goes on was not written'))
      .finally(() => {
        isBeating = false
      })
  }, tick)
}
