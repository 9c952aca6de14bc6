import type { Access } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { allCompanies, type Recipient } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { readCompanyBrand, readNameForRecipients } from '../brand/brand.service.ts'
import { findDirectory } from '../directory/directory.repo.ts'
import { type FileRecord, findFile } from '../file/file.repo.ts'
import { findLink, type LinkRecord, listSharedFiles } from '../link/link.repo.ts'
import { readSettings } from '../settings/settings.service.ts'
import { findVersion } from '../version/version.repo.ts'

/** Returns what the recipient's page shows: who shared what, and until when. */
export async function readAccess(deps: Deps, { link: { key }, isPreview }: Recipient): Promise<Access> {
  const link = await findLink(deps.db, key, allCompanies)
  if (!link) throw new AppError('link.closed')
  const { directory_id, file_id } = link
  const several = link.shared_files === null ? undefined : await readSharedFiles(deps, key)
  const directory = await findDirectory(deps.db, directory_id, {})
  if (!directory || (directory.deleted_at !== null && !several)) throw new AppError('directory.not_found')
  const file = file_id === null ? undefined : await findFile(deps.db, file_id, {})
  if (file_id !== null && (!file || file.deleted_at !== null)) throw new AppError('file.not_found')
  const size = file ? await findSharedSize(deps, file, link) : Number(directory.bytes)
  const shared = several ?? { name: link.name, files: file ? 1 : directory.files, size }
  return {
    key,
    type: link.type,
    shared_by: link.owner_name,
    client: await readNameForRecipients(deps, link.owner_company_name),
    brand: await readCompanyBrand(deps, link.company_id),
    expiry: link.expires_at,
    directory_id,
    file_id,
    ...shared,
    upload_limits: link.type === 'LINK_EDITABLE_DIRECTORY' ? await readUploadLimits(deps, link) : null,
    is_preview: isPreview,
  }
}

/** Returns the number and total size of the files that a link to several files shows, and the name of the first one. */
async function readSharedFiles(deps: Deps, key: string) {
  const files = (await listSharedFiles(deps.db, key)).toSorted((a, b) => (a.name_order < b.name_order ? -1 : 1))
  const [first] = files
  if (!first) throw new AppError('file.not_found')
  return { name: first.name, files: files.length, size: files.reduce((sum, { size }) => sum + Number(size), 0) }
}

/** Returns the size of the version that a link shows. */
async function findSharedSize(deps: Deps, file: FileRecord, { version }: LinkRecord): Promise<number> {
  if (version === null || version === file.blob_id) return file.size
  const pinned = await findVersion(deps.db, file.id, version)
  if (!pinned) throw new AppError('file.not_found')
  return pinned.size
}

/** Returns the limits that the settings give a link. What is left of the company's quota stays hidden from recipients. */
async function readUploadLimits(deps: Deps, link: LinkRecord) {
  const { storage, links } = await readSettings(deps)
  const isFull = link.files >= links.max_files
  return { file_bytes: storage.max_upload_bytes, bytes_left: isFull ? 0 : Math.max(0, links.max_bytes - Number(link.bytes)) }
}
