import type { Job } from './upload-attempt.ts'
import type { TransferState } from './upload-job.ts'
import type { KeptUpload } from './upload-storage.ts'

export type Jobs = ReturnType<typeof createJobs>

/** All uploads of a page, in the order they were added. Only those of the current user are shown and run. */
export function createJobs() {
  const jobs = new Map<string, Job>()
  let user: string | undefined
  let order = 0

  const own = () => [...jobs.values()].filter(({ kept }) => kept.user === user)
  /** Returns the current user’s jobs with these ids; all of them by default. */
  const select = (ids?: readonly string[]) => own().filter(({ kept }) => ids === undefined || ids.includes(kept.id))

  return {
    user: () => user,
    setUser(id: string | undefined): void {
      user = id
    },

    ofAllUsers: () => [...jobs.values()],
    own,
    select,
    selectByState: (kind: TransferState['kind'], ids?: readonly string[]) =>
      select(ids).filter(({ transfer }) => transfer.state.kind === kind),

    has: (id: string) => jobs.has(id),
    add(upload: Omit<KeptUpload, 'order'>, file?: File): Job {
      const { id, name, size, directory, isPaused } = upload
      const kept = { ...upload, order: order++ }
      const state: TransferState = { kind: isPaused ? 'paused' : 'queued' }
      const transfer = { id, name, size, directory, sent: 0, speed: 0, state }
      const job: Job = { transfer, kept, file, samples: [], controller: undefined, wake: undefined }
      jobs.set(id, job)
      return job
    },
    remove({ kept }: Job): void {
      jobs.delete(kept.id)
    },
    clear: () => jobs.clear(),
  }
}
