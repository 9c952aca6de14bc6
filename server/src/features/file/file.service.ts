import type { api, FileKind, FileRow, Parsed, Reply } from '@neptune/contract'
import { BlobError, type StoredBlob } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import { type Reader, reachOf, requireRight, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { WithRequester } from '../../lib/concurrency/scan.ts'
import { checkFileName } from '../../lib/file-name.ts'
import { nameKey } from '../../lib/name-key.ts'
import { detectContentType, findPreviewFormat } from '../../lib/net/content-type.ts'
import { getPurgeTime } from '../../lib/trash.ts'
import { recordUpload } from '../access/access.service.ts'
import { record } from '../audit/audit.service.ts'
import { addToTotals } from '../company/company-total.repo.ts'
import { type DirectoryRecord, findDirectory } from '../directory/directory.repo.ts'
import { findFreeName } from '../directory/names.service.ts'
import { readPaths } from '../directory/path.service.ts'
import { addToDirectoryTotals, findByNameKey, lockDirectory, lockTrees } from '../directory/tree.repo.ts'
import { createTicket } from '../identity/ticket.service.ts'
import { renameLinks } from '../link/link.repo.ts'
import { chargeCompany, sumReservedByLink } from '../quota/quota.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { notifyWebhooks } from '../webhook/webhook.service.ts'
import { type FileRecord, findFile, findFileByName, findFiles, insertFile, setFileDeleted, updateFileName } from './file.repo.ts'
import { listFiles } from './file-list.repo.ts'

type Db = Deps['db']

/** Lists the files the caller may see: all for admins, those of their companies for users, the link's for recipients. */
export async function listVisibleFiles(deps: Deps, actor: Reader, query: Parsed<typeof api.file.list>['query'] & WithRequester) {
  const { company = '', directory = '', trash, ...page } = query
  requireRight(actor, 'list')
  const isTrash = trash === 'true'
  if (isTrash && actor.kind === 'recipient') throw new AppError('link.forbidden')
  const sort = query.sort ?? (isTrash ? '-deleted_at' : '-created_at')
  const { trash_days } = (await readSettings(deps)).storage
  const { rows, next } = await listFiles(deps.db, { ...page, sort, company, directory, isTrash }, reachOf(actor))
  const shown = await toFileRows(deps, actor, rows)
  return { data: shown.map((row) => ({ ...row, gone_at: getPurgeTime(row.deleted_at, trash_days) })), next }
}

/** Returns a file the caller may see. Throws `file.not_found` otherwise, and for files in the trash. */
export async function getVisibleFile(deps: Deps, actor: Reader, id: string): Promise<FileRecord> {
  const file = await findFile(deps.db, id, reachOf(actor))
  if (!file || !isVisible(file)) throw new AppError('file.not_found')
  return file
}

export const isVisible = (file: FileRecord) => file.deleted_at === null && file.directory_deleted_at === null

export interface NewFile {
  id: string
  directory: DirectoryRecord
  name: string
  conflict: 'keep' | 'replace'
  uploader: Reader
  stored: StoredBlob
}

/**
 * Inserts a file whose bytes are safe already. Call it inside a transaction. A name that is taken is never overwritten: the
 * new file gets a number, or the old one goes to the trash. In the second case `replaced` is the id of the old file: refresh
 * the links to it after the transaction.
 */
export async function addFile(
  deps: Deps,
  trx: Db,
  { id, directory: { id: directoryId }, name, conflict, uploader, stored }: NewFile,
): Promise<ShownFile & { replaced: string | undefined }> {
  const { size, sha256, crc32, head } = stored
  const now = deps.now().toISOString()
  await lockDirectory(trx, directoryId)
  // Read again, because it can have been moved: out of the uploader's reach, or to another company.
  const directory = await findDirectory(trx, directoryId, reachOf(uploader))
  if (!directory || directory.deleted_at !== null) throw new AppError('directory.not_found')
  await chargeCompany(deps, trx, directory.company_id, size)
  const change = { files: 1, bytes: size }
  let replaced: Awaited<ReturnType<typeof findFileByName>>
  if (conflict === 'replace') {
    const old = await findFileByName(trx, directory.id, name)
    if (old && (await setFileDeleted(trx, old.id, now))) {
      replaced = old
      change.files -= 1
      change.bytes -= old.size
    }
  }
  const content_type = detectContentType(name, head)
  const freeName = await findFreeName(trx, directory.id, name)
  const row = {
    id,
    company_id: directory.company_id,
    directory_id: directory.id,
    name: freeName,
    kind: getFileKind(content_type),
    content_type,
    size,
    sha256,
    crc32,
    uploaded_by: uploader.kind === 'staff' ? uploader.userId : null,
    link_key: uploader.kind === 'staff' ? null : uploader.link.key,
    created_at: now,
    deleted_at: null,
    thumbnail: canHaveThumbnail(content_type) ? ('wanted' as const) : ('none' as const),
    thumbnail_id: null,
    thumbnail_size: null,
  }
  if (!(await insertFile(trx, row))) throw new Error('The name was taken although the directory is locked')
  const files = await addToDirectoryTotals(trx, directory.id, change)
  if (uploader.kind === 'recipient')
    await recordUpload(deps, trx, uploader, { id, name: freeName, size }, await sumReservedByLink(trx, uploader.link.key))
  const fields = { by: uploader, company: directory.company_id, directory: directory.id }
  await notifyWebhooks(deps, trx, { type: 'upload', ...fields, file: id, name: freeName, size, sha256 })
  await record(deps, trx, [
    ...(replaced
      ? [{ action: 'file.deleted' as const, ...fields, file: replaced.id, name, size: replaced.size, note: 'replaced' }]
      : []),
    { action: 'file.uploaded', ...fields, file: id, name: freeName, size, note: `SHA-256 ${sha256}` },
  ])
  await addToTotals(trx, directory.company_id, { files })
  const { company_name, name: directory_name, parent_id: directory_parent_id } = directory
  const names = { company_name, company_archived_at: null, directory_name, directory_parent_id }
  return { ...row, damaged_at: null, ...names, replaced: replaced?.id }
}

export async function renameFile(deps: Deps, actor: Staff, id: string, typed: string): Promise<FileRow> {
  const before = await getVisibleFile(deps, actor, id)
  const name = parseFileName(typed)
  await deps.db.transaction().execute(async (trx) => {
    const file = (await lockFiles(trx, actor, [id])).find(isVisible)
    if (!file) throw new AppError('file.not_found')
    const taken = await findByNameKey(trx, file.directory_id, nameKey(name))
    if (taken && taken.id !== id) throw new AppError('file.name_taken')
    await updateFileName(trx, before.id, name)
    await renameLinks(trx, { file_id: before.id }, name)
    await record(deps, trx, [{ action: 'file.renamed', by: actor, ...toAuditFields(before), name, note: `was ${before.name}` }])
  })
  return toFileRow(deps, actor, await getVisibleFile(deps, actor, id))
}

/**
 * Locks the trees that contain these files, and reads the files again: they can have been moved meanwhile. Returns those that the actor
 * may still see, including the trash.
 */
export async function lockFiles(trx: Db, actor: Staff, ids: string[]): Promise<FileRecord[]> {
  for (;;) {
    const before = new Map((await findFiles(trx, ids, reachOf(actor))).map((file) => [file.id, file.directory_id]))
    await lockTrees(trx, [...new Set(before.values())])
    const files = await findFiles(trx, ids, reachOf(actor))
    if (files.every(({ id, directory_id }) => before.get(id) === directory_id)) return files
  }
}

export async function createFileTicket(deps: Deps, actor: Reader, id: string): Promise<{ url: string }> {
  const file = await getVisibleFile(deps, actor, id)
  return { url: `/v1/download/${createTicket(deps, actor, { kind: 'file', id: file.id })}` }
}

/** Creates a URL for previewing a file. Anyone who may see a file may preview and download it. */
export async function createPreview(deps: Deps, actor: Reader, id: string): Promise<Reply<typeof api.file.preview>['data']> {
  const file = await getVisibleFile(deps, actor, id)
  if (file.damaged_at !== null) throw new AppError('file.damaged')
  const as = findPreviewFormat(file.content_type)?.as ?? null
  const ticket = createTicket(deps, actor, { kind: 'preview', id: file.id })
  return { as, url: as && `/v1/preview/${ticket}/${encodeURIComponent(file.name)}` }
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

type ShownFile = Pick<FileRecord, Exclude<keyof FileRecord, 'seq' | 'name_key' | 'name_order' | 'directory_deleted_at'>>

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
  return rows.map((row) => ({
    id: row.id,
    file_name: row.name,
    content_type: row.content_type,
    kind: row.kind,
    client: row.company_name,
    company: row.company_id,
    archived: row.company_archived_at !== null,
    directory: row.directory_name,
    directory_id: row.directory_id,
    path: pathOf(row.directory_parent_id),
    size: row.size,
    sha256: row.sha256,
    damaged: row.damaged_at !== null,
    image: row.thumbnail === 'made' ? `/v1/thumbnail/${createTicket(deps, actor, { kind: 'picture', id: row.id })}` : null,
    date_created: row.created_at,
    deleted_at: row.deleted_at,
    gone_at: null,
  }))
}

/** Returns the fields of an audit entry that identify a file. */
export const toAuditFields = ({ id, company_id, directory_id, name, size }: FileRecord) => ({
  company: company_id,
  directory: directory_id,
  file: id,
  name,
  size,
})

const canHaveThumbnail = (type: string) => ['image/jpeg', 'image/png', 'image/webp'].includes(type)

function getFileKind(type: string): FileKind {
  if (type.startsWith('image/')) return 'image'
  if (type.startsWith('audio/') || type.startsWith('video/')) return 'media'
  if (type === 'application/pdf') return 'pdf'
  if (/officedocument|opendocument|msword|ms-excel|ms-powerpoint|rtf/.test(type)) return 'office'
  if (/zip|tar|7z|rar|bzip|xz|zstd/.test(type)) return 'archive'
  return type.startsWith('text/') || /json|xml|yaml/.test(type) ? 'text' : 'other'
}
