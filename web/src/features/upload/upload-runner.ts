import { ApiError } from '../../api/api-error.ts'
import { t } from '../../i18n/t.ts'
import { createRetryTimer, getRetryDelayMs } from './retry-timer.ts'
import { isActive, type UploadJob } from './state/upload-job.ts'
import type { UploadStore } from './state/upload-store.ts'
import { computeTotals } from './state/upload-totals.ts'
import type { TusClient } from './transport/tus.ts'
import { type Outcome, uploadFile } from './upload-attempt.ts'
import type { UploadStorage } from './upload-storage.ts'
import { describeEnd } from './upload-texts.ts'

/** How many files are sent in parallel. */
const maxParallel = 3

export type UploadRunner = ReturnType<typeof createUploadRunner>

/** Runs queued uploads, and records their outcomes. */
export function createUploadRunner(tus: TusClient, storage: UploadStorage, store: UploadStore) {
  const running = new Map<string, AbortController>()
  const retryTimer = createRetryTimer()

  const save = (ids: readonly string[]) => storage.put(store.toSaved(ids))

  /** Starts queued uploads, up to the limit. */
  function startQueued() {
    const freeSlots = maxParallel - store.select().filter(({ id }) => running.has(id)).length
    const next = store.selectByState('queued').filter(({ id }) => !running.has(id))
    for (const job of next.slice(0, Math.max(0, freeSlots))) void run(job)
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
      waitForRetry: retryTimer.wait,
    })
    running.delete(id)
    settle(id, outcome)
    startQueued()
  }
  function settle(id: string, outcome: Outcome) {
    const job = store.find(id)
    if (job?.state.kind === 'canceled') return discard(job)
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
    const jobs = store.select()
    if (!jobs.some(isActive)) store.announce(describeEnd(computeTotals(jobs, 0)))
  }

  /** Removes a canceled upload, here and on the server. */
  function discard(job: UploadJob) {
    store.remove([job.id])
    void deleteUpload(tus, job)
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
      else discard(job)
    },
  }
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
