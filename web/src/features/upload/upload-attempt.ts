import { ApiError } from '../../api/api-error.ts'
import { t } from '../../i18n/t.ts'
import { computeFingerprint, findDifference, isReadable } from './files/file-identity.ts'
import { canRead } from './files/picked-files.ts'
import type { Tus, UploadStatus } from './transport/tus.ts'
import { classifyError, FileChanged, FileMissing, type Verdict } from './upload-errors.ts'
import { retryDelayMs, type Sample, type Transfer, type TransferState } from './upload-job.ts'
import type { KeptUpload } from './upload-storage.ts'

/** The complete state of one upload. The screen sees only its `transfer`. */
export interface Job {
  transfer: Transfer
  kept: KeptUpload
  file: File | undefined
  samples: readonly Sample[]
  /** Aborts the running attempt. Undefined while none runs. */
  controller: AbortController | undefined
  /** Ends the wait before the next attempt early. */
  wake: (() => void) | undefined
}

/** How an upload ended. The code that stopped it has already set its new state. */
export type Outcome = { kind: 'done'; file: string } | { kind: 'stopped' } | Exclude<Verdict, { kind: 'waiting' }>

interface Dependencies {
  tus: Tus
  save: (job: Job) => Promise<void>
  setState: (job: Job, state: TransferState) => void
  setProgress: (job: Job, sent: number) => void
}

/** Uploads one file completely, and resumes after temporary failures. */
export async function uploadFile(job: Job, signal: AbortSignal, dependencies: Dependencies): Promise<Outcome> {
  const { setState } = dependencies
  let attempts = 0
  let furthestOffset = 0
  setState(job, { kind: 'sending' })
  for (;;) {
    try {
      const { id, status } = await startOrResume(job, signal, dependencies)
      if (status.offset > furthestOffset) attempts = 0
      furthestOffset = Math.max(furthestOffset, status.offset)
      // Only after the server has answered: until then, the attempt may still fail.
      if (job.transfer.state.kind === 'waiting') setState(job, { kind: 'sending' })
      return { kind: 'done', file: await sendRest(job, id, status, signal, dependencies) }
    } catch (error) {
      const cause = (await detectChangedFile(job, error)) ?? error
      if (signal.aborted) return { kind: 'stopped' }
      const verdict = classifyError(cause, ++attempts)
      if (verdict.kind !== 'waiting') return verdict
      setState(job, { kind: 'waiting', for: verdict.for })
      await waitForRetry(job, retryDelayMs(attempts, verdict.retryAfterSeconds), signal)
      if (signal.aborted) return { kind: 'stopped' }
    }
  }
}

/** Sends the bytes after the current offset. Returns the id of the resulting file. */
async function sendRest(
  job: Job,
  id: string,
  start: UploadStatus,
  signal: AbortSignal,
  { tus, setProgress }: Dependencies,
): Promise<string> {
  let status = start
  while (status.file === undefined) {
    const { offset } = status
    setProgress(job, offset)
    const rest = (await getFile(job)).slice(offset)
    status = await tus.append(id, rest, status, signal, (bytes) => setProgress(job, offset + bytes))
    if (status.file === undefined && status.offset <= offset)
      throw new ApiError('reply', t('The server isn’t accepting this file. Try again in a moment.'), { status: 500 })
  }
  return status.file
}

/** Gets the offset of an existing upload, or creates a new one. */
async function startOrResume(
  job: Job,
  signal: AbortSignal,
  { tus, save }: Dependencies,
): Promise<{ id: string; status: UploadStatus }> {
  const { kept } = job
  if (kept.upload !== undefined) return { id: kept.upload, status: await tus.status(kept.upload, signal) }
  const fingerprint = await computeFingerprint(await getFile(job)).catch((error) =>
    Promise.reject(error instanceof FileMissing ? error : new FileChanged()),
  )
  const { id, ...status } = await tus.create({ ...kept, directory: kept.directory.id }, signal)
  job.kept = { ...job.kept, fingerprint, upload: id }
  await save(job) // before sending any bytes, so that a reload finds the upload again
  return { id, status }
}

async function getFile(job: Job): Promise<File> {
  if (job.file) return job.file
  const { handle } = job.kept
  if (!handle || !(await canRead(handle, false))) throw new FileMissing()
  const file = await handle.getFile().catch(() => undefined)
  if (!file || (await findDifference(job.kept, file).catch(() => 'unreadable'))) throw new FileChanged()
  job.file = file
  return file
}

/** Distinguishes a file that changed during the upload from a network error: the browser reports both alike. */
const detectChangedFile = async ({ file }: Job, error: unknown) =>
  error instanceof ApiError && error.status === 0 && file && !(await isReadable(file)) ? new FileChanged() : undefined

/** Waits before the next attempt. Ends early when the network is back or the job is stopped. */
async function waitForRetry(job: Job, delayMs: number, signal: AbortSignal) {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, delayMs)
    job.wake = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', job.wake, { once: true })
  })
  job.wake = undefined
}
