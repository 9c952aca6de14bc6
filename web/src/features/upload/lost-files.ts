import { t } from '../../words/t.ts'
import type { Jobs } from './jobs.ts'
import type { News } from './news.ts'
import { mayRead } from './picked-files.ts'
import { differenceOf } from './same-file.ts'

/** Files chosen again. Each finds its own place; if the one it was chosen for is left without, that one says why. */
export async function supply(jobs: Jobs, news: News, files: readonly File[], forId?: string): Promise<void> {
  for (const file of files) {
    for (const job of jobs.someIn('fileless')) {
      if ((await differenceOf(job.kept, file).catch(() => 'unreadable')) !== undefined) continue
      job.file = file
      news.become(job, { kind: 'queued' })
      break
    }
  }
  const [asked] = forId === undefined ? [] : jobs.someIn('fileless', [forId])
  if (!asked || !files[0]) return
  const { name, handle } = asked.kept
  const difference = await differenceOf(asked.kept, files[0]).catch(() => t('That file can’t be read.'))
  const reason = difference ?? t('That file already belongs to another upload.')
  const problem = t('{reason} Choose the original “{name}”, or cancel.', { reason, name })
  news.become(asked, { kind: 'fileless', canAsk: handle !== undefined, problem })
  news.say(problem)
}

/** Asks the browser to let us read them again, which it does only right after a click. */
export async function ask(jobs: Jobs, news: News, ids?: readonly string[]): Promise<void> {
  for (const job of jobs.someIn('fileless', ids)) {
    if (!job.kept.handle) continue
    if (await mayRead(job.kept.handle, true)) news.become(job, { kind: 'queued' })
    else if (ids) news.become(job, { kind: 'fileless', canAsk: false }) // whoever says no can still choose it
  }
}
