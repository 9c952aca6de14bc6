import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import { addToDirectoryTotals, lockTrees } from '../directory/tree.repo.ts'
import { mustKeepBytes, subtractFromCompanyBytes } from '../file/file.repo.ts'
import { releaseBlobs } from '../version/shared-blob.repo.ts'
import { deleteStagedFiles, deleteStagedFolders, listAbandonedStages } from './copy.repo.ts'

const filesPerSlice = 100
/** A copy without progress for this long is abandoned: its process died. */
const abandonedAfterMs = 60 * 60_000

/** Discards copies whose process died before they were complete. They have never been visible. */
export async function discardAbandonedCopies(deps: Deps): Promise<void> {
  const before = new Date(deps.now().getTime() - abandonedAfterMs).toISOString()
  for (const stage of await listAbandonedStages(deps.db, before)) await discardCopy(deps, stage)
}

/** Deletes what was copied into a hidden folder, in slices, and then the folder. */
export async function discardCopy(deps: Deps, stage: string): Promise<void> {
  for (let isEmpty = false; !isEmpty; await nextTurn()) {
    const removable = await deps.db.transaction().execute(async (trx) => {
      // Takes this lock first, as emptying the trash does, so that these transactions don't deadlock.
      const isBackupRunning = await mustKeepBytes(trx, deps.now().toISOString())
      await lockTrees(trx, [stage])
      const files = await deleteStagedFiles(trx, stage, filesPerSlice)
      const removable = await releaseBlobs(
        trx,
        files.flatMap(({ blob_id, thumbnail_id }) => [blob_id, thumbnail_id]),
      )
      for (const [id, { files: count, bytes }] of sumBy(files, 'directory_id'))
        await addToDirectoryTotals(trx, id, { files: -count, bytes: -bytes })
      for (const [id, { bytes }] of sumBy(files, 'company_id')) await subtractFromCompanyBytes(trx, id, bytes)
      isEmpty = files.length < filesPerSlice
      if (isEmpty) await deleteStagedFolders(trx, stage)
      // While a backup runs, the bytes stay. They are removed later as orphans.
      return isBackupRunning ? [] : removable
    })
    for (const id of removable) await deps.blobs.remove(id)
  }
}

/** Sums files and their bytes by directory or company, sorted by id, so that two transactions can't deadlock. */
export function sumBy<Key extends 'directory_id' | 'company_id'>(
  files: (Record<Key, string> & { size: number })[],
  key: Key,
): [string, { files: number; bytes: number }][] {
  const sums = [...Map.groupBy(files, (file) => file[key])].map(([id, group]): [string, { files: number; bytes: number }] => [
    id,
    { files: group.length, bytes: group.reduce((sum, { size }) => sum + size, 0) },
  ])
  return sums.toSorted(([a], [b]) => (a < b ? -1 : 1))
}
