import type { api, FileKind, FileRow, Parsed } from '@neptune/contract'
import { BlobError, type StoredBlob } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import { type Reader, reachOf, requireRight, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { WithRequester } from '../../lib/concurrency/scan.ts'
import { checkFileName, withNumber } from '../../lib/file-name.ts'
import { nameKey } from '../../lib/name-key.ts'
import { detectContentType } from '../../lib/net/content-type.ts'
import { getPurgeTime } from '../../lib/trash.ts'
import { recordUpload } from '../access/access.service.ts'
import { refreshLinks } from '../access/link-standing.service.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { addEachToTotals, addToTotals } from '../company/company-total.repo.ts'
import { addToDirectoryTotals, type DirectoryRecord } from '../directory/directory.repo.ts'
import { createTicket } from '../identity/ticket.service.ts'
import { renameLinks } from '../link/link.repo.ts'
import { chargeCompany, sumReservedByLink } from '../quota/quota.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { notifyWebhooks } from '../webhook/webhook.service.ts'
import { canHaveThumbnail } from './document-preview.service.ts'
import {
  type FileRecord,
  findFile,
  findFileByName,
  findFiles,
  findFilesByNames,
  insertFile,
  lockDirectory,
  setFileDeleted,
  updateFileName,
} from './file.repo.ts'
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
  const toRow = (row: ShownFile) => ({ ...toFileRow(deps, actor, row), gone_at: getPurgeTime(row.deleted_at, trash_days) })
  return { data: rows.map(toRow), next }
}

/** Returns a file the caller may see. Throws `file.not_found` otherwise, and for files in the trash. */
export async function getVisibleFile(deps: Deps, actor: Reader, id: string): Promise<FileRecord> {
  const file = await findFile(deps.db, id, reachOf(actor))
  if (!file || !isVisible(file)) throw new AppError('file.not_found')
  return file
}

const isVisible = (file: FileRecord) => file.deleted_at === null && file.directory_deleted_at === null

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
  { id, directory, name, conflict, uploader, stored }: NewFile,
): Promise<ShownFile & { replaced: string | undefined }> {
  const { size, sha256, crc32, head } = stored
  const now = deps.now().toISOString()
  if (!(await lockDirectory(trx, directory.id))) throw new AppError('directory.not_found')
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
    thumbnail: (await canHaveThumbnail(deps, content_type)) ? ('wanted' as const) : ('none' as const),
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
  const company = { company_name: directory.company_name, company_archived_at: null }
  return { ...row, damaged_at: null, directory_name: directory.name, ...company, replaced: replaced?.id }
}

/**
 * Returns `name`, or the first of `name (1)`, `name (2)` … that is free. Call it with the directory locked. Pass the same
 * `firstNumbers` to repeated calls, so that they don't check the same numbers again.
 */
async function findFreeName(trx: Db, directory: string, name: string, firstNumbers = new Map<string, number>()): Promise<string> {
  const key = `${directory} ${nameKey(name)}`
  if (!firstNumbers.has(key) && !(await findFileByName(trx, directory, name))) return name
  // Checks growing batches of names, so that the thousandth file with a name doesn't need a thousand queries.
  for (let from = firstNumbers.get(key) ?? 1, count = 8; ; from += count, count *= 2) {
    firstNumbers.set(key, from)
    const candidates = Array.from({ length: Math.min(count, 2000) }, (_, i) => withNumber(name, from + i))
    const taken = new Set((await findFilesByNames(trx, directory, candidates)).map(({ name_key }) => name_key))
    const free = candidates.find((candidate) => !taken.has(nameKey(candidate)))
    if (free !== undefined) return free
  }
}

export async function renameFile(deps: Deps, actor: Staff, id: string, typed: string): Promise<FileRow> {
  const before = await getVisibleFile(deps, actor, id)
  const { directory_id } = before
  const name = parseFileName(typed)
  await deps.db.transaction().execute(async (trx) => {
    if (!(await lockDirectory(trx, directory_id))) throw new AppError('file.not_found')
    const sameNameFile = await findFileByName(trx, directory_id, name)
    if (sameNameFile && sameNameFile.id !== before.id) throw new AppError('file.name_taken')
    await updateFileName(trx, before.id, name)
    await renameLinks(trx, { file_id: before.id }, name)
    await record(deps, trx, [{ action: 'file.renamed', by: actor, ...toAuditFields(before), name, note: `was ${before.name}` }])
  })
  return toFileRow(deps, actor, await getVisibleFile(deps, actor, id))
}

