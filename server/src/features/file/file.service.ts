import type { api, FileRow, Parsed } from '@neptune/contract'
import { BlobError } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import { getCompanyScope, getReach, type Reader, requireRight, type Staff, sharesSeveralFiles } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { WithRequester } from '../../lib/concurrency/scan.ts'
import { checkFileName } from '../../lib/names/file-name.ts'
import { toNameKey } from '../../lib/names/name-key.ts'
import { getPurgeTime } from '../../lib/trash.ts'
import { record } from '../audit/audit.service.ts'
import { readPaths } from '../directory/path.service.ts'
import { findByNameKey, lockTrees } from '../directory/tree.repo.ts'
import { createTicket } from '../identity/ticket.service.ts'
import { renameLinks } from '../link/link.repo.ts'
import { readSettings } from '../settings/settings.service.ts'
import { findVersion, toContent } from '../version/version.repo.ts'
import { type FileRecord, findFile, findFiles, findUploaders, updateFileName } from './file.repo.ts'
import { listFiles } from './file-list.repo.ts'

type Db = Deps['db']

/** Lists the files the caller may see: all for admins, those of their companies for users, the link's for recipients. */
export async function listVisibleFiles(deps: Deps, actor: Reader, query: Parsed<typeof api.file.list>['query'] & WithRequester) {
  const { company = '', directory = '', link, trash, ...page } = query
  requireRight(actor, 'list')
  const isTrash = trash === 'true'
  if (isTrash && actor.kind === 'recipient') throw new AppError('link.forbidden')
  const sort = query.sort ?? (isTrash ? '-deleted_at' : '-created_at')
  const { trash_days } = (await readSettings(deps)).storage
  const { rows, next } = await listFiles(
    deps.db,
    { ...page, sort, company, directory, link: (actor.kind === 'staff' && link) || undefined, isTrash },
    getReach(actor),
  )
  const shown = await toFileRows(deps, actor, rows)
  return { data: shown.map((row) => ({ ...row, gone_at: getPurgeTime(row.deleted_at, trash_days) })), next }
}

/**
 * Returns a file the caller may see, with the version that they may see: for recipients, the one that their link shows. Staff get the
 * current one, or the one they ask for. Throws `file.not_found` otherwise, and for files in the trash.
 */
export async function getVisibleFile(deps: Deps, actor: Reader, id: string, version?: string): Promise<FileRecord> {
  const file = await findFile(deps.db, id, getReach(actor))
  if (!file || !isVisible(file)) throw new AppError('file.not_found')
  const pinned = actor.kind === 'recipient' ? (actor.link.version ?? file.blob_id) : undefined
  if (pinned !== undefined && version !== undefined && version !== pinned) throw new AppError('file.not_found')
  const shown = pinned ?? version ?? file.blob_id
  if (shown === file.blob_id) return file
  const older = await findVersion(deps.db, id, shown)
  if (!older) throw new AppError(pinned === undefined ? 'version.not_found' : 'file.not_found')
  return { ...file, ...toContent(older), version: older.number }
}

export const isVisible = (file: FileRecord) => file.deleted_at === null && file.directory_deleted_at === null

export async function renameFile(deps: Deps, actor: Staff, id: string, typed: string): Promise<FileRow> {
  const before = await getVisibleFile(deps, actor, id)
  const name = parseFileName(typed)
  await deps.db.transaction().execute(async (trx) => {
    const file = (await lockFiles(trx, actor, [id])).find(isVisible)
    if (!file) throw new AppError('file.not_found')
    const taken = await findByNameKey(trx, file.directory_id, toNameKey(name))
    if (taken && taken.id !== id) throw new AppError('file.name_taken')
    await updateFileName(trx, before.id, name)
    await renameLinks(trx, { file_id: before.id }, name)
    await record(deps, trx, [
      { action: 'file.renamed', by: actor, ...toFileAuditFields(before), name, note: `was ${before.name}` },
    ])
  })
  return toFileRow(deps, actor, await getVisibleFile(deps, actor, id))
}

/**
 * Locks the trees that contain these files, and reads the files again, because they may have been moved. Returns those that the actor may
 * still see, including the trash.
 */
