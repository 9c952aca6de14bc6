import { ApiError } from '../../api/api-error.ts'
import { t } from '../../i18n/t.ts'
import type { Jobs } from './jobs.ts'
import type { Tus } from './transport/tus.ts'
import { type Job, type Outcome, uploadFile } from './upload-attempt.ts'
import { computeTotals, isActive, retryDelayMs } from './upload-job.ts'
import type { UploadStorage } from './upload-storage.ts'
import type { UploadStore } from './upload-store.ts'
import { describeEnd } from './upload-texts.ts'

/** How many files are sent in parallel. */
const maxParallel = 3

export type Runner = ReturnType<typeof createRunner>

/** Runs queued uploads, and records their outcomes. */
export function createRunner(tus: Tus, storage: UploadStorage, jobs: Jobs, store: UploadStore) {
  /** Saves jobs, except those canceled in the meantime. */
  const save = (changed: readonly Job[]) => storage.put(changed.map(({ kept }) => kept).filter(({ id }) => jobs.has(id)))

  /** Starts queued uploads, up to the limit. */
  function startQueued() {
    const free = maxParallel - jobs.own().filter(({ controller }) => controller).length
    const next = jobs.selectByState('queued').filter(({ controller }) => !controller)
    for (const job of next.slice(0, Math.max(0, free))) void run(job)
    store.notifySoon()
  }
  async function run(job: Job) {
    const controller = new AbortController()
    job.controller = controller
    const { setState, setProgress } = store
    const dependencies = { tus, save: (changed: Job) => save([changed]), setState, setProgress }
    const outcome = await uploadFile(job, controller.signal, dependencies)
    job.controller = undefined
    if (jobs.has(job.kept.id)) settle(job, outcome)
    else abandonUpload(tus, job)
    startQueued()
  }
  function settle(job: Job, outcome: Outcome) {
    if (outcome.kind === 'stopped') return
    if (outcome.kind === 'done') {
      job.file = undefined
      job.transfer = { ...job.transfer, sent: job.transfer.size }
      store.setState(job, outcome)
      void storage.remove([job.kept.id])
    } else if (outcome.kind === 'fileless') {
      store.setState(job, { kind: 'fileless', canAsk: job.kept.handle !== undefined })
    } else {
      const { message, canRetry } = outcome
      if (outcome.isGone) {
        job.kept = { ...job.kept, upload: undefined }
        job.transfer = { ...job.transfer, sent: 0 } // the next attempt starts from the beginning
      }
      if (!canRetry) abandonUpload(tus, job)
      store.setState(job, { kind: 'failed', message, canRetry })
      store.announce(t('{name} was not uploaded. {reason}', { name: job.transfer.name, reason: message }))
      void (canRetry ? save([job]) : storage.remove([job.kept.id]))
    }
    const all = jobs.own().map(({ transfer }) => transfer)
    if (!all.some(isActive)) store.announce(describeEnd(computeTotals(all, 0)))
  }

  return { save, startQueued }
}

/** Deletes an unfinished upload on the server. */
export function abandonUpload(tus: Tus, job: Job) {
  const { upload } = job.kept
  job.kept = { ...job.kept, upload: undefined }
  if (upload !== undefined) void removeUpload(tus, upload)
}

/** Retries while the server is still writing (423) or unreachable. If it never succeeds, the server cleans up by itself. */
async function removeUpload(tus: Tus, id: string) {
  for (let attempt = 1; attempt <= 5; attempt++) {
    try {
      return await tus.remove(id, AbortSignal.timeout(30_000))
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status >= 400 && error.status !== 423)) return
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs(attempt)))
    }
  }
}
