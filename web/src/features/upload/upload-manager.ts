import type { PickedFile } from './files/picked-files.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { requestFileAccess, supplyFiles } from './supply-files.ts'
import type { Tus } from './transport/tus.ts'
import type { Job } from './upload-attempt.ts'
import { type Conflict, canRetry, isActive, type Target, type TransferState } from './upload-job.ts'
import { abandonUpload, createRunner, type Runner } from './upload-runner.ts'
import { randomId, type UploadStorage } from './upload-storage.ts'
import { createUploadStore, type UploadStore } from './upload-store.ts'
import { describeStart } from './upload-texts.ts'

interface Parts {
  tus: Tus
  storage: UploadStorage
  jobs: Jobs
  store: UploadStore
  runner: Runner
}

export type Transfers = ReturnType<typeof createTransfers>

/** Manages the uploads of a page, independent of the user interface. */
export function createTransfers(tus: Tus, storage: UploadStorage) {
  const jobs = createJobs()
  const store = createUploadStore(jobs)
  const runner = createRunner(tus, storage, jobs, store)
  const parts: Parts = { tus, storage, jobs, store, runner }

  return {
    subscribe: store.subscribe,
    read: store.read,

    /** Queues files. */
    add(files: readonly (PickedFile & { conflict: Conflict })[], directory: Target): void {
      const user = jobs.user()
      if (user === undefined) return
      const facts = { user, directory, isPaused: false }
      const added = files.map(({ file, handle, conflict }) => {
        const { name, size, lastModified } = file
        return jobs.add({ ...facts, id: randomId(), conflict, handle, name, size, lastModified }, file)
      })
      store.announce(describeStart(files, directory))
      void runner.save(added)
      proceed(parts)
    },

    ...createListActions(parts),

    async supplyFiles(files: readonly File[], forId?: string): Promise<void> {
      await supplyFiles(jobs, store, files, forId)
      proceed(parts)
    },
    async requestFileAccess(ids?: readonly string[]): Promise<void> {
      await requestFileAccess(jobs, store, ids)
      proceed(parts)
    },

    /** Retries all waiting uploads now, because the network is back. */
    wake(): void {
      for (const { wake } of jobs.ofAllUsers()) wake?.()
    },

    ...createUserActions(parts),
  }
}

/** Actions on the uploads with the given ids; on all uploads by default. */
const createListActions = (parts: Parts) => ({
  pause: (ids?: readonly string[]) =>
    setPaused(
      parts,
      parts.jobs.select(ids).filter(({ transfer }) => isActive(transfer)),
      true,
    ),
  resume: (ids?: readonly string[]) => setPaused(parts, parts.jobs.selectByState('paused', ids), false),

  retry(ids?: readonly string[]): void {
    for (const job of parts.jobs.select(ids)) if (canRetry(job.transfer)) parts.store.setState(job, { kind: 'queued' })
    proceed(parts)
  },

  /** Removes uploads from the list, and deletes unfinished ones on the server. */
  cancel(ids: readonly string[]): void {
    for (const job of parts.jobs.select(ids)) {
      parts.jobs.remove(job)
      if (job.controller)
        job.controller.abort() // the runner abandons the upload once the request has ended
      else if (job.transfer.state.kind !== 'done') abandonUpload(parts.tus, job)
    }
    void parts.storage.remove(ids)
    proceed(parts)
  },

  clearFinished(): void {
    for (const job of parts.jobs.selectByState('done')) parts.jobs.remove(job)
    parts.store.notify()
  },
})

const createUserActions = (parts: Parts) => ({
  /** Sets the current user. Their uploads resume; those of other users stop and are hidden. */
  setUser(id: string | undefined): void {
    const { storage, jobs, store } = parts
    if (id === jobs.user()) return
    for (const job of jobs.own()) if (isActive(job.transfer)) stop(store, job, { kind: 'waiting', for: 'session' })
    store.announce('')
    jobs.setUser(id)
    for (const job of jobs.own()) if (isActive(job.transfer)) store.setState(job, { kind: 'queued' })
    proceed(parts)
    if (id === undefined) return
    void storage.adopt(id, (uploads) => {
      for (const kept of uploads) if (!jobs.has(kept.id)) void loadProgress(parts, jobs.add(kept))
      proceed(parts)
    })
  },

  /** Discards all uploads after a deliberate sign-out. The server removes unfinished ones by itself. */
  discardAll(): void {
    const all = parts.jobs.ofAllUsers()
    for (const { controller } of all) controller?.abort()
    void parts.storage.remove(all.map(({ kept }) => kept.id))
    parts.jobs.clear()
    parts.store.notify()
  },
})

function proceed({ runner, store }: Parts) {
  runner.startQueued()
  store.notify()
}

function stop(store: UploadStore, job: Job, state: TransferState) {
  job.controller?.abort()
  store.setState(job, state)
}

function setPaused(parts: Parts, changed: readonly Job[], isPaused: boolean) {
  for (const job of changed) {
    stop(parts.store, job, { kind: isPaused ? 'paused' : 'queued' })
    job.kept = { ...job.kept, isPaused }
  }
  void parts.runner.save(changed)
  proceed(parts)
}

/** Loads the progress of a paused upload, which would otherwise look as if nothing had been sent. */
async function loadProgress({ tus, store }: Parts, job: Job) {
  const { upload, isPaused } = job.kept
  if (upload === undefined || !isPaused) return
  const status = await tus.status(upload, AbortSignal.timeout(30_000)).catch(() => undefined)
  if (!status || job.transfer.state.kind !== 'paused') return
  job.transfer = { ...job.transfer, sent: status.offset }
  store.notifySoon()
}
