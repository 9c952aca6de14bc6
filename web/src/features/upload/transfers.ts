import type { Job } from './carry.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { randomId, type Shelf } from './kept-uploads.ts'
import { ask, supply } from './lost-files.ts'
import { createNews, type News } from './news.ts'
import type { PickedFile } from './picked-files.ts'
import { createRunner, giveUp, type Runner } from './runner.ts'
import { type Conflict, canRetry, isActive, type Target, type TransferState } from './transfer.ts'
import { startWords } from './transfer-words.ts'
import type { Tus } from './tus.ts'

/** What there is to work with. */
interface Work {
  tus: Tus
  shelf: Shelf
  jobs: Jobs
  news: News
  runner: Runner
}

export type Transfers = ReturnType<typeof createTransfers>

/** The uploads of a page: in line, on their way, stopped, done. Knows no screen. */
export function createTransfers(tus: Tus, shelf: Shelf) {
  const jobs = createJobs()
  const news = createNews(jobs)
  const runner = createRunner(tus, shelf, jobs, news)
  const work: Work = { tus, shelf, jobs, news, runner }

  return {
    subscribe: news.subscribe,
    read: news.read,

    /** Puts files in line. */
    add(files: readonly (PickedFile & { conflict: Conflict })[], directory: Target): void {
      const user = jobs.user()
      if (user === undefined) return
      const facts = { user, directory, isPaused: false }
      const added = files.map(({ file, handle, conflict }) => {
        const { name, size, lastModified } = file
        return jobs.add({ ...facts, id: randomId(), conflict, handle, name, size, lastModified }, file)
      })
      news.say(startWords(files, directory))
      void runner.keep(added)
      goOn(work)
    },

    ...handsOn(work),

    async supply(files: readonly File[], forId?: string): Promise<void> {
      await supply(jobs, news, files, forId)
      goOn(work)
    },
    async ask(ids?: readonly string[]): Promise<void> {
      await ask(jobs, news, ids)
      goOn(work)
    },

    /** The network is back: nobody waits any longer. */
    wake(): void {
      for (const { wake } of jobs.ofAnybody()) wake?.()
    },

    ...attendance(work),
  }
}

/** What people do with those on the list: with those named, or with all. */
const handsOn = (work: Work) => ({
  pause: (ids?: readonly string[]) =>
    setPaused(
      work,
      work.jobs.some(ids).filter(({ transfer }) => isActive(transfer)),
      true,
    ),
  resume: (ids?: readonly string[]) => setPaused(work, work.jobs.someIn('paused', ids), false),

  retry(ids?: readonly string[]): void {
    for (const job of work.jobs.some(ids)) if (canRetry(job.transfer)) work.news.become(job, { kind: 'queued' })
    goOn(work)
  },

  /** Takes them off the list, and gives up on the server what is not finished. */
  cancel(ids: readonly string[]): void {
    for (const job of work.jobs.some(ids)) {
      work.jobs.remove(job)
      if (job.control)
        job.control.abort() // what it leaves behind is given up when it has ended
      else if (job.transfer.state.kind !== 'done') giveUp(work.tus, job)
    }
    void work.shelf.remove(ids)
    goOn(work)
  },

  clearFinished(): void {
    for (const job of work.jobs.someIn('done')) work.jobs.remove(job)
    work.news.tell()
  },
})

/** Who is here, and who goes. */
const attendance = (work: Work) => ({
  /** Who is here now. Their uploads go on; those of anybody else stand still, and nobody sees them. */
  attend(who: string | undefined): void {
    const { shelf, jobs, news } = work
    if (who === jobs.user()) return
    for (const job of jobs.mine()) if (isActive(job.transfer)) stop(news, job, { kind: 'waiting', for: 'session' })
    news.say('')
    jobs.setUser(who)
    for (const job of jobs.mine()) if (isActive(job.transfer)) news.become(job, { kind: 'queued' })
    goOn(work)
    if (who === undefined) return
    void shelf.adopt(who, (found) => {
      for (const kept of found) if (!jobs.has(kept.id)) void learnSent(work, jobs.add(kept))
      goOn(work)
    })
  },

  /** Forgets everything, for who signs out on purpose. The server clears away what was not finished. */
  forget(): void {
    const all = work.jobs.ofAnybody()
    for (const { control } of all) control?.abort()
    void work.shelf.remove(all.map(({ kept }) => kept.id))
    work.jobs.clear()
    work.news.tell()
  },
})

function goOn({ runner, news }: Work) {
  runner.pump()
  news.tell()
}

function stop(news: News, job: Job, state: TransferState) {
  job.control?.abort()
  news.become(job, state)
}

function setPaused(work: Work, changed: readonly Job[], isPaused: boolean) {
  for (const job of changed) {
    stop(work.news, job, { kind: isPaused ? 'paused' : 'queued' })
    job.kept = { ...job.kept, isPaused }
  }
  void work.runner.keep(changed)
  goOn(work)
}

/** What stands still asks nobody how far it is, so it would look as if it had to begin anew. */
async function learnSent({ tus, news }: Work, job: Job) {
  const { upload, isPaused } = job.kept
  if (upload === undefined || !isPaused) return
  const at = await tus.status(upload, AbortSignal.timeout(30_000)).catch(() => undefined)
  if (!at || job.transfer.state.kind !== 'paused') return
  job.transfer = { ...job.transfer, sent: at.offset }
  news.tellSoon()
}
