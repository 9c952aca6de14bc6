import type { Deps } from '../../deps.ts'
import { addJob, hasOtherNodes, keepJobAlive, lockJob, setLastRun } from './job.repo.ts'

const keepAliveMs = 5_000

/** Returns whether other processes use the same database and files. They then coordinate through the database. */
export const hasOtherProcesses = ({ config, db }: Deps): boolean => config.workers > 1 || hasOtherNodes(db)

/**
 * A task that only one process runs at a time. `signal` aborts when the lock may be lost, because another process may then start the
 * task.
 */
type Work = (signal: AbortSignal) => Promise<unknown>

/**
 * Runs a scheduled job, at most once per `intervalMs` on all nodes. On PostgreSQL, the job's row stays locked while it runs. The lock
 * ends with the connection, so a node that dies leaves no lock behind. With SQLite there is one node, and only one of its processes
 * runs jobs, so no lock is needed.
 */
export async function runJob(deps: Deps, name: string, intervalMs: number, work: Work): Promise<void> {
  if (!hasOtherNodes(deps.db)) {
    await work(new AbortController().signal)
    return
  }
  await addJob(deps.db, name)
  await deps.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, name)
    const now = deps.now()
    if (!job || isRecent(job.ran_at, now, intervalMs)) return
    const lockLost = new AbortController()
    const timer = setInterval(() => void keepJobAlive(trx).catch(() => lockLost.abort()), keepAliveMs)
    try {
      await work(lockLost.signal)
    } finally {
      clearInterval(timer)
    }
    await setLastRun(trx, name, now.toISOString())
  })
}

/**
 * Returns whether the job ran within its interval, minus a tenth: timers are not exact, so a single node would otherwise skip every other
 * run. Ignores a time far in the future, which comes from a wrong clock.
 */
const isRecent = (ranAt: string, now: Date, intervalMs: number) => Math.abs(now.getTime() - Date.parse(ranAt)) < 0.9 * intervalMs
