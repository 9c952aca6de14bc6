import { t } from '../../words/t.ts'
import type { Job } from './carry.ts'
import type { Jobs } from './jobs.ts'
import { type Sample, speedOf, type Totals, type Transfer, type TransferState, totalsOf, withSample } from './transfer.ts'

/** How often the screen hears of progress. */
const newsEvery = 150

/** What the screen shows. */
export interface Uploads {
  transfers: readonly Transfer[]
  totals: Totals
  /** How many files have landed since the page was opened. */
  landed: number
  /** The latest thing worth saying to those who do not see it. */
  news: string
}

export type News = ReturnType<typeof createNews>

/** What becomes of uploads, and how the screen hears of it. */
export function createNews(jobs: Jobs) {
  const listeners = new Set<() => void>()
  let landed = 0
  let news = ''
  /** All bytes that ever went out, for the speed of all together. */
  const carried: { bytes: number; samples: readonly Sample[] } = { bytes: 0, samples: [] }
  let uploads: Uploads = { transfers: [], totals: totalsOf([], 0), landed, news }
  let timer: ReturnType<typeof setTimeout> | undefined

  function tell() {
    clearTimeout(timer)
    timer = undefined
    if (jobs.someIn('sending').length === 0) carried.samples = [] // a rest is not slowness
    const transfers = jobs.mine().map(({ transfer }) => transfer)
    uploads = { transfers, totals: totalsOf(transfers, speedOf(carried.samples)), landed, news }
    for (const listener of listeners) listener()
  }
  function tellSoon() {
    timer ??= setTimeout(tell, newsEvery)
  }
  function say(words: string) {
    news = words
    tellSoon()
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    read: () => uploads,
    tell,
    tellSoon,
    say,

    become(job: Job, state: TransferState): void {
      if (state.kind === 'waiting' && job.transfer.state.kind !== 'waiting')
        say(t('Uploads are waiting and will resume automatically.'))
      if (state.kind === 'done') landed++
      job.samples = []
      job.transfer = { ...job.transfer, state, speed: 0 }
      tellSoon()
    },
    progress(job: Job, sent: number): void {
      const now = performance.now()
      carried.bytes += Math.max(0, sent - job.transfer.sent)
      carried.samples = withSample(carried.samples, [now, carried.bytes])
      job.samples = withSample(job.samples, [now, sent])
      job.transfer = { ...job.transfer, sent, speed: speedOf(job.samples) }
      tellSoon()
    },
  }
}
