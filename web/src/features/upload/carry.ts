import { ApiError } from '../../api/api-error.ts'
import { t } from '../../words/t.ts'
import type { KeptUpload } from './kept-uploads.ts'
import { mayRead } from './picked-files.ts'
import { differenceOf, fingerprintOf, isReadable } from './same-file.ts'
import { type Sample, type Transfer, type TransferState, waitFor } from './transfer.ts'
import type { Standing, Tus } from './tus.ts'
import { FileChanged, FileMissing, type Verdict, verdictOn } from './verdict.ts'

/** All that is known of one upload. The screen sees its transfer only. */
export interface Job {
  transfer: Transfer
  kept: KeptUpload
  file: File | undefined
  samples: readonly Sample[]
  /** Stops what is going on. */
  control: AbortController | undefined
  /** Ends a wait before its time. */
  wake: (() => void) | undefined
}

/** How a file's way ended. When somebody stopped it, they have said themselves what it is now. */
export type Outcome = { kind: 'done'; file: string } | { kind: 'stopped' } | Exclude<Verdict, { kind: 'waiting' }>

interface Means {
  tus: Tus
  keep: (job: Job) => Promise<void>
  /** What the screen hears on the way. */
  become: (job: Job, state: TransferState) => void
  progress: (job: Job, sent: number) => void
}

/** Sends one file to its end, however often it must begin again. */
export async function carry(job: Job, signal: AbortSignal, means: Means): Promise<Outcome> {
  let tries = 0
  let furthest = 0
  means.become(job, { kind: 'sending' })
  for (;;) {
    try {
      const { id, at } = await begin(job, signal, means)
      if (at.offset > furthest) tries = 0
      furthest = Math.max(furthest, at.offset)
      // Not before the server has answered: a try in vain is still waiting.
      if (job.transfer.state.kind === 'waiting') means.become(job, { kind: 'sending' })
      return { kind: 'done', file: await sendFrom(job, id, at, signal, means) }
    } catch (error) {
      const cause = (await changedFile(job, error)) ?? error
      if (signal.aborted) return { kind: 'stopped' }
      const verdict = verdictOn(cause, ++tries)
      if (verdict.kind !== 'waiting') return verdict
      means.become(job, { kind: 'waiting', for: verdict.for })
      await pause(job, waitFor(tries, verdict.atLeast), signal)
      if (signal.aborted) return { kind: 'stopped' }
    }
  }
}

/** Says what it has become: the id of a file. */
async function sendFrom(job: Job, id: string, start: Standing, signal: AbortSignal, { tus, progress }: Means): Promise<string> {
  let at = start
  while (at.file === undefined) {
    const { offset } = at
    progress(job, offset)
    const rest = (await fileOf(job)).slice(offset)
    at = await tus.append(id, rest, at, signal, (bytes) => progress(job, offset + bytes))
    if (at.file === undefined && at.offset <= offset)
      throw new ApiError('reply', t('The server isn’t accepting this file. Try again in a moment.'), { status: 500 })
  }
  return at.file
}

/** Asks the server how far it is, or tells it of a new file. */
async function begin(job: Job, signal: AbortSignal, { tus, keep }: Means): Promise<{ id: string; at: Standing }> {
  const { kept } = job
  if (kept.upload !== undefined) return { id: kept.upload, at: await tus.status(kept.upload, signal) }
  const fingerprint = await fingerprintOf(await fileOf(job)).catch((error) =>
    Promise.reject(error instanceof FileMissing ? error : new FileChanged()),
  )
  const { id, ...at } = await tus.create({ ...kept, directory: kept.directory.id }, signal)
  job.kept = { ...job.kept, fingerprint, upload: id }
  await keep(job) // before the bytes: an upload that ends while nobody looks must be found again
  return { id, at }
}

async function fileOf(job: Job): Promise<File> {
  if (job.file) return job.file
  const { handle } = job.kept
  if (!handle || !(await mayRead(handle, false))) throw new FileMissing()
  const file = await handle.getFile().catch(() => undefined)
  if (!file || (await differenceOf(job.kept, file).catch(() => 'unreadable'))) throw new FileChanged()
  job.file = file
  return file
}

/** A file that changed under our hands fails like a network does. */
const changedFile = async ({ file }: Job, error: unknown) =>
  error instanceof ApiError && error.status === 0 && file && !(await isReadable(file)) ? new FileChanged() : undefined

/** Ends early when the network is back, or when the job is stopped. */
async function pause(job: Job, milliseconds: number, signal: AbortSignal) {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    job.wake = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', job.wake, { once: true })
  })
  job.wake = undefined
}
