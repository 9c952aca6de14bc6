import { t } from '../../i18n/t.ts'
import type { Jobs } from './jobs.ts'
import type { Job } from './upload-attempt.ts'
import {
  addSample,
  computeSpeed,
  computeTotals,
  type Sample,
  type Totals,
  type Transfer,
  type TransferState,
} from './upload-job.ts'

/** How often subscribers are notified of progress, at most. */
const notifyIntervalMs = 150

/** What the screen shows. */
export interface Uploads {
  transfers: readonly Transfer[]
  totals: Totals
  /** The number of uploads completed since the page was opened. */
  completed: number
  /** The latest message for screen readers. */
  announcement: string
}

export type UploadStore = ReturnType<typeof createUploadStore>

/** Updates the state of uploads, and notifies the screen of changes. */
export function createUploadStore(jobs: Jobs) {
  const listeners = new Set<() => void>()
  let completed = 0
  let announcement = ''
  /** All bytes ever sent, for the overall speed. */
  const overall: { bytes: number; samples: readonly Sample[] } = { bytes: 0, samples: [] }
  let uploads: Uploads = { transfers: [], totals: computeTotals([], 0), completed, announcement }
  let timer: ReturnType<typeof setTimeout> | undefined

  function notify() {
    clearTimeout(timer)
    timer = undefined
    if (jobs.selectByState('sending').length === 0) overall.samples = [] // idle time must not lower the speed
    const transfers = jobs.own().map(({ transfer }) => transfer)
    uploads = { transfers, totals: computeTotals(transfers, computeSpeed(overall.samples)), completed, announcement }
    for (const listener of listeners) listener()
  }
  function notifySoon() {
    timer ??= setTimeout(notify, notifyIntervalMs)
  }
  function announce(text: string) {
    announcement = text
    notifySoon()
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    read: () => uploads,
    notify,
    notifySoon,
    announce,

    setState(job: Job, state: TransferState): void {
      if (state.kind === 'waiting' && job.transfer.state.kind !== 'waiting')
        announce(t('Uploads are waiting and will resume automatically.'))
      if (state.kind === 'done') completed++
      job.samples = []
      job.transfer = { ...job.transfer, state, speed: 0 }
      notifySoon()
    },
    setProgress(job: Job, sent: number): void {
      const now = performance.now()
      overall.bytes += Math.max(0, sent - job.transfer.sent)
      overall.samples = addSample(overall.samples, [now, overall.bytes])
      job.samples = addSample(job.samples, [now, sent])
      job.transfer = { ...job.transfer, sent, speed: computeSpeed(job.samples) }
      notifySoon()
    },
  }
}
