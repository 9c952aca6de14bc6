import { type api, type DirectoryRow, maxPathLength, type Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getCompanyScope, getReach, type Reader, requireRight, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { WithRequester } from '../../lib/concurrency/scan.ts'
import { checkFileName } from '../../lib/names/file-name.ts'
import { toNameKey } from '../../lib/names/name-key.ts'
import { newId } from '../../lib/secrets.ts'
import { getPurgeTime } from '../../lib/trash.ts'
import { record } from '../audit/audit.service.ts'
import { findCompany } from '../company/company.repo.ts'
import { rejectArchived, requireOpenCompany } from '../company/company.service.ts'
import { addToTotals } from '../company/company-total.repo.ts'
import { createTicket } from '../identity/ticket.service.ts'
import { renameLinks } from '../link/link.repo.ts'
import { readSettings } from '../settings/settings.service.ts'
import { findUser } from '../user/user.repo.ts'
import { type DirectoryRecord, findDirectory, insertDirectory, listDirectories, renameDirectory } from './directory.repo.ts'
import { requireLimits } from './folder-limits.service.ts'
import { readPaths } from './path.service.ts'
import { findByNameKey, findPaths, type LockedDirectory, lockDirectory, measureSubtree } from './tree.repo.ts'

/**
 * Lists directories: every company's for admins, those of the companies they have access to for users. With `parent`, and always for
 * recipients, lists the folders in a directory. With `folders`, includes folders of every depth.
 */
export async function listVisibleDirectories(
  deps: Deps,
  actor: Reader,
  query: Parsed<typeof api.directory.list>['query'] & WithRequester,
) {
  const { company = '', trash, folders, parent: requested = '', ...page } = query
  requireRight(actor, 'list')
  const isTrash = trash === 'true'
  if (isTrash && actor.kind === 'recipient') throw new AppError('link.forbidden')
  const sort = query.sort ?? (isTrash ? '-deleted_at' : 'name')
  const parentId = actor.kind === 'recipient' ? requested || actor.link.directoryId : requested
  const parent = parentId ? await findDirectory(deps.db, parentId, getReach(actor)) : undefined
  // As in every list, a filter that the caller may not see matches nothing.
  if (parentId && (!parent || parent.deleted_at !== null || (company !== '' && parent.company_id !== company)))
    return { data: [], next: null }
  const request = { ...page, sort, company, isTrash, parent, isDeep: folders === 'true' }
  const { rows, next } = await listDirectories(deps.db, request, getReach(actor))
  const { trash_days } = (await readSettings(deps)).storage
  const shown = await toDirectoryRows(deps, actor, rows)
  return { data: shown.map((row) => ({ ...row, gone_at: getPurgeTime(row.deleted_at, trash_days) })), next }
}

/** Creates a top-level directory in the company `client`, or a folder in the directory `parent`. */
export async function createDirectory(
  deps: Deps,
  actor: Staff,
  { directory, client, parent, user }: Parsed<typeof api.directory.create>['body'],
): Promise<DirectoryRow> {
  const target = parent === undefined ? undefined : await getTargetDirectory(deps, actor, parent)
  const company = target ? { id: target.company_id } : await findCompany(deps.db, client ?? '', getCompanyScope(actor))
  if (!company) throw new AppError('company.not_found')
  // Only admins can create directories for others; from anyone else, `user` is ignored.
  const owner = user && actor.role === 'NEPTUNE_ADMIN' ? await findUser(deps.db, user) : { id: actor.userId }
  if (!owner) throw new AppError('user.not_found')
  const id = newId()
  const row = {
    id,
    owner_id: owner.id,
    name: checkDirectoryName(directory),
    created_at: deps.now().toISOString(),
    deleted_at: null,
  }
  await deps.db.transaction().execute(async (trx) => {
    if (target) return addFolder(deps, trx, actor, target.id, row)
    await requireOpenCompany(trx, company.id)
    const top = { ...row, company_id: company.id, parent_id: null, root_id: id, depth: 0 }
    if (!(await insertDirectory(trx, top))) throw new AppError('directory.name_taken')
    await record(deps, trx, [{ action: 'directory.created', by: actor, ...toDirectoryAuditFields(top) }])
    await addToTotals(trx, company.id, { directories: 1 })
  })
  return readDirectory(deps, actor, id)
}

type NewFolder = Pick<LockedDirectory, 'id' | 'name' | 'deleted_at'> & { owner_id: string; created_at: string }

async function addFolder(deps: Deps, trx: Deps['db'], actor: Staff, parentId: string, row: NewFolder): Promise<void> {
  const parent = await lockDirectory(trx, parentId)
  // It may have been moved to another company while this waited for the lock.
  if (!parent || !(await findDirectory(trx, parentId, getReach(actor)))) throw new AppError('directory.not_found')
  await requireOpenCompany(trx, parent.company_id)
  if (await findByNameKey(trx, parent.id, toNameKey(row.name))) throw new AppError('directory.name_taken')
  await requireLimits(trx, parent, { name: row.name, below: { depth: 0, length: 0 }, folders: 1 })
  const { company_id, root_id } = parent
  const folder = { ...row, company_id, parent_id: parent.id, root_id, depth: parent.depth + 1 }
  if (!(await insertDirectory(trx, folder))) throw new AppError('directory.name_taken')
  await record(deps, trx, [{ action: 'directory.created', by: actor, ...toDirectoryAuditFields(folder) }])
}

export async function readDirectory(deps: Deps, actor: Reader, id: string): Promise<DirectoryRow> {
  requireRight(actor, 'list')
  const [row] = await toDirectoryRows(deps, actor, [await getVisibleDirectory(deps, actor, id)])
  if (!row) throw new AppError('directory.not_found')
  return row
}

/** Throws `directory.not_found` if the directory does not exist, is in the trash, or the actor may not see it. */
export async function getVisibleDirectory(deps: Deps, actor: Reader, id: string): Promise<DirectoryRecord> {
  const directory = await findDirectory(deps.db, id, getReach(actor))
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
    const locked = await lockDirectory(trx, id)
    if (!locked) throw new AppError('directory.not_found')
    await requireFreeFolderName(trx, locked, title)
    if (title.length > locked.name.length) await requireShortPaths(trx, locked, title)
    if (!(await renameDirectory(trx, before.id, title))) throw new AppError('directory.name_taken')
    await renameLinks(trx, { directory_id: before.id }, title)
    const about = { ...toDirectoryAuditFields(locked), name: title, note: `was ${locked.name}` }
    await record(deps, trx, [{ action: 'directory.renamed', by: actor, ...about }])
  })
  return readDirectory(deps, actor, id)
}

