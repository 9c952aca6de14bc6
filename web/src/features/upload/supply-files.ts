import { t } from '../../i18n/t.ts'
import { findDifference } from './files/file-identity.ts'
import { canRead } from './files/picked-files.ts'
import type { UploadStore } from './state/upload-store.ts'

/**
 * Matches files that were chosen again with the uploads that need them. If the upload `forId` finds no match, its row shows why the
 * first file doesn’t fit.
 */
export async function supplyFiles(store: UploadStore, files: readonly File[], forId?: string): Promise<void> {
  for (const file of files) {
    for (const job of store.selectByState('fileless')) {
      if ((await findDifference(job, file).catch(() => 'unreadable')) !== undefined) continue
      store.apply(job.id, 'supplyFile', file)
      break
    }
  }
  const [unmatched] = forId === undefined ? [] : store.selectByState('fileless', [forId])
  if (!unmatched || !files[0]) return
  const difference = await findDifference(unmatched, files[0]).catch(() => t('That file can’t be read.'))
  const reason = difference ?? t('That file already belongs to another upload.')
  const problem = t('{reason} Choose the original “{name}”, or cancel.', { reason, name: unmatched.name })
  store.apply(unmatched.id, 'rejectFile', problem)
  store.announce(problem)
}

/** Asks the browser for permission to read the files again. Browsers allow that only right after a click. */
export async function requestFileAccess(store: UploadStore, ids?: readonly string[]): Promise<void> {
  for (const { id, handle } of store.selectByState('fileless', ids)) {
    if (!handle) continue
    if (await canRead(handle, true)) store.apply(id, 'allowAccess')
    else if (ids) store.apply(id, 'denyAccess')
  }
}
