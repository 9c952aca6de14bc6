import { sweep } from '../../blobs/sweep.ts'
import type { Deps } from '../../deps.ts'
import { purgeCutoff } from '../../lib/trash.ts'
import { record } from '../audit/audit.service.ts'
import { addToDirectory } from '../directory/directory.repo.ts'
import { addToCompany, knownBlobs, mustKeepBytes } from './file.repo.ts'
import { deleteForgotten, deleteForgottenDirectories, findForgotten, hasForgottenDirectories } from './trash.repo.ts'

/** Younger than this it may belong to an upload that is just becoming a file. */
const orphanAge = 24 * 60 * 60_000
const atOnce = 500

export interface RemovedFile {
  id: string
  name: string
  size: number
}

/**
 * Removes what has been in the trash for long enough, so many at a time: the row first, then its bytes. What a crash leaves over, the next
 * one finds. While a backup runs it waits. Tells which.
 */
export async function emptyTrash(deps: Deps): Promise<RemovedFile[]> {
  const before = purgeCutoff(deps.now(), deps.config.trashDays)
  const removed: RemovedFile[] = []
  for (const file of await findForgotten(deps.db, before, atOnce)) {
    if (!(await removeRow(deps, file, before))) continue
    await deps.blobs.remove(file.id)
    if (file.thumbnail_id) await deps.blobs.remove(file.thumbnail_id)
    removed.push(file)
  }
  if (!(await hasForgottenDirectories(deps.db, before))) return removed
  await deps.db.transaction().execute(async (trx) => {
    const directories = await deleteForgottenDirectories(trx, before)
    const entries = directories.map(({ id, name, company_id }) => ({ company: company_id, directory: id, name }))
    await record(
      deps,
      trx,
      entries.map((entry) => ({ action: 'directory.removed', by: { kind: 'system' }, ...entry })),
    )
  })
  return removed
}

type Forgotten = Awaited<ReturnType<typeof findForgotten>>[number]

/** False when it was restored meanwhile, or when a backup wants its bytes. */
const removeRow = (deps: Deps, { id, company_id, directory_id, deleted_at, name, size }: Forgotten, before: string) =>
  deps.db.transaction().execute(async (trx) => {
    if (await mustKeepBytes(trx, deps.now().toISOString())) return false
    if (!(await deleteForgotten(trx, id, before))) return false
    if (deleted_at === null) await addToDirectory(trx, directory_id, { files: -1, bytes: -size })
    const isCounted = await addToCompany(trx, company_id, -size, undefined)
    const about = { company: company_id, directory: directory_id, file: id, name, size }
    await record(deps, trx, [{ action: 'file.removed', by: { kind: 'system' }, ...about }])
    return isCounted
  })

/** What `emptyTrash` would remove, in all. */
export async function* listForgotten(deps: Deps): AsyncGenerator<RemovedFile> {
  const before = purgeCutoff(deps.now(), deps.config.trashDays)
  for (let after = ''; ; ) {
    const page = await findForgotten(deps.db, before, atOnce, after)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < atOnce) return
    after = last.id
  }
}

/** Removes bytes that no row knows of: what is left when a process died between the bytes and the row. Tells which. */
export async function removeOrphans(deps: Deps, { dryRun = false } = {}) {
  if (await isBackupRunning(deps)) return { uploads: [], blobs: [] }
  return sweep(deps.blobs, {
    before: new Date(deps.now().getTime() - orphanAge),
    // In a transaction, which is true only once all before it is on the disk: rows that are about to go might stay after all.
    findReferenced: (ids) => deps.db.transaction().execute((trx) => knownBlobs(trx, ids)),
    dryRun,
  })
}

export const isBackupRunning = (deps: Deps) =>
  deps.db.transaction().execute((trx) => mustKeepBytes(trx, deps.now().toISOString()))
