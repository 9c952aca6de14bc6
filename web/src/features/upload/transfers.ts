import { ApiError } from '../../api/api-error.ts'
import { t } from '../../words/t.ts'
import { carry, type Job, type Outcome } from './carry.ts'
import { type KeptUpload, randomId, type Shelf } from './kept-uploads.ts'
import { mayRead, type PickedFile } from './picked-files.ts'
import { differenceOf } from './same-file.ts'
import {
  type Conflict,
  canRetry,
  isActive,
  type Sample,
  speedOf,
  type Target,
  type Totals,
  type Transfer,
  type TransferState,
  totalsOf,
  waitFor,
  withSample,
} from './transfer.ts'
import { endWords, startWords } from './transfer-words.ts'
import type { Tus } from './tus.ts'

/** How many files are sent at once. */
const atOnce = 3

/** How often the screen hears of progress. */
const newsEvery = 150

/** What the screen shows. */
export interface Uploads {
  transfers: readonly Transfer[]
  totals: Totals
  /** How many files have landed since the page was opened. */
  landed: number
  /** The latest thing worth saying to those who do not see it. */
  news: string
}

export type Transfers = ReturnType<typeof createTransfers>

/** The uploads of a page: in line, on their way, stopped, done. Knows no screen. */
export function createTransfers(tus: Tus, shelf: Shelf) {
  const jobs = new Map<string, Job>()
  const listeners = new Set<() => void>()
  let user: string | undefined
  let order = 0
  let landed = 0
  let news = ''
  /** All bytes that ever went out, for the speed of all together. */
  const carried: { bytes: number; samples: readonly Sample[] } = { bytes: 0, samples: [] }
  let uploads: Uploads = { transfers: [], totals: totalsOf([], 0), landed, news }
  let timer: ReturnType<typeof setTimeout> | undefined

  const mine = () => [...jobs.values()].filter(({ kept }) => kept.user === user)
  /** Those named, or all. */
  const some = (ids?: readonly string[]) => mine().filter(({ kept }) => ids === undefined || ids.includes(kept.id))
  const someIn = (kind: TransferState['kind'], ids?: readonly string[]) =>
    some(ids).filter(({ transfer }) => transfer.state.kind === kind)
  /** What was cancelled meanwhile stays forgotten. */
  const keep = (changed: readonly Job[]) => shelf.put(changed.map(({ kept }) => kept).filter(({ id }) => jobs.has(id)))

  function tell() {
    clearTimeout(timer)
    timer = undefined
    if (someIn('sending').length === 0) carried.samples = [] // a rest is not slowness
    const transfers = mine().map(({ transfer }) => transfer)
    uploads = { transfers, totals: totalsOf(transfers, speedOf(carried.samples)), landed, news }
    for (const listener of listeners) listener()
  }
  function tellSoon() {
    timer ??= setTimeout(tell, newsEvery)
  }
  function say(words: string) {
    news = words
    tellSoon()
  }

  function become(job: Job, state: TransferState) {
    if (state.kind === 'waiting' && job.transfer.state.kind !== 'waiting') news = t('Uploads wait, and go on by themselves.')
    job.samples = []
    job.transfer = { ...job.transfer, state, speed: 0 }
    tellSoon()
  }
  function progress(job: Job, sent: number) {
    const now = performance.now()
    carried.bytes += Math.max(0, sent - job.transfer.sent)
    carried.samples = withSample(carried.samples, [now, carried.bytes])
    job.samples = withSample(job.samples, [now, sent])
    job.transfer = { ...job.transfer, sent, speed: speedOf(job.samples) }
    tellSoon()
  }

  /** Starts what is next, as long as there is room. */
  function pump() {
    const free = atOnce - mine().filter(({ control }) => control).length
    const next = someIn('queued').filter(({ control }) => !control)
    for (const job of next.slice(0, Math.max(0, free))) void run(job)
    tellSoon()
  }
  async function run(job: Job) {
    const control = new AbortController()
    job.control = control
    const outcome = await carry(job, control.signal, { tus, keep: (changed) => keep([changed]), become, progress })
    job.control = undefined
    if (jobs.has(job.kept.id)) settle(job, outcome)
    else giveUp(job)
    pump()
  }
  function settle(job: Job, outcome: Outcome) {
    if (outcome.kind === 'stopped') return
    if (outcome.kind === 'done') {
      landed++
      job.file = undefined
      job.transfer = { ...job.transfer, sent: job.transfer.size }
      become(job, outcome)
      void shelf.remove([job.kept.id])
    } else if (outcome.kind === 'fileless') {
      become(job, { kind: 'fileless', canAsk: job.kept.handle !== undefined })
    } else {
      const { message, canRetry } = outcome
      if (outcome.isGone) job.kept = { ...job.kept, upload: undefined }
      if (!canRetry) giveUp(job)
      become(job, { kind: 'failed', message, canRetry })
      say(t('{name} was not uploaded. {reason}', { name: job.transfer.name, reason: message }))
      void (canRetry ? keep([job]) : shelf.remove([job.kept.id]))
    }
    const all = mine().map(({ transfer }) => transfer)
    if (!all.some(isActive)) say(endWords(totalsOf(all, 0)))
  }

  function add(kept: KeptUpload, file?: File): Job {
    const { id, name, size, directory, isPaused } = kept
    const state: TransferState = { kind: isPaused ? 'paused' : 'queued' }
    const transfer = { id, name, size, directory, sent: 0, speed: 0, state }
    const job: Job = { transfer, kept, file, samples: [], control: undefined, wake: undefined }
    jobs.set(id, job)
    return job
  }
  /** What stands still asks nobody how far it is, so it would look as if it had to begin anew. */
  async function learnSent(job: Job) {
    const { upload, isPaused } = job.kept
    if (upload === undefined || !isPaused) return
    const at = await tus.status(upload, AbortSignal.timeout(30_000)).catch(() => undefined)
    if (!at || job.transfer.state.kind !== 'paused') return
    job.transfer = { ...job.transfer, sent: at.offset }
    tellSoon()
  }
  function giveUp(job: Job) {
    const { upload } = job.kept
    job.kept = { ...job.kept, upload: undefined }
    if (upload !== undefined) void removeUpload(tus, upload)
  }
  function stop(job: Job, state: TransferState) {
    job.control?.abort()
    become(job, state)
  }
  function setPaused(changed: readonly Job[], isPaused: boolean) {
    for (const job of changed) {
      stop(job, { kind: isPaused ? 'paused' : 'queued' })
      job.kept = { ...job.kept, isPaused }
    }
    void keep(changed)
    pump()
    tell()
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    read: () => uploads,

    /** Puts files in line. */
    add(files: readonly (PickedFile & { conflict: Conflict })[], directory: Target): void {
      if (user === undefined) return
      const facts = { user, directory, isPaused: false }
      const added = files.map(({ file, handle, conflict }) => {
        const { name, size, lastModified } = file
        return add({ ...facts, id: randomId(), order: order++, conflict, handle, name, size, lastModified }, file)
      })
      say(startWords(files, directory))
      void keep(added)
      pump()
      tell()
    },

    pause: (ids?: readonly string[]) =>
      setPaused(
        some(ids).filter(({ transfer }) => isActive(transfer)),
        true,
      ),
    resume: (ids?: readonly string[]) => setPaused(someIn('paused', ids), false),

    retry(ids?: readonly string[]): void {
      for (const job of some(ids)) if (canRetry(job.transfer)) become(job, { kind: 'queued' })
      pump()
      tell()
    },

    /** Takes them off the list, and gives up on the server what is not finished. */
    cancel(ids: readonly string[]): void {
      for (const job of some(ids)) {
        jobs.delete(job.kept.id)
        if (job.control)
          job.control.abort() // what it leaves behind is given up when it has ended
        else if (job.transfer.state.kind !== 'done') giveUp(job)
      }
      void shelf.remove(ids)
      pump()
      tell()
    },

    clearFinished(): void {
      for (const { kept } of someIn('done')) jobs.delete(kept.id)
      tell()
    },

    /** Files chosen again. Each finds its own place; if the one it was chosen for is left without, that one says why. */
    async supply(files: readonly File[], forId?: string): Promise<void> {
      for (const file of files) {
        for (const job of someIn('fileless')) {
          if ((await differenceOf(job.kept, file).catch(() => 'unreadable')) !== undefined) continue
          job.file = file
          become(job, { kind: 'queued' })
          break
        }
      }
      const [asked] = forId === undefined ? [] : someIn('fileless', [forId])
      if (asked && files[0]) {
        const { name, handle } = asked.kept
        const difference = await differenceOf(asked.kept, files[0]).catch(() => t('That one cannot be read.'))
        const reason = difference ?? t('That one is taken.')
        const problem = t('{reason} Choose “{name}” as it was, or cancel.', { reason, name })
        become(asked, { kind: 'fileless', canAsk: handle !== undefined, problem })
        say(problem)
      }
      pump()
      tell()
    },

    /** Asks the browser to let us read them again, which it does only right after a click. */
    async ask(ids?: readonly string[]): Promise<void> {
      for (const job of someIn('fileless', ids)) {
        if (!job.kept.handle) continue
        if (await mayRead(job.kept.handle, true)) become(job, { kind: 'queued' })
        else if (ids) become(job, { kind: 'fileless', canAsk: false }) // whoever says no can still choose it
      }
      pump()
      tell()
    },

    /** The network is back: nobody waits any longer. */
    wake(): void {
      for (const { wake } of jobs.values()) wake?.()
    },

    /** Who is here now. Their uploads go on; those of anybody else stand still, and nobody sees them. */
    attend(who: string | undefined): void {
      if (who === user) return
      for (const job of mine()) if (isActive(job.transfer)) stop(job, { kind: 'waiting', for: 'session' })
      news = ''
      user = who
      for (const job of mine()) if (isActive(job.transfer)) become(job, { kind: 'queued' })
      pump()
      tell()
      if (who === undefined) return
      void shelf.adopt(who, (found) => {
        for (const kept of found) if (!jobs.has(kept.id)) void learnSent(add({ ...kept, order: order++ }))
        pump()
        tell()
      })
    },

    /** Forgets everything, for who signs out on purpose. The server clears away what was not finished. */
    forget(): void {
      for (const { control } of jobs.values()) control?.abort()
      void shelf.remove([...jobs.keys()])
      jobs.clear()
      tell()
    },
  }
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
