import { t } from '../../../i18n/t.ts'
import { createJob, type SavedUpload, toSavedUpload, type UploadJob, type UploadState } from './upload-job.ts'
import { applyTransition, type TransitionArgs, type TransitionName } from './upload-machine.ts'
import { addSample, computeSpeed, type Sample } from './upload-speed.ts'
import { computeTotals, type Totals } from './upload-totals.ts'

/** Returns the minimum time between two notifications of progress. With thousands of uploads, a notification takes some milliseconds. */
const getNotifyIntervalMs = (jobs: number) => Math.max(150, Math.min(jobs / 20, 500))

/** What the screen shows. */
export interface UploadSnapshot {
  jobs: readonly UploadJob[]
  totals: Totals
  /** The number of uploads completed since the page was opened. */
  completed: number
  /** The latest message for screen readers. */
  announcement: string
}

export type UploadStore = ReturnType<typeof createUploadStore>

/** Owns all uploads of a page, in the order they were added. Only those of the current user are shown and run. */
export function createUploadStore() {
  const jobs = createJobMap()
  const snapshot = createSnapshot(() => select())
  let user: string | undefined
  let nextOrder = 0

  const isShown = (job: UploadJob) => job.user === user && job.state.kind !== 'canceled'
  /** Returns the current user’s jobs with these ids, all of them by default. Leaves out canceled jobs. */
  const select = (ids?: readonly string[]) => {
    const selected = ids && new Set(ids)
    return [...jobs.values()].filter((job) => isShown(job) && (selected === undefined || selected.has(job.id)))
  }

  return {
    ...snapshot.reader,
    notify: snapshot.notify,
    announce: snapshot.announce,

    getUser: () => user,
    setUser(id: string | undefined): void {
      user = id
    },

    find: (id: string) => jobs.get(id),
    /**
     * Returns the matching job of the current user that has been in its state longest. Tries the states in this order. Leaves out canceled
     * jobs.
     */
    findFirst(kinds: readonly UploadState['kind'][], matches: (job: UploadJob) => boolean = () => true): UploadJob | undefined {
      for (const kind of kinds) {
        for (const job of jobs.listByState(kind)) if (isShown(job) && matches(job)) return job
      }
      return undefined
    },
    select,
    selectByState: (kind: UploadState['kind'], ids?: readonly string[]) => select(ids).filter(({ state }) => state.kind === kind),
    listIdsOfAllUsers: () => [...jobs.keys()],
    /** Returns the ids of the trees that have unfinished jobs, of all users. */
    listTreeIds(): Set<string | undefined> {
      const unfinished = [...jobs.values()].filter(({ state }) => state.kind !== 'done' && state.kind !== 'canceled')
      return new Set(unfinished.map(({ tree }) => tree))
    },
    /** Returns what to store of these jobs. Leaves out jobs that have ended. */
    toSaved: (ids: readonly string[]): SavedUpload[] =>
      ids.flatMap((id) => {
        const job = jobs.get(id)
        return job && job.state.kind !== 'canceled' && job.state.kind !== 'done' ? [toSavedUpload(job)] : []
      }),

    add(upload: Omit<SavedUpload, 'order'>, file?: File): UploadJob {
      const job = createJob({ ...upload, order: nextOrder++ }, file)
      jobs.set(job.id, job)
      return job
    },
    apply<Name extends TransitionName>(id: string, name: Name, ...args: TransitionArgs<Name>): void {
      const job = jobs.get(id)
      if (!job) return
      const next = applyTransition(job, name, ...args)
      jobs.set(id, next)
      snapshot.record(job, next)
    },
    remove(ids: readonly string[]): void {
      for (const id of ids) jobs.delete(id)
    },
  }
}

/** Creates a map of jobs that also lists them by state, so that finding the next one takes no longer with thousands of them. */
function createJobMap() {
  const jobs = new Map<string, UploadJob>()
  const idsByState = new Map<UploadState['kind'], Set<string>>()
  const remove = (id: string) => {
    const job = jobs.get(id)
    if (job) idsByState.get(job.state.kind)?.delete(id)
  }
  return {
    get: (id: string) => jobs.get(id),
    keys: () => jobs.keys(),
    values: () => jobs.values(),
    set(id: string, job: UploadJob): void {
      const { kind } = job.state
      if (kind !== jobs.get(id)?.state.kind) {
        remove(id)
        idsByState.set(kind, (idsByState.get(kind) ?? new Set()).add(id))
      }
      jobs.set(id, job)
    },
    delete(id: string): void {
      remove(id)
      jobs.delete(id)
    },
    *listByState(kind: UploadState['kind']) {
      for (const id of idsByState.get(kind) ?? []) {
        const job = jobs.get(id)
        if (job) yield job
      }
    },
  }
}

/** Creates the snapshot of the uploads, and notifies its subscribers when it changes. */
function createSnapshot(listJobs: () => UploadJob[]) {
  const listeners = new Set<() => void>()
  let completed = 0
  let announcement = ''
  /** All bytes sent since the page was opened, for the overall speed. */
  const overall: { bytes: number; samples: readonly Sample[] } = { bytes: 0, samples: [] }
  let snapshot: UploadSnapshot = { jobs: [], totals: computeTotals([], 0), completed, announcement }
  let timer: ReturnType<typeof setTimeout> | undefined

  function notify() {
    clearTimeout(timer)
    timer = undefined
    const jobs = listJobs()
    if (!jobs.some(({ state }) => state.kind === 'sending')) overall.samples = [] // idle time must not lower the speed
    snapshot = { jobs, totals: computeTotals(jobs, computeSpeed(overall.samples)), completed, announcement }
    for (const listener of listeners) listener()
  }
  function notifySoon() {
    timer ??= setTimeout(notify, getNotifyIntervalMs(snapshot.jobs.length))
  }
  function announce(text: string) {
    announcement = text
    notifySoon()
  }

  return {
    reader: {
      subscribe(listener: () => void) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      read: () => snapshot,
    },
    notify,
    announce,
    /** Records what a transition changed. */
    record(before: UploadJob, after: UploadJob) {
      if (before === after) return
      const { kind } = after.state
      if (kind === 'waiting' && before.state.kind !== kind) announce(t('Uploads are waiting and will resume automatically.'))
      if (kind === 'done') completed++
      const sample = after.samples.at(-1)
      if (sample && kind === 'sending' && before.samples !== after.samples) {
        overall.bytes += Math.max(0, after.sent - before.sent)
        overall.samples = addSample(overall.samples, [sample[0], overall.bytes])
      }
      notifySoon()
    },
  }
}
