import type { FileRow, VersionRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getCompanyScope, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { refreshLinks } from '../access/link-standing.service.ts'
import { type Entry, type Performer, record } from '../audit/audit.service.ts'
import { addToDirectoryTotals, lockTrees } from '../directory/tree.repo.ts'
import { type FileRecord, findFile, findUploaders, mustKeepBytes, subtractFromCompanyBytes } from '../file/file.repo.ts'
import { getVisibleFile, toFileAuditFields, toFileRow, toThumbnailUrl } from '../file/file.service.ts'
import { releaseBlobs } from './shared-blob.repo.ts'
import {
  countPins,
  deleteVersion,
  findPinnedFiles,
  findVersion,
  listVersions,
  replaceContent,
  toContent,
  type VersionRecord,
} from './version.repo.ts'

type Db = Deps['db']

const maxListed = 1000

/** Lists the versions of a file, the current one first. */
export async function listFileVersions(deps: Deps, actor: Staff, id: string): Promise<VersionRow[]> {
  const file = await getVisibleFile(deps, actor, id)
  const pins = await countPins(deps.db, id, deps.now().toISOString())
  const current = { ...file, number: file.version, replaced_at: null }
  const versions = [current, ...(await listVersions(deps.db, id, maxListed - 1))]
  const uploaderIds = versions.map(({ uploaded_by }) => uploaded_by)
  const uploaders = await findUploaders(deps.db, uploaderIds, getCompanyScope(actor))
  return versions.map((version) => ({
    id: version.blob_id,
    number: version.number,
    is_current: version.replaced_at === null,
    size: version.size,
    sha256: version.sha256,
    content_type: version.content_type,
    kind: version.kind,
    damaged: version.damaged_at !== null,
    image: toThumbnailUrl(deps, actor, { ...version, id }, true),
    date_created: version.created_at,
    replaced_at: version.replaced_at,
    uploaded_by: uploaders.get(version.uploaded_by ?? '') ?? null,
    link: version.link_key,
    pinned_links: pins.get(version.blob_id) ?? 0,
  }))
}

/** Makes an earlier version the current one, with the next number. Does nothing if it is already current. */
export async function restoreVersion(deps: Deps, actor: Staff, id: string, versionId: string): Promise<FileRow> {
  await getVisibleFile(deps, actor, id, versionId)
  await deps.db.transaction().execute(async (trx) => {
    const file = await lockVisibleFile(deps, trx, actor, id)
    if (file.blob_id === versionId) return
    const version = await deleteVersion(trx, id, versionId)
    if (!version) throw new AppError('version.not_found')
    if (version.damaged_at !== null) throw new AppError('file.damaged')
    await replaceContent(trx, id, toContent(version), deps.now().toISOString())
    await addToDirectoryTotals(trx, file.directory_id, { files: 0, bytes: version.size - file.size })
    await record(deps, trx, [toEntry(actor, 'file.version_restored', file, version)])
  })
  return toFileRow(deps, actor, await getVisibleFile(deps, actor, id))
}

/** Deletes an earlier version for good. Links that are pinned to it stop working. */
export async function removeVersion(deps: Deps, actor: Staff, id: string, versionId: string): Promise<void> {
  await getVisibleFile(deps, actor, id, versionId)
  await deleteVersions(deps, async (trx) => {
    const file = await lockVisibleFile(deps, trx, actor, id)
    if (file.blob_id === versionId) throw new AppError('version.current')
    const version = await findVersion(trx, id, versionId)
    if (!version) throw new AppError('version.not_found')
    return { file, versions: [version], by: actor, action: 'file.version_deleted' }
  })
}

/** Locks the tree that contains a file. Returns the file; undefined if it is gone. */
export async function lockTreeOf(trx: Db, id: string): Promise<FileRecord | undefined> {
  for (let lockedDirectory = ''; ; ) {
    const file = await findFile(trx, id, {})
    if (!file || file.directory_id === lockedDirectory) return file
    lockedDirectory = file.directory_id // the file may be moved while this waits for the lock
    await lockTrees(trx, [lockedDirectory])
  }
}

/** Locks the tree that contains a file, and returns the file. Throws `file.not_found` if the caller may not see it. */
async function lockVisibleFile(deps: Deps, trx: Db, actor: Staff, id: string): Promise<FileRecord> {
  await lockTreeOf(trx, id)
  return getVisibleFile({ ...deps, db: trx }, actor, id)
}

interface Deletion {
  file: FileRecord
  versions: VersionRecord[]
  by: Performer
  action: 'file.version_deleted' | 'file.version_removed'
}

/**
 * Deletes the versions that `select` returns. `select` must lock the tree that contains their file. Returns the deleted versions. While a
 * backup runs, their bytes stay, and are removed later as orphans.
 */
export async function deleteVersions(deps: Deps, select: (trx: Db) => Promise<Deletion | undefined>): Promise<VersionRecord[]> {
  const { removable, versions } = await deps.db.transaction().execute(async (trx) => {
    // Takes this lock first, as emptying the trash does, so that these transactions don't deadlock.
    const isBackupRunning = await mustKeepBytes(trx, deps.now().toISOString())
    const selected = await select(trx)
    if (!selected) return { removable: [], versions: [] }
    const { file, by, action } = selected
    const versions: VersionRecord[] = []
    for (const { blob_id } of selected.versions) {
      const deleted = await deleteVersion(trx, file.id, blob_id)
      if (deleted) versions.push(deleted)
    }
    const removable = await releaseBlobs(
      trx,
      versions.flatMap(({ blob_id, thumbnail_id }) => [blob_id, thumbnail_id]),
    )
    const bytes = versions.reduce((sum, { size }) => sum + size, 0)
    await subtractFromCompanyBytes(trx, file.company_id, bytes)
    await record(
      deps,
      trx,
      versions.map((version) => toEntry(by, action, file, version)),
    )
    return { versions, removable: isBackupRunning ? [] : removable }
  })
  for (const id of removable) await deps.blobs.remove(id)
  const pinned = await findPinnedFiles(deps.db, [...new Set(versions.map(({ file_id }) => file_id))])
  await refreshLinks(
    deps,
    pinned.map((file_id) => ({ file_id })),
  )
  return versions
}

const toEntry = (
  by: Performer,
  action: Deletion['action'] | 'file.version_restored',
  file: FileRecord,
  { number, size, sha256 }: VersionRecord,
): Entry => ({ action, by, ...toFileAuditFields({ ...file, size }), note: `version ${number}, SHA-256 ${sha256}` })
