import { sweep } from '../../blobs/sweep.ts'
import type { Deps } from '../../deps.ts'
import { forgottenBefore } from '../../lib/trash.ts'
import { addToDirectory } from '../directory/directory.repo.ts'
import { addToCompany, deleteForgotten, deleteForgottenDirectories, findForgotten, knownBlobs } from './file.repo.ts'

/** Younger than this it may belong to an upload that is just becoming a file. */
const orphanAge = 24 * 60 * 60_000

/** Empties the trash of what has been there long enough: the row first, then its bytes. What a crash leaves over, the next one finds. */
export async function emptyTrash(deps: Deps): Promise<void> {
  const before = forgottenBefore(deps.now(), deps.config.trashDays)
  for (const { id, company_id, directory_id, deleted_at, size, thumbnail_id } of await findForgotten(deps.db, before, 500)) {
    const isGone = await deps.db.transaction().execute(async (trx) => {
      if (!(await deleteForgotten(trx, id, before))) return false
      if (deleted_at === null) await addToDirectory(trx, directory_id, { files: -1, bytes: -size })
      return addToCompany(trx, company_id, -size, undefined)
    })
    if (!isGone) continue
    await deps.blobs.remove(id)
    if (thumbnail_id) await deps.blobs.remove(thumbnail_id)
  }
  await deleteForgottenDirectories(deps.db, before)
}

/** Removes bytes that no row knows of: what is left when a process died between the bytes and the row. */
export const removeOrphans = (deps: Deps) =>
  sweep(deps.blobs, {
    before: new Date(deps.now().getTime() - orphanAge),
    wanted: (ids) => knownBlobs(deps.db, ids),
  })