/** Moves files to the trash: all of them or, if one is not found, none. */
export async function removeFiles(deps: Deps, actor: Staff, ids: string[]): Promise<void> {
  const uniqueIds = [...new Set(ids)]
  const files = (await findFiles(deps.db, uniqueIds, reachOf(actor))).filter(isVisible)
  if (files.length < uniqueIds.length) throw new AppError('file.not_found')
  const now = deps.now().toISOString()
  await deps.db.transaction().execute(async (trx) => {
    const deleted: FileRecord[] = []
    const companies: string[] = []
    for (const file of sortByDirectory(files)) {
      await lockDirectory(trx, file.directory_id)
      if (!(await setFileDeleted(trx, file.id, now))) continue
      const isCounted = (await addToDirectoryTotals(trx, file.directory_id, { files: -1, bytes: -file.size })) !== 0
      if (isCounted) companies.push(file.company_id)
      deleted.push(file)
    }
    const entries = deleted.map((file) => ({ action: 'file.deleted' as const, by: actor, ...toAuditFields(file) }))
    await record(deps, trx, entries)
    await addEachToTotals(trx, 'files', companies, -1)
  })
  await refreshLinks(deps, toLinkScopes(uniqueIds))
}

export async function restoreFiles(deps: Deps, actor: Staff, ids: string[]): Promise<FileRow[]> {
  const uniqueIds = [...new Set(ids)]
  const files = await findFiles(deps.db, uniqueIds, reachOf(actor))
  if (files.length < uniqueIds.length) throw new AppError('file.not_found')
  const firstNumbers = new Map<string, number>()
  await deps.db.transaction().execute(async (trx) => {
    const entries: Entry[] = []
    const companies: string[] = []
    for (const file of sortByDirectory(files)) {
      const { id, directory_id, name, size, deleted_at } = file
      if (!(await lockDirectory(trx, directory_id))) throw new AppError('directory.not_found')
      if (deleted_at === null) continue
      // Renamed before it is restored: a directory can't contain two files with the same name, not even for a moment.
      const freeName = await findFreeName(trx, directory_id, name, firstNumbers)
      await updateFileName(trx, id, freeName)
      if (freeName !== name) await renameLinks(trx, { file_id: id }, freeName)
      if (!(await setFileDeleted(trx, id, null))) continue
      await addToDirectoryTotals(trx, directory_id, { files: 1, bytes: size })
      companies.push(file.company_id)
      entries.push({ action: 'file.restored', by: actor, ...toAuditFields(file), name: freeName })
    }
    await record(deps, trx, entries)
    await addEachToTotals(trx, 'files', companies, 1)
  })
  await refreshLinks(deps, toLinkScopes(uniqueIds))
  return (await findFiles(deps.db, uniqueIds, reachOf(actor))).map((file) => toFileRow(deps, actor, file))
}

export async function createFileTicket(deps: Deps, actor: Reader, id: string): Promise<{ url: string }> {
  const file = await getVisibleFile(deps, actor, id)
  return { url: `/v1/download/${createTicket(deps, actor, { kind: 'file', id: file.id })}` }
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

type ShownFile = Pick<FileRecord, Exclude<keyof FileRecord, 'seq' | 'name_key' | 'directory_deleted_at'>>

export function toFileRow(deps: Deps, actor: Reader, row: ShownFile): FileRow {
  return {
    id: row.id,
    file_name: row.name,
    content_type: row.content_type,
    kind: row.kind,
    client: row.company_name,
    company: row.company_id,
    archived: row.company_archived_at !== null,
    directory: row.directory_name,
    directory_id: row.directory_id,
    size: row.size,
    sha256: row.sha256,
    damaged: row.damaged_at !== null,
    image: row.thumbnail === 'made' ? `/v1/thumbnail/${createTicket(deps, actor, { kind: 'picture', id: row.id })}` : null,
    date_created: row.created_at,
    deleted_at: row.deleted_at,
    gone_at: null,
  }
}

const toAuditFields = ({ id, company_id, directory_id, name, size }: FileRecord) => ({
  company: company_id,
  directory: directory_id,
  file: id,
  name,
  size,
})

const toLinkScopes = (files: string[]) => files.map((file_id) => ({ file_id }))

/** All transactions lock directories in this order, so that no two of them deadlock. */
const sortByDirectory = <File extends { directory_id: string }>(files: File[]) =>
  files.toSorted((a, b) => (a.directory_id < b.directory_id ? -1 : 1))

function getFileKind(type: string): FileKind {
  if (type.startsWith('image/')) return 'image'
  if (type.startsWith('audio/') || type.startsWith('video/')) return 'media'
  if (type === 'application/pdf') return 'pdf'
  if (/officedocument|opendocument|msword|ms-excel|ms-powerpoint|rtf/.test(type)) return 'office'
  if (/zip|tar|7z|rar|bzip|xz|zstd/.test(type)) return 'archive'
  return type.startsWith('text/') || /json|xml|yaml/.test(type) ? 'text' : 'other'
}
