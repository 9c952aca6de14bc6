import type { Deps } from '../../deps.ts'
import { addJob, hasOtherNodes, keepJobAlive, setLastRun, takeJob } from './job.repo.ts'

const keptEvery = 5_000

/** Whether other processes work on the same rows and bytes: what they must know of each other is then in the database. */
export const hasOtherProcesses = ({ config, db }: Deps): boolean => config.workers > 1 || hasOtherNodes(db)

/** What one process does for all. `signal` ends when another one may be about to do it. */
type Work = (signal: AbortSignal) => Promise<unknown>

/**
 * Does what one process does for all, at most once in `every` milliseconds over all nodes. On PostgreSQL the job's row is locked for as long
 * as it takes: the lock ends with the connection, so a node that dies leaves none behind. SQLite has one node, and of its processes one
 * does all jobs: there is nobody to keep away.
 */
export async function runJob(deps: Deps, name: string, every: number, work: Work): Promise<void> {
  if (!hasOtherNodes(deps.db)) {
    await work(new AbortController().signal)
    return
  }
  await addJob(deps.db, name)
  await deps.db.transaction().execute(async (trx) => {
    const job = await takeJob(trx, name)
    const now = deps.now()
    if (!job || isRecent(job.ran_at, now, every)) return
    const lost = new AbortController()
    const timer = setInterval(() => void keepJobAlive(trx).catch(() => lost.abort()), keptEvery)
    try {
      await work(lost.signal)
    } finally {
      clearInterval(timer)
    }
    await setLastRun(trx, name, now.toISOString())
  })
}

/** A little early counts as on time, or a node alone would do it every other time. What ran in the future was told by a wrong clock. */
const isRecent = (ranAt: string, now: Date, every: number) => Math.abs(now.getTime() - Date.parse(ranAt)) < 0.9 * every
