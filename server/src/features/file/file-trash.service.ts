import type { FileRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getReach, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { refreshLinks } from '../access/link-standing.service.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { addEachToTotals } from '../company/company-total.repo.ts'
import { findLiveAncestor } from '../directory/directory-trash.service.ts'
import { findFreeName } from '../directory/free-name.service.ts'
import { addToDirectoryTotals } from '../directory/tree.repo.ts'
import { type FileRecord, findFiles, placeFile, setFileDeleted } from './file.repo.ts'
import { isVisible, lockFiles, toFileAuditFields, toFileRows } from './file.service.ts'

type Db = Deps['db']

/** Moves files to the trash: all of them or, if one is not found, none. */
export async function trashFiles(deps: Deps, actor: Staff, ids: string[]): Promise<void> {
  const uniqueIds = [...new Set(ids)]
  const now = deps.now().toISOString()
  await requireFiles(deps, actor, uniqueIds, isVisible)
  await deps.db.transaction().execute(async (trx) => {
    const deleted: FileRecord[] = []
    const companies: string[] = []
    for (const file of await lockFiles(trx, actor, uniqueIds)) {
      if (!(await setFileDeleted(trx, file.id, now))) continue
      const isCounted = (await addToDirectoryTotals(trx, file.directory_id, { files: -1, bytes: -file.size })) !== 0
      if (isCounted) companies.push(file.company_id)
      deleted.push(file)
    }
    const entries = deleted.map((file) => ({ action: 'file.deleted' as const, by: actor, ...toFileAuditFields(file) }))
    await record(deps, trx, entries)
    await addEachToTotals(trx, 'files', companies, -1)
  })
  await refreshLinks(deps, toLinkScopes(uniqueIds))
}

/** Throws `file.not_found` if the actor may not see one of the files. */
async function requireFiles(deps: Deps, actor: Staff, ids: string[], isFound: (file: FileRecord) => boolean = () => true) {
  const files = (await findFiles(deps.db, ids, getReach(actor))).filter(isFound)
  if (files.length < ids.length) throw new AppError('file.not_found')
}

/** Restores files from the trash. A file whose folder is in the trash goes to the nearest directory that is not. */
export async function restoreFiles(deps: Deps, actor: Staff, ids: string[]): Promise<FileRow[]> {
  const uniqueIds = [...new Set(ids)]
  await requireFiles(deps, actor, uniqueIds)
  const firstNumbers = new Map<string, number>()
  await deps.db.transaction().execute(async (trx) => {
    const entries: Entry[] = []
    const companies: string[] = []
    for (const file of await lockFiles(trx, actor, uniqueIds)) {
      const directory_id = await findTarget(trx, file)
      if (file.deleted_at === null) continue
      const name = await findFreeName(trx, directory_id, file.name, { firstNumbers })
      // Renamed before it is restored: a directory can't contain a name twice, even for a moment.
      await placeFile(trx, file.id, { directory_id, company_id: file.company_id, name })
      if (!(await setFileDeleted(trx, file.id, null))) continue
      await addToDirectoryTotals(trx, directory_id, { files: 1, bytes: file.size })
      companies.push(file.company_id)
      entries.push({ action: 'file.restored', by: actor, ...toFileAuditFields({ ...file, directory_id }), name })
    }
    await record(deps, trx, entries)
    await addEachToTotals(trx, 'files', companies, 1)
  })
  await refreshLinks(deps, toLinkScopes(uniqueIds))
  return toFileRows(deps, actor, await findFiles(deps.db, uniqueIds, getReach(actor)))
}

/** Returns the directory to restore a file to. Throws `folder.directory_deleted` if the top-level directory is in the trash. */
const findTarget = async (trx: Db, { directory_id, directory_deleted_at }: FileRecord): Promise<string> =>
  directory_deleted_at === null ? directory_id : findLiveAncestor(trx, directory_id)

const toLinkScopes = (files: string[]) => files.map((file_id) => ({ file_id }))
