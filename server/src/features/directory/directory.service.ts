import type { api, DirectoryRow, Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getCompanyScope, type Reader, reachOf, requireRight, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { WithRequester } from '../../lib/concurrency/scan.ts'
import { checkFileName } from '../../lib/file-name.ts'
import { newId } from '../../lib/secrets.ts'
import { getPurgeCutoff, getPurgeTime } from '../../lib/trash.ts'
import { refreshLinks } from '../access/link-standing.service.ts'
import { record } from '../audit/audit.service.ts'
import { findCompany } from '../company/company.repo.ts'
import { rejectArchived, requireOpenCompany } from '../company/company.service.ts'
import { addToTotals } from '../company/company-total.repo.ts'
import { createTicket } from '../identity/ticket.service.ts'
import { renameLinks } from '../link/link.repo.ts'
import { readSettings } from '../settings/settings.service.ts'
import { rejectTooManyZips } from '../throttle/zip-limit.service.ts'
import { findUser } from '../user/user.repo.ts'
import {
  type DirectoryRecord,
  findDirectory,
  hasDamagedFiles,
  insertDirectory,
  listDirectories,
  renameDirectory,
  trashDirectory,
  untrashDirectory,
} from './directory.repo.ts'

/** Lists directories: every company's for admins, those of the companies they have access to for users. */
export async function listVisibleDirectories(
  deps: Deps,
  actor: Staff,
  query: Parsed<typeof api.directory.list>['query'] & WithRequester,
) {
  const { company = '', trash, ...page } = query
  const isTrash = trash === 'true'
  const sort = query.sort ?? (isTrash ? '-deleted_at' : 'name')
  const { rows, next } = await listDirectories(deps.db, { ...page, sort, company, isTrash }, reachOf(actor))
  const { trash_days } = (await readSettings(deps)).storage
  const data = rows.map((row) => ({ ...toDirectoryRow(deps, actor, row), gone_at: getPurgeTime(row.deleted_at, trash_days) }))
  return { data, next }
}

export async function createDirectory(
  deps: Deps,
  actor: Staff,
  { directory, client, user }: Parsed<typeof api.directory.create>['body'],
): Promise<DirectoryRow> {
  const company = await findCompany(deps.db, client, getCompanyScope(actor))
  if (!company) throw new AppError('company.not_found')
  // Only admins can create directories for others; from anyone else, `user` is ignored.
  const owner = user && actor.role === 'NEPTUNE_ADMIN' ? await findUser(deps.db, user) : { id: actor.userId }
  if (!owner) throw new AppError('user.not_found')
  const row = {
    id: newId(),
    company_id: company.id,
    owner_id: owner.id,
    name: checkDirectoryName(directory),
    created_at: deps.now().toISOString(),
    deleted_at: null,
  }
  await deps.db.transaction().execute(async (trx) => {
    await requireOpenCompany(trx, company.id)
    if (!(await insertDirectory(trx, row))) throw new AppError('directory.name_taken')
    await record(deps, trx, [{ action: 'directory.created', by: actor, ...toAuditFields(row) }])
    await addToTotals(trx, company.id, { directories: 1 })
  })
  return readDirectory(deps, actor, row.id)
}

export const readDirectory = async (deps: Deps, actor: Staff, id: string): Promise<DirectoryRow> =>
  toDirectoryRow(deps, actor, await getVisibleDirectory(deps, actor, id))

/** Throws `directory.not_found` if the directory does not exist, is in the trash, or the actor may not see it. */
export async function getVisibleDirectory(deps: Deps, actor: Reader, id: string): Promise<DirectoryRecord> {
  const directory = await findDirectory(deps.db, id, reachOf(actor))
  if (!directory || directory.deleted_at !== null) throw new AppError('directory.not_found')
  return directory
}

/**
 * Returns the directory for an upload or a link. If a company is given, it must be the directory's. Throws `company.archived` if the
 * directory's company is archived.
 */
export async function getTargetDirectory(deps: Deps, actor: Reader, id: string, company = ''): Promise<DirectoryRecord> {
  const directory = await getVisibleDirectory(deps, actor, id)
  if (company !== '' && directory.company_id !== company) throw new AppError('directory.not_found')
  rejectArchived(directory.company_archived_at)
  return directory
}

export async function changeDirectoryName(deps: Deps, actor: Staff, id: string, name: string): Promise<DirectoryRow> {
  const before = await getVisibleDirectory(deps, actor, id)
  const title = checkDirectoryName(name)
  await deps.db.transaction().execute(async (trx) => {
    if (!(await renameDirectory(trx, before.id, title))) throw new AppError('directory.name_taken')
    await renameLinks(trx, { directory_id: before.id }, title)
    const about = { ...toAuditFields(before), name: title, note: `was ${before.name}` }
    await record(deps, trx, [{ action: 'directory.renamed', by: actor, ...about }])
  })
  return readDirectory(deps, actor, id)
}

/** Moves a directory to the trash. Its files need no change: a file is hidden while its directory is in the trash. */
export async function removeDirectory(deps: Deps, actor: Staff, id: string): Promise<void> {
  const directory = await getVisibleDirectory(deps, actor, id)
  await deps.db.transaction().execute(async (trx) => {
    const files = await trashDirectory(trx, directory.id, deps.now().toISOString())
    if (files === undefined) throw new AppError('directory.not_found')
    await record(deps, trx, [{ action: 'directory.deleted', by: actor, ...toAuditFields(directory) }])
    await addToTotals(trx, directory.company_id, { directories: -1, files: -files })
  })
  await refreshLinks(deps, [{ directory_id: directory.id }])
}

export async function restoreDirectory(deps: Deps, actor: Staff, id: string): Promise<DirectoryRow> {
  const directory = await findDirectory(deps.db, id, reachOf(actor))
  const isPurged = (directory?.deleted_at ?? '9') < getPurgeCutoff(deps.now(), (await readSettings(deps)).storage.trash_days)
  // After its time in the trash, it is being purged, and some of its files may already be gone.
  if (!directory || isPurged) throw new AppError('directory.not_found')
  await deps.db.transaction().execute(async (trx) => {
    const files = await untrashDirectory(trx, id)
    if (files === 'name taken') throw new AppError('directory.name_taken')
    if (files === 'not trashed') return
    await record(deps, trx, [{ action: 'directory.restored', by: actor, ...toAuditFields(directory) }])
    await addToTotals(trx, directory.company_id, { directories: 1, files })
  })
  await refreshLinks(deps, [{ directory_id: directory.id }])
  return readDirectory(deps, actor, id)
}

export async function createDirectoryTicket(deps: Deps, actor: Reader, id: string): Promise<{ url: string }> {
  requireRight(actor, 'list')
  const directory = await getVisibleDirectory(deps, actor, id)
  // Checked here already, because a browser does not show why a download failed.
  rejectTooManyZips(actor)
  if (await hasDamagedFiles(deps.db, directory.id)) throw new AppError('directory.damaged')
  return { url: `/v1/download/${createTicket(deps, actor, { kind: 'zip', id: directory.id })}` }
}

const toAuditFields = ({ id, company_id, name }: { id: string; company_id: string; name: string }) => ({
  company: company_id,
  directory: id,
  name,
})

/** Applies the rules of file names: a directory's name becomes the name of a ZIP. */
function checkDirectoryName(typed: string): string {
  const checked = checkFileName(typed.trim())
  if ('problem' in checked) throw new AppError('request.invalid', { fields: [{ field: 'directory', message: checked.problem }] })
  return checked.name
}

function toDirectoryRow(deps: Deps, actor: Staff, row: DirectoryRecord): DirectoryRow {
  const ticket = row.picture_id && createTicket(deps, actor, { kind: 'picture', id: row.picture_id })
  return {
    id: row.id,
    directory: row.name,
    size: Number(row.bytes),
    files: row.files,
    source: ticket ? `/v1/thumbnail/${ticket}` : null,
    client: row.company_name,
    company: row.company_id,
    archived: row.company_archived_at !== null,
    date_created: row.created_at,
    deleted_at: row.deleted_at,
    gone_at: null,
  }
}
