import { sweep } from '../../blobs/sweep.ts'
import type { Deps } from '../../deps.ts'
import { getPurgeCutoff } from '../../lib/trash.ts'
import { record } from '../audit/audit.service.ts'
import { addEachToTotals, addToTotals } from '../company/company-total.repo.ts'
import { addToDirectoryTotals, lockTrees } from '../directory/tree.repo.ts'
import { findKnownBlobs, mustKeepBytes, subtractFromCompanyBytes } from '../file/file.repo.ts'
import { readSettings } from '../settings/settings.service.ts'
import { releaseBlobs } from '../version/shared-blob.repo.ts'
import { deleteVersionsOf } from '../version/version.repo.ts'
import {
  deleteFile,
  deleteLinksToFile,
  deletePurgeableDirectories,
  findPurgeableFiles,
  hasPurgeableDirectories,
  lockPurgeableFile,
} from './trash.repo.ts'

/** Younger bytes may belong to an upload that is becoming a file right now. */
const minOrphanAgeMs = 24 * 60 * 60_000
const batchSize = 500

export interface RemovedFile {
  id: string
  name: string
  size: number
}

/**
 * Removes a batch of files that have been in the trash for long enough, and returns them. Deletes the row first, then the
 * bytes; bytes that a crash leaves behind are removed as orphans. Removes nothing while a backup runs.
 */
export async function emptyTrash(deps: Deps): Promise<RemovedFile[]> {
  const before = getPurgeCutoff(deps.now(), (await readSettings(deps)).storage.trash_days)
  const removed: RemovedFile[] = []
  for (const file of await findPurgeableFiles(deps.db, before, batchSize)) {
    const removable = await removeRow(deps, file, before)
    if (!removable) continue
    for (const id of removable) await deps.blobs.remove(id)
    removed.push(file)
  }
  if (!(await hasPurgeableDirectories(deps.db, before))) return removed
  await deps.db.transaction().execute(async (trx) => {
    const { directories, companiesOfLinks } = await deleteTrees(trx, before)
    // Folders that were moved to the trash together with a folder above them get no entries of their own.
    const items = directories.filter(({ trashed_with }) => trashed_with === null)
    const entries = items.map(({ id, name, company_id }) => ({ company: company_id, directory: id, name }))
    await record(
      deps,
      trx,
      entries.map((entry) => ({ action: 'directory.removed', by: { kind: 'system' }, ...entry })),
    )
    await addEachToTotals(trx, 'links', companiesOfLinks, -1)
  })
  return removed
}

/** Deletes directories to purge and their folders, from the lowest level up. */
async function deleteTrees(trx: Deps['db'], before: string) {
  const directories: Awaited<ReturnType<typeof deletePurgeableDirectories>>['directories'] = []
  const companiesOfLinks: string[] = []
  for (;;) {
    const deleted = await deletePurgeableDirectories(trx, before)
    directories.push(...deleted.directories)
    companiesOfLinks.push(...deleted.companiesOfLinks)
    if (deleted.directories.length === 0) return { directories, companiesOfLinks }
  }
}

type PurgeableFile = Awaited<ReturnType<typeof findPurgeableFiles>>[number]

/**
 * Deletes the row of a file and its versions. Returns the bytes that are no longer referenced; undefined if the file was restored
 * meanwhile, or a backup may need its bytes.
 */
const removeRow = (deps: Deps, { id, directory_id }: PurgeableFile, before: string): Promise<string[] | undefined> =>
  deps.db.transaction().execute(async (trx) => {
    if (await mustKeepBytes(trx, deps.now().toISOString())) return undefined
    await lockTrees(trx, [directory_id])
    const file = await lockPurgeableFile(trx, id, before)
    if (!file) return undefined
    const { company_id, name, size } = file
    const links = await deleteLinksToFile(trx, id)
    const versions = await deleteVersionsOf(trx, id)
    await deleteFile(trx, id)
    const removable = await releaseBlobs(
      trx,
      [file, ...versions].flatMap(({ blob_id, thumbnail_id }) => [blob_id, thumbnail_id]),
    )
    const change = { files: -1, bytes: -size }
    const files = file.deleted_at === null ? await addToDirectoryTotals(trx, file.directory_id, change) : 0
    const bytes = versions.reduce((sum, version) => sum + version.size, size)
    await subtractFromCompanyBytes(trx, company_id, bytes)
    const fields = { company: company_id, directory: file.directory_id, file: id, name, size }
    await record(deps, trx, [{ action: 'file.removed', by: { kind: 'system' }, ...fields }])
    await addToTotals(trx, company_id, { files })
    await addEachToTotals(trx, 'links', links, -1)
    return removable
  })

/** Lists all files that `emptyTrash` would remove. */
export async function* listPurgeableFiles(deps: Deps): AsyncGenerator<RemovedFile> {
  const before = getPurgeCutoff(deps.now(), (await readSettings(deps)).storage.trash_days)
  for (let after = ''; ; ) {
    const page = await findPurgeableFiles(deps.db, before, batchSize, after)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < batchSize) return
    after = last.id
  }
}

/** Removes bytes without a row, left by a process that died between changing the bytes and the row. Returns their ids. */
export async function removeOrphans(deps: Deps, { dryRun = false } = {}) {
  if (await mustKeepBytesNow(deps)) return { uploads: [], blobs: [] }
  return sweep(deps.blobs, {
    before: new Date(deps.now().getTime() - minOrphanAgeMs),
    // Reads in a transaction, which sees only durable changes: a row whose deletion is not durable yet may come back.
    findReferenced: (ids) => deps.db.transaction().execute((trx) => findKnownBlobs(trx, ids)),
    dryRun,
  })
}

export const mustKeepBytesNow = (deps: Deps) =>
  deps.db.transaction().execute((trx) => mustKeepBytes(trx, deps.now().toISOString()))
