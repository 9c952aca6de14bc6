import type { Access } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { allCompanies, type Recipient } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { readCompanyBrand } from '../brand/brand.service.ts'
import { findDirectory } from '../directory/directory.repo.ts'
import { findFile } from '../file/file.repo.ts'
import { findLink } from '../link/link.repo.ts'

/** Returns what the recipient's page shows: who shared what, and until when. */
export async function readAccess(deps: Deps, { link: { key }, isPreview }: Recipient): Promise<Access> {
  const link = await findLink(deps.db, key, allCompanies)
  if (!link) throw new AppError('link.closed')
  const { directory_id, file_id } = link
  const directory = await findDirectory(deps.db, directory_id, {})
  if (!directory || directory.deleted_at !== null) throw new AppError('directory.not_found')
  const file = file_id === null ? undefined : await findFile(deps.db, file_id, {})
  if (file_id !== null && (!file || file.deleted_at !== null)) throw new AppError('file.not_found')
  return {
    key,
    type: link.type,
    name: link.name,
    shared_by: link.owner_name,
    client: link.owner_company_name,
    brand: await readCompanyBrand(deps, link.company_id),
    expiry: link.expires_at,
    directory_id,
    file_id,
    files: file ? 1 : directory.files,
    size: file ? file.size : Number(directory.bytes),
    is_preview: isPreview,
  }
}
