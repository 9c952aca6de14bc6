import type { DirectoryRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getReach, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { getPurgeCutoff } from '../../lib/trash.ts'
import { refreshLinks } from '../access/link-standing.service.ts'
import { record } from '../audit/audit.service.ts'
import { addToTotals } from '../company/company-total.repo.ts'
import { readSettings } from '../settings/settings.service.ts'
import { findDirectory } from './directory.repo.ts'
import { getVisibleDirectory, readDirectory, toDirectoryAuditFields } from './directory.service.ts'
import { requireLimits } from './folder-limits.service.ts'
import { findFreeName } from './free-name.service.ts'
import {
  addToDirectoryTotals,
  findPaths,
  type LockedDirectory,
  lockDirectory,
  lockTrees,
  measureSubtree,
  placeFolder,
  trashTree,
  untrashTree,
} from './tree.repo.ts'

type Db = Deps['db']

/**
 * Moves a directory and all folders below it to the trash. Its files don't change: a file is hidden while its directory is in the trash.
 */
export async function trashDirectory(deps: Deps, actor: Staff, id: string): Promise<void> {
  await getVisibleDirectory(deps, actor, id)
  await deps.db.transaction().execute(async (trx) => {
    const directory = await lockDirectory(trx, id)
    // It may have been moved to another company while this waited for the lock.
    if (!directory || !(await findDirectory(trx, id, getReach(actor)))) throw new AppError('directory.not_found')
    const { parent_id, files, bytes } = directory
    await trashTree(trx, id, deps.now().toISOString())
    if (parent_id !== null) await addToDirectoryTotals(trx, parent_id, { files: -files, bytes: -bytes })
    await record(deps, trx, [{ action: 'directory.deleted', by: actor, ...toDirectoryAuditFields(directory) }])
    await addToTotals(trx, directory.company_id, { directories: parent_id === null ? -1 : 0, files: -files })
  })
  await refreshLinks(deps, [{ tree: id }])
}

/**
 * Restores a directory with the folders that were moved to the trash with it. A folder whose parent is in the trash goes to the nearest
 * directory that is not.
 */
export async function restoreDirectory(deps: Deps, actor: Staff, id: string): Promise<DirectoryRow> {
  const found = await findDirectory(deps.db, id, getReach(actor))
  const cutoff = getPurgeCutoff(deps.now(), (await readSettings(deps)).storage.trash_days)
  // After the retention time, the directory may already be partly purged.
  if (!found || (found.deleted_at ?? '9') < cutoff) throw new AppError('directory.not_found')
  await deps.db.transaction().execute(async (trx) => {
    const directory = (await lockTrees(trx, [id])).get(id)
    if (!directory || !(await findDirectory(trx, id, getReach(actor)))) throw new AppError('directory.not_found')
    if (directory.deleted_at === null) return
    // It was moved to the trash with a folder that contains it. That folder must be restored instead.
    if (directory.trashed_with !== null) throw new AppError('directory.not_found')
    const { files, bytes } = directory
    const { parent, name } = await moveToLiveAncestor(trx, directory)
    if (!(await untrashTree(trx, id))) throw new AppError('directory.name_taken')
    if (parent !== null) await addToDirectoryTotals(trx, parent, { files, bytes })
    await record(deps, trx, [{ action: 'directory.restored', by: actor, ...toDirectoryAuditFields(directory), name }])
    await addToTotals(trx, directory.company_id, { directories: parent === null ? 1 : 0, files })
  })
  await refreshLinks(deps, [{ tree: id }])
  return readDirectory(deps, actor, id)
}

/** Moves a trashed folder to the nearest directory above that is not in the trash. Returns that directory, and the folder's name there. */
async function moveToLiveAncestor(trx: Db, folder: LockedDirectory): Promise<{ parent: string | null; name: string }> {
  if (folder.parent_id === null) return { parent: null, name: folder.name }
  const parentId = await findLiveAncestor(trx, folder.parent_id)
  const parent = (await lockTrees(trx, [parentId])).get(parentId)
  if (!parent) throw new AppError('directory.not_found')
  const name = await findFreeName(trx, parent.id, folder.name, { isFolder: true })
  if (name.length > folder.name.length)
    await requireLimits(trx, parent, { name, below: await measureSubtree(trx, folder.id), folders: 0 })
  await placeFolder(trx, folder, parent, name)
  return { parent: parent.id, name }
}

/**
 * Returns the directory itself if it isn't in the trash, otherwise the nearest directory above that isn't. Throws
 * `folder.directory_deleted` if the top-level directory is in the trash, too.
 */
export async function findLiveAncestor(trx: Db, id: string): Promise<string> {
  const path = (await findPaths(trx, [id])).get(id) ?? []
  const live = path.findLast(({ deleted_at }) => deleted_at === null)
  if (!live) throw new AppError('folder.directory_deleted')
  return live.id
}
