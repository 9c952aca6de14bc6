import type { Job } from './carry.ts'
import type { KeptUpload } from './kept-uploads.ts'
import type { TransferState } from './transfer.ts'

export type Jobs = ReturnType<typeof createJobs>

/** All uploads of a page, as they were added. Only those of whoever is here now are seen, and moved. */
export function createJobs() {
  const jobs = new Map<string, Job>()
  let user: string | undefined
  let order = 0

  const mine = () => [...jobs.values()].filter(({ kept }) => kept.user === user)
  /** Those named, or all. */
  const some = (ids?: readonly string[]) => mine().filter(({ kept }) => ids === undefined || ids.includes(kept.id))

  return {
    user: () => user,
    setUser(who: string | undefined): void {
      user = who
    },

    ofAnybody: () => [...jobs.values()],
    mine,
    some,
    someIn: (kind: TransferState['kind'], ids?: readonly string[]) =>
      some(ids).filter(({ transfer }) => transfer.state.kind === kind),

    has: (id: string) => jobs.has(id),
    add(upload: Omit<KeptUpload, 'order'>, file?: File): Job {
      const { id, name, size, directory, isPaused } = upload
      const kept = { ...upload, order: order++ }
      const state: TransferState = { kind: isPaused ? 'paused' : 'queued' }
      const transfer = { id, name, size, directory, sent: 0, speed: 0, state }
      const job: Job = { transfer, kept, file, samples: [], control: undefined, wake: undefined }
      jobs.set(id, job)
      return job
    },
    remove({ kept }: Job): void {
      jobs.delete(kept.id)
    },
    clear: () => jobs.clear(),
  }
}
