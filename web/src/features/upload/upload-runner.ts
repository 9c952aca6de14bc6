import { ApiError } from '../../api/api-error.ts'
import { t } from '../../i18n/t.ts'
import { createRetryTimer, getRetryDelayMs } from './retry-timer.ts'
import { activeStates, type UploadJob } from './state/upload-job.ts'
import type { UploadStore } from './state/upload-store.ts'
import { computeTotals } from './state/upload-totals.ts'
import type { TusClient } from './transport/tus.ts'
import type { UploadTrees } from './trees/upload-trees.ts'
import { type Outcome, uploadFile } from './upload-attempt.ts'
import type { UploadStorage } from './upload-storage.ts'
import { describeEnd } from './upload-texts.ts'

/**
 * How many files are sent in parallel. Browsers open at most six connections to a server over HTTP/1.1, and one stays free for the rest of
 * the page. Large files keep a connection busy for a long time, so fewer of them run at a time.
 */
const maxParallel = 5
const maxParallelLarge = 3
const largeBytes = 1024 * 1024

/** How many uploads are stored in one transaction, so that storing many doesn’t block the page. */
const uploadsPerTransaction = 250

export type UploadRunner = ReturnType<typeof createUploadRunner>

/** Runs queued uploads, and records their outcomes. */
export function createUploadRunner(tus: TusClient, storage: UploadStorage, store: UploadStore, trees: UploadTrees) {
  const running = new Map<string, AbortController>()
  const retryTimer = createRetryTimer()

  const save = (ids: readonly string[]) => saveInSlices(storage, store, ids)

  /** Starts queued uploads, up to the limits. */
  function startQueued() {
    for (let next = findNext(store, running); next; next = findNext(store, running)) void run(next)
  }
  async function run(job: UploadJob) {
    const { id } = job
    const controller = new AbortController()
    running.set(id, controller)
    const outcome = await uploadFile({
      tus,
      signal: controller.signal,
      getJob: () => store.find(id) ?? job,
      apply: (name, ...args) => store.apply(id, name, ...args),
      save: () => save([id]),
      getFolderId: trees.getFolderId,
      waitForRetry: retryTimer.wait,
    })
    running.delete(id)
    settle(id, outcome)
    startQueued()
  }
  function settle(id: string, outcome: Outcome) {
    const job = store.find(id)
    if (job?.state.kind === 'canceled') return discard(tus, store, job)
    if (!job || outcome.kind === 'stopped') return
    if (outcome.kind === 'done') {
      store.apply(id, 'complete', outcome.file)
      void storage.remove([id])
    } else if (outcome.kind === 'fileless') {
      store.apply(id, 'loseFile')
    } else {
      const { message, canRetry } = outcome
      store.apply(id, 'fail', outcome)
      if (!canRetry) void deleteUpload(tus, job)
      store.announce(t('{name} was not uploaded. {reason}', { name: job.name, reason: message }))
      void (canRetry ? save([id]) : storage.remove([id]))
    }
    if (store.findFirst(activeStates)) return
    store.announce(describeEnd(computeTotals(store.select(), 0)))
    trees.keepOnly(store.listTreeIds())
  }

  return {
    save,
    startQueued,
    retryWaiting: retryTimer.wakeAll,

    /** Aborts a job’s requests. */
    stop(id: string): void {
      running.get(id)?.abort()
    },
    /** Removes an unfinished job, and deletes its upload on the server once its requests have ended. */
    cancel(job: UploadJob): void {
      if (job.state.kind === 'done') return // it finished just before the user canceled it
      store.apply(job.id, 'cancel')
      const controller = running.get(job.id)
      if (controller) controller.abort()
      else discard(tus, store, job)
    },
  }
}

/** Removes a canceled upload, here and on the server. */
function discard(tus: TusClient, store: UploadStore, job: UploadJob) {
  store.remove([job.id])
  void deleteUpload(tus, job)
}

/** Stores jobs in slices, each with its state at that time. */
async function saveInSlices(storage: UploadStorage, store: UploadStore, ids: readonly string[]) {
  for (let start = 0; start < ids.length; start += uploadsPerTransaction)
    await storage.put(store.toSaved(ids.slice(start, start + uploadsPerTransaction)))
}

/** Returns the next upload to start; undefined if none is queued or too many are running. */
function findNext(store: UploadStore, running: ReadonlyMap<string, AbortController>): UploadJob | undefined {
  const user = store.getUser()
  const active = [...running.keys()].map(store.find).filter((job) => job?.user === user)
  if (active.length >= maxParallel) return undefined
  const takesLarge = active.filter((job) => job && job.size > largeBytes).length < maxParallelLarge
  return store.findFirst(['queued'], ({ id, size }) => !running.has(id) && (takesLarge || size <= largeBytes))
}

/**
 * Deletes an unfinished upload on the server. Retries while the server is still writing (423) or unreachable. If it never succeeds,
 * the server cleans up by itself.
 */
async function deleteUpload(tus: TusClient, { upload }: UploadJob): Promise<void> {
  if (upload === undefined) return
  for (let attempt = 1; attempt <= 5; attempt++) {
    try {
      return await tus.remove(upload, AbortSignal.timeout(30_000))
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status >= 400 && error.status !== 423)) return
      await new Promise((resolve) => setTimeout(resolve, getRetryDelayMs(attempt)))
    }
  }
}
