import { ApiError } from '../../api/api-error.ts'
import { t } from '../../words/t.ts'
import { carry, type Job, type Outcome } from './carry.ts'
import type { Jobs } from './jobs.ts'
import type { Shelf } from './kept-uploads.ts'
import type { News } from './news.ts'
import { isActive, totalsOf, waitFor } from './transfer.ts'
import { endWords } from './transfer-words.ts'
import type { Tus } from './tus.ts'

/** How many files are sent at once. */
const atOnce = 3

export type Runner = ReturnType<typeof createRunner>

/** Sends what is in line, and settles what comes of it. */
export function createRunner(tus: Tus, shelf: Shelf, jobs: Jobs, news: News) {
  /** What was cancelled meanwhile stays forgotten. */
  const keep = (changed: readonly Job[]) => shelf.put(changed.map(({ kept }) => kept).filter(({ id }) => jobs.has(id)))

  /** Starts what is next, as long as there is room. */
  function pump() {
    const free = atOnce - jobs.mine().filter(({ control }) => control).length
    const next = jobs.someIn('queued').filter(({ control }) => !control)
    for (const job of next.slice(0, Math.max(0, free))) void run(job)
    news.tellSoon()
  }
  async function run(job: Job) {
    const control = new AbortController()
    job.control = control
    const { become, progress } = news
    const outcome = await carry(job, control.signal, { tus, keep: (changed) => keep([changed]), become, progress })
    job.control = undefined
    if (jobs.has(job.kept.id)) settle(job, outcome)
    else giveUp(tus, job)
    pump()
  }
  function settle(job: Job, outcome: Outcome) {
    if (outcome.kind === 'stopped') return
    if (outcome.kind === 'done') {
      job.file = undefined
      job.transfer = { ...job.transfer, sent: job.transfer.size }
      news.become(job, outcome)
      void shelf.remove([job.kept.id])
    } else if (outcome.kind === 'fileless') {
      news.become(job, { kind: 'fileless', canAsk: job.kept.handle !== undefined })
    } else {
      const { message, canRetry } = outcome
      if (outcome.isGone) {
        job.kept = { ...job.kept, upload: undefined }
        job.transfer = { ...job.transfer, sent: 0 } // the next attempt starts from the beginning
      }
      if (!canRetry) giveUp(tus, job)
      news.become(job, { kind: 'failed', message, canRetry })
      news.say(t('{name} was not uploaded. {reason}', { name: job.transfer.name, reason: message }))
      void (canRetry ? keep([job]) : shelf.remove([job.kept.id]))
    }
    const all = jobs.mine().map(({ transfer }) => transfer)
    if (!all.some(isActive)) news.say(endWords(totalsOf(all, 0)))
  }

  return { keep, pump }
}

/** Tells the server that the rest will not come. */
export function giveUp(tus: Tus, job: Job) {
  const { upload } = job.kept
  job.kept = { ...job.kept, upload: undefined }
  if (upload !== undefined) void removeUpload(tus, upload)
}

/** The server may still be writing what was on its way; then it is told again. If it cannot be told at all, it clears away by itself. */
async function removeUpload(tus: Tus, id: string) {
  for (let tries = 1; tries <= 5; tries++) {
    try {
      return await tus.remove(id, AbortSignal.timeout(30_000))
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status >= 400 && error.status !== 423)) return
      await new Promise((resolve) => setTimeout(resolve, waitFor(tries)))
    }
  }
}