/** Throws if a file or another folder in the same parent has the name. For top-level directories, the unique index checks this. */
async function requireFreeFolderName(trx: Deps['db'], { id, parent_id }: LockedDirectory, name: string): Promise<void> {
  const taken = parent_id === null ? undefined : await findByNameKey(trx, parent_id, toNameKey(name))
  if (taken && taken.id !== id) throw new AppError('directory.name_taken')
}

/** Throws if a new name makes the path of the directory, or of a folder below, too long. */
async function requireShortPaths(trx: Deps['db'], { id, parent_id }: LockedDirectory, name: string): Promise<void> {
  const below = await measureSubtree(trx, id)
  const path = parent_id === null ? [] : ((await findPaths(trx, [parent_id])).get(parent_id) ?? [])
  const isFolder = parent_id !== null || below.length > 0
  const length = [...path.map((part) => part.name), name].join('/').length + below.length
  if (isFolder && length > maxPathLength) throw new AppError('folder.path_too_long')
}

/** Returns the fields of an audit entry that identify a directory. */
export const toDirectoryAuditFields = ({ id, company_id, name }: { id: string; company_id: string; name: string }) => ({
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

async function toDirectoryRows(deps: Deps, actor: Reader, rows: DirectoryRecord[]): Promise<DirectoryRow[]> {
  const pathOf = await readPaths(
    deps,
    actor,
    rows.map(({ parent_id }) => parent_id),
  )
  return rows.map((row) => {
    const path = pathOf(row.parent_id)
    const ticket = row.picture_id && createTicket(deps, actor, { kind: 'picture', id: row.picture_id })
    return {
      id: row.id,
      directory: row.name,
      // Recipients don't learn the parent of the directory that was shared with them.
      parent: actor.kind === 'staff' || path.length > 0 ? row.parent_id : null,
      path,
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
  })
}
