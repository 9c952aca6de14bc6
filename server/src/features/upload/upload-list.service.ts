import type { api, Parsed, Reply } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getReach, type Reader, requireRight, type Staff, unnamedAdmin } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { WithRequester } from '../../lib/concurrency/scan.ts'
import { deleteUpload, findUpload } from './upload.repo.ts'
import { toOwner } from './upload-access.service.ts'
import { findOpenUpload, listOpenUploads, sumOpenUploads } from './upload-list.repo.ts'
import { discardUpload } from './upload-sweep.service.ts'

/** Returns the unfinished uploads the caller may see: all for admins, those of the companies they have access to for users. */
export async function listVisibleUploads(
  deps: Deps,
  actor: Staff,
  query: Parsed<typeof api.upload.list>['query'] & WithRequester,
): Promise<Reply<typeof api.upload.list>> {
  const { company = '', directory = '', sort = '-started_at', ...page } = query
  const request = { ...page, sort, company, directory, now: deps.now().toISOString() }
  const { rows, next } = await listOpenUploads(deps.db, request, getReach(actor))
  const data = rows.map((row) => ({
    id: row.id,
    file_name: row.name,
    size: Number(row.size),
    received: Number(row.received),
    reserved: Number(row.reserved),
    directory: row.directory_name,
    directory_id: row.directory_id,
    client: row.company_name,
    company: row.company_id,
    person: row.is_foreign_admin ? unnamedAdmin : row.person_name,
    link: row.link_key,
    email: row.link_email,
    started_at: row.created_at,
    progress_at: row.progress_at,
    ends_at: row.ends_at,
  }))
  return { data, next, total: await sumOpenUploads(deps.db, request, getReach(actor)) }
}

/** Cancels an upload of the caller's; for staff, any unfinished one in a directory they may see. */
export async function cancelUpload(deps: Deps, actor: Reader, id: string): Promise<void> {
  requireRight(actor, 'add')
  const now = deps.now().toISOString()
  const own = await findUpload(deps.db, id, toOwner(actor), now)
  if (own) return void (await (own.finished_at ? deleteUpload(deps.db, id) : discardUpload(deps, id)))
  const other = actor.kind === 'staff' ? await findOpenUpload(deps.db, id, now, getReach(actor)) : undefined
  if (!other) throw new AppError('upload.not_found')
  const { company_id: company, directory_id: directory, link_key: link, name, size } = other
  await discardUpload(deps, id, [{ action: 'upload.cancelled', by: actor, company, directory, link, name, size }])
}