export async function lockFiles(trx: Db, actor: Staff, ids: string[]): Promise<FileRecord[]> {
  for (;;) {
    const before = new Map((await findFiles(trx, ids, getReach(actor))).map((file) => [file.id, file.directory_id]))
    await lockTrees(trx, [...new Set(before.values())])
    const files = await findFiles(trx, ids, getReach(actor))
    if (files.every(({ id, directory_id }) => before.get(id) === directory_id)) return files
  }
}

export async function createFileTicket(deps: Deps, actor: Reader, id: string, version?: string): Promise<{ url: string }> {
  const file = await getVisibleFile(deps, actor, id, version)
  return { url: `/v1/download/${createTicket(deps, actor, { kind: 'file', id: file.id, version })}` }
}

/** Returns the normalized name of a file. Throws if it is invalid. */
export function parseFileName(typed: string): string {
  const checked = checkFileName(typed)
  if ('problem' in checked)
    throw new AppError('file.name_invalid', { fields: [{ field: 'file_name', message: checked.problem }] })
  return checked.name
}

/** Converts an error of the blob store to one of the API. */
export function toAppError(error: unknown): unknown {
  if (!(error instanceof BlobError)) return error
  if (error.cause instanceof AppError) return error.cause // the reason for the abort
  const codes = {
    busy: 'upload.busy',
    missing: 'upload.not_found',
    wrong_offset: 'upload.wrong_offset',
    too_large: 'file.too_large',
    no_space: 'storage.full',
    cut: 'request.timeout',
    damaged: 'file.damaged',
    unavailable: 'storage.unavailable',
  } as const
  return new AppError(codes[error.fault], { cause: error })
}

export const throwAppError = (error: unknown): never => {
  throw toAppError(error)
}

export type ShownFile = Pick<FileRecord, Exclude<keyof FileRecord, 'seq' | 'name_key' | 'name_order' | 'directory_deleted_at'>>

export async function toFileRow(deps: Deps, actor: Reader, row: ShownFile): Promise<FileRow> {
  const [shown] = await toFileRows(deps, actor, [row])
  if (!shown) throw new Error('A file has no row')
  return shown
}

export async function toFileRows(deps: Deps, actor: Reader, rows: ShownFile[]): Promise<FileRow[]> {
  const pathOf = await readPaths(
    deps,
    actor,
    rows.map((row) => row.directory_parent_id),
  )
  const uploaders =
    actor.kind === 'staff'
      ? await findUploaders(
          deps.db,
          rows.map((row) => row.uploaded_by),
          getCompanyScope(actor),
        )
      : undefined
  // Recipients of several files don't learn which directories they are in.
  const isLoose = actor.kind === 'recipient' && sharesSeveralFiles(actor.link)
  return rows.map((row) => ({
    id: row.id,
    file_name: row.name,
    content_type: row.content_type,
    kind: row.kind,
    client: row.company_name,
    company: row.company_id,
    archived: row.company_archived_at !== null,
    directory: isLoose ? null : row.directory_name,
    directory_id: row.directory_id,
    path: pathOf(row.directory_parent_id),
    size: row.size,
    sha256: row.sha256,
    damaged: row.damaged_at !== null,
    image: toThumbnailUrl(deps, actor, row),
    // Recipients see neither how often a file was replaced nor who uploaded it.
    ...(uploaders && {
      version: row.version,
      versions: Number(row.versions),
      uploaded_by: uploaders.get(row.uploaded_by ?? '') ?? null,
      link: row.link_key,
    }),
    date_created: row.created_at,
    deleted_at: row.deleted_at,
    gone_at: null,
  }))
}

/** Returns the URL of a thumbnail. It contains the version unless that is the first one, because browsers cache thumbnails by URL. */
export function toThumbnailUrl(
  deps: Deps,
  actor: Reader,
  { id, blob_id, thumbnail }: ThumbnailOwner,
  isVersionNamed = blob_id !== id,
): string | null {
  if (thumbnail !== 'made') return null
  const version = isVersionNamed ? blob_id : undefined
  return `/v1/thumbnail/${createTicket(deps, actor, { kind: 'picture', id, version })}`
}

type ThumbnailOwner = Pick<FileRecord, 'id' | 'blob_id' | 'thumbnail'>

type AuditedFile = Pick<FileRecord, 'id' | 'company_id' | 'directory_id' | 'name' | 'size'>

/** Returns the fields of an audit entry that identify a file. */
export const toFileAuditFields = ({ id, company_id, directory_id, name, size }: AuditedFile) => ({
  company: company_id,
  directory: directory_id,
  file: id,
  name,
  size,
})
