import type { FileKind } from '@neptune/contract'
import type { StoredBlob } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import { getReach, type Reader } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { detectContentType } from '../../lib/net/content-type.ts'
import { recordUpload } from '../access/access.service.ts'
import { record } from '../audit/audit.service.ts'
import { addToTotals } from '../company/company-total.repo.ts'
import { type DirectoryRecord, findDirectory } from '../directory/directory.repo.ts'
import { findFreeName } from '../directory/free-name.service.ts'
import { addToDirectoryTotals, lockDirectory } from '../directory/tree.repo.ts'
import { chargeCompany, sumReservedByLink } from '../quota/quota.service.ts'
import { replaceContent } from '../version/version.repo.ts'
import { notifyWebhooks } from '../webhook/webhook.service.ts'
import { canHaveThumbnail } from './document-preview.service.ts'
import { findFile, findFileByName, insertFile } from './file.repo.ts'
import type { ShownFile } from './file.service.ts'

type Db = Deps['db']

export interface NewFile {
  /** The id of the stored bytes. A new file has the same id. */
  id: string
  directory: DirectoryRecord
  name: string
  conflict: 'keep' | 'replace'
  uploader: Reader
  stored: StoredBlob
}

/**
 * Inserts a file whose bytes are already stored. Call it inside a transaction. Never overwrites a file: if the name is taken, the new file
 * gets a number or, if staff replace the existing file, its bytes become the current version of that file.
 */
export async function addFile(deps: Deps, trx: Db, file: NewFile): Promise<ShownFile> {
  const { name, conflict, uploader, stored } = file
  await lockDirectory(trx, file.directory.id)
  // Reads the directory again: it may have been moved out of the uploader's reach, or to another company.
  const directory = await findDirectory(trx, file.directory.id, getReach(uploader))
  if (!directory || directory.deleted_at !== null) throw new AppError('directory.not_found')
  await chargeCompany(deps, trx, directory.company_id, stored.size)
  const replaced = conflict === 'replace' && uploader.kind === 'staff' ? await findFileByName(trx, directory.id, name) : undefined
  return replaced ? addVersion(deps, trx, { ...file, directory }, replaced) : addNewFile(deps, trx, { ...file, directory })
}

async function addNewFile(
  deps: Deps,
  trx: Db,
  { id, directory, name, uploader, stored: { size, sha256, crc32, head } }: NewFile,
): Promise<ShownFile> {
  const freeName = await findFreeName(trx, directory.id, name)
  const content = { size, sha256, crc32, ...(await describeType(deps, freeName, head)) }
  const row = {
    id,
    company_id: directory.company_id,
    directory_id: directory.id,
    name: freeName,
    blob_id: id,
    version: 1,
    ...content,
    ...toUploaderColumns(uploader),
    created_at: deps.now().toISOString(),
    deleted_at: null,
    thumbnail_id: null,
    thumbnail_size: null,
  }
  if (!(await insertFile(trx, row))) throw new Error('The name was taken although the directory is locked')
  const files = await addToDirectoryTotals(trx, directory.id, { files: 1, bytes: size })
  if (uploader.kind === 'recipient')
    await recordUpload(deps, trx, uploader, { id, name: freeName, size }, await sumReservedByLink(trx, uploader.link.key))
  const fields = { by: uploader, company: directory.company_id, directory: directory.id, file: id, name: freeName, size }
  await notifyWebhooks(deps, trx, { type: 'upload', ...fields, sha256 })
  await record(deps, trx, [{ action: 'file.uploaded', ...fields, note: `SHA-256 ${sha256}` }])
  await addToTotals(trx, directory.company_id, { files })
  const { company_name, name: directory_name, parent_id: directory_parent_id } = directory
  const names = { company_name, company_archived_at: null, directory_name, directory_parent_id }
  return { ...row, damaged_at: null, ...names, versions: 1 }
}

/** Makes the bytes the current version of the existing file, which keeps its id, its name and its links. */
async function addVersion(
  deps: Deps,
  trx: Db,
  { id: blob_id, directory, uploader, stored: { size, sha256, crc32, head } }: NewFile,
  replaced: NonNullable<Awaited<ReturnType<typeof findFileByName>>>,
): Promise<ShownFile> {
  const { id, name } = replaced
  const now = deps.now().toISOString()
  const content = {
    blob_id,
    size,
    sha256,
    crc32,
    ...(await describeType(deps, name, head)),
    ...toUploaderColumns(uploader),
    created_at: now,
    thumbnail_id: null,
    thumbnail_size: null,
    damaged_at: null,
  }
  await replaceContent(trx, id, content, now)
  await addToDirectoryTotals(trx, directory.id, { files: 0, bytes: size - replaced.size })
  const fields = { by: uploader, company: directory.company_id, directory: directory.id, file: id, name }
  await notifyWebhooks(deps, trx, { type: 'upload', ...fields, size, sha256 })
  await record(deps, trx, [
    { action: 'file.replaced', ...fields, size: replaced.size, note: `version ${replaced.version}, SHA-256 ${replaced.sha256}` },
    { action: 'file.uploaded', ...fields, size, note: `version ${replaced.version + 1}, SHA-256 ${sha256}` },
  ])
  const file = await findFile(trx, id, {})
  if (!file) throw new Error('The file is gone although its directory is locked')
  return file
}

async function describeType(deps: Deps, name: string, head: StoredBlob['head']) {
  const content_type = detectContentType(name, head)
  const thumbnail = (await canHaveThumbnail(deps, content_type)) ? ('wanted' as const) : ('none' as const)
  return { content_type, kind: getFileKind(content_type), thumbnail }
}

const toUploaderColumns = (uploader: Reader) =>
  uploader.kind === 'staff'
    ? { uploaded_by: uploader.userId, link_key: null }
    : { uploaded_by: null, link_key: uploader.link.key }

function getFileKind(type: string): FileKind {
  if (type.startsWith('image/')) return 'image'
  if (type.startsWith('audio/') || type.startsWith('video/')) return 'media'
  if (type === 'application/pdf') return 'pdf'
  if (/officedocument|opendocument|msword|ms-excel|ms-powerpoint|rtf/.test(type)) return 'office'
  if (/zip|tar|7z|rar|bzip|xz|zstd/.test(type)) return 'archive'
  return type.startsWith('text/') || /json|xml|yaml/.test(type) ? 'text' : 'other'
}
