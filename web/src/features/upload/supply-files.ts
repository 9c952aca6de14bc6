import { t } from '../../i18n/t.ts'
import { findDifference } from './files/file-identity.ts'
import { canRead } from './files/picked-files.ts'
import type { Jobs } from './jobs.ts'
import type { UploadStore } from './upload-store.ts'

/**
 * Matches files that were chosen again with the uploads that need them. If the upload `forId` finds no match, its row shows why the
 * first file doesn’t fit.
 */
export async function supplyFiles(jobs: Jobs, store: UploadStore, files: readonly File[], forId?: string): Promise<void> {
  for (const file of files) {
    for (const job of jobs.selectByState('fileless')) {
      if ((await findDifference(job.kept, file).catch(() => 'unreadable')) !== undefined) continue
      job.file = file
      store.setState(job, { kind: 'queued' })
      break
    }
  }
  const [unmatched] = forId === undefined ? [] : jobs.selectByState('fileless', [forId])
  if (!unmatched || !files[0]) return
  const { name, handle } = unmatched.kept
  const difference = await findDifference(unmatched.kept, files[0]).catch(() => t('That file can’t be read.'))
  const reason = difference ?? t('That file already belongs to another upload.')
  const problem = t('{reason} Choose the original “{name}”, or cancel.', { reason, name })
  store.setState(unmatched, { kind: 'fileless', canAsk: handle !== undefined, problem })
  store.announce(problem)
}

/** Asks the browser for permission to read the files again. Browsers allow that only right after a click. */
export async function requestFileAccess(jobs: Jobs, store: UploadStore, ids?: readonly string[]): Promise<void> {
  for (const job of jobs.selectByState('fileless', ids)) {
    if (!job.kept.handle) continue
    if (await canRead(job.kept.handle, true)) store.setState(job, { kind: 'queued' })
    else if (ids) store.setState(job, { kind: 'fileless', canAsk: false }) // denied: the file can still be chosen
  }
}
