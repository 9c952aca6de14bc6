import { ApiError } from '../../api/api-error.ts'
import { t } from '../../i18n/t.ts'
import { computeFingerprint, findDifference, isReadable } from './files/file-identity.ts'
import { canRead, openFile } from './files/picked-files.ts'
import { getRetryDelayMs } from './retry-timer.ts'
import { getPath, type UploadJob } from './state/upload-job.ts'
import type { TransitionArgs, TransitionName } from './state/upload-machine.ts'
import type { TusClient, UploadStatus } from './transport/tus.ts'
import { classifyError, FileChangedError, FileMissingError, type Verdict } from './upload-errors.ts'

/** How an attempt ended. If it was stopped, the code that stopped it has already changed the job. */
export type Outcome = { kind: 'done'; file: string } | { kind: 'stopped' } | Exclude<Verdict, { kind: 'waiting' }>

interface Attempt {
  tus: TusClient
  signal: AbortSignal
  /** Returns the job’s current version. */
  getJob: () => UploadJob
  apply: <Name extends TransitionName>(name: Name, ...args: TransitionArgs<Name>) => void
  save: () => Promise<void>
  /** Returns the id of a folder in a tree, which is created first if necessary. */
  getFolderId: (tree: string, folder: string) => Promise<string>
  waitForRetry: (delayMs: number, signal: AbortSignal) => Promise<void>
}

/** Uploads one file completely, and resumes after temporary failures. */
export async function uploadFile(attempt: Attempt): Promise<Outcome> {
  const { signal, apply } = attempt
  let failures = 0
  let furthestOffset = 0
  apply('start')
  for (;;) {
    try {
      if (attempt.getJob().kind === 'folder') return { kind: 'done', file: await getTargetId(attempt) }
      const { id, status } = await startOrResume(attempt)
      if (status.offset > furthestOffset) failures = 0
      furthestOffset = Math.max(furthestOffset, status.offset)
      // Only after the server has answered: until then, the attempt may still fail.
      if (!signal.aborted) apply('reconnect')
      return { kind: 'done', file: await sendRest(attempt, id, status) }
    } catch (error) {
      const cause = (await detectChangedFile(attempt, error)) ?? error
      if (signal.aborted) return { kind: 'stopped' }
      const verdict = classifyError(cause, ++failures, attempt.getJob().directory.contact)
      if (verdict.kind !== 'waiting') return verdict
      apply('wait', verdict.for)
      await attempt.waitForRetry(getRetryDelayMs(failures, verdict.retryAfterSeconds), signal)
      if (signal.aborted) return { kind: 'stopped' }
    }
  }
}

/** Sends the bytes after the current offset. Returns the id of the resulting file. */
async function sendRest(attempt: Attempt, id: string, start: UploadStatus): Promise<string> {
  const { tus, signal } = attempt
  const reportProgress = (sent: number) => attempt.apply('progress', sent, performance.now())
  let status = start
  while (status.file === undefined) {
    const { offset } = status
    reportProgress(offset)
    const rest = (await getFile(attempt)).slice(offset)
    status = await tus.append(id, rest, status, signal, (bytes) => reportProgress(offset + bytes))
    if (status.file === undefined && status.offset <= offset)
      throw new ApiError('reply', t('The server isn’t accepting this file. Try again in a moment.'), { status: 500 })
  }
  return status.file
}

/** Gets the status of an existing upload, or creates a new one. */
async function startOrResume(attempt: Attempt): Promise<{ id: string; status: UploadStatus }> {
  const { tus, signal, getJob, apply, save } = attempt
  const { upload, name, size, conflict } = getJob()
  if (upload !== undefined) return { id: upload, status: await tus.getStatus(upload, signal) }
  const fingerprint = await computeFingerprint(await getFile(attempt)).catch((error) =>
    Promise.reject(error instanceof FileMissingError ? error : new FileChangedError()),
  )
  const { id, ...status } = await tus.create({ name, size, conflict, directory: await getTargetId(attempt) }, signal)
  apply('create', id, fingerprint)
  await save() // before sending any bytes, so that a reload finds the upload again
  return { id, status }
}

/** Returns the id of the directory or folder that the file goes to. */
async function getTargetId({ getJob, getFolderId }: Attempt): Promise<string> {
  const { tree, folder, directory } = getJob()
  return tree === undefined || folder === undefined ? directory.id : getFolderId(tree, folder)
}

async function getFile({ getJob, apply }: Attempt): Promise<File> {
  const job = getJob()
  if (job.file) return job.file
  if (!job.handle || !(await canRead(job.handle, false))) throw new FileMissingError()
  const file = await openFile(job.handle, getPath(job)).catch((error) => {
    if (!(error instanceof TypeError)) return undefined
    apply('loseHandle') // Chromium doesn’t open files through their folder’s handle if it considers their names unsafe
    throw new FileMissingError()
  })
  if (!file || (await findDifference(job, file).catch(() => 'unreadable'))) throw new FileChangedError()
  apply('openFile', file)
  return file
}

/** Distinguishes a file that changed during the upload from a network error: the browser reports both alike. */
async function detectChangedFile({ getJob }: Attempt, error: unknown): Promise<FileChangedError | undefined> {
  const { file } = getJob()
  const mayBeChanged = error instanceof ApiError && error.status === 0 && file
  return mayBeChanged && !(await isReadable(file)) ? new FileChangedError() : undefined
}
