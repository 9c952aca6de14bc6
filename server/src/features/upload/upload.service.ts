import type { Readable } from 'node:stream'
import type { FileRow } from '@neptune/contract'
import { BlobError } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import type { Reader } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Checksum } from '../../lib/net/checksum.ts'
import { newBlobId } from '../../lib/secrets.ts'
import { lockDirectory } from '../directory/tree.repo.ts'
import { addFile } from '../file/add-file.service.ts'
import { parseFileName, throwAppError, toAppError, toFileRow } from '../file/file.service.ts'
import { lockLink } from '../link/link.repo.ts'
import { createReserveCallback, emptyTimeoutMs, maxFormBytes, requireRoom, saveProgress } from '../quota/quota.service.ts'
import { commitFile, completeUpload } from './complete-upload.service.ts'
import { findUpload, insertUpload, sumReservedBy, type UploadRecord } from './upload.repo.ts'
import {
  ensureUploadFolder,
  getUploadDirectory,
  readMaxUploadBytes,
  requireAccess,
  takeUploadSlot,
  toOwner,
  type UploadTarget,
  watchAccess,
} from './upload-access.service.ts'
import { appendBytes } from './upload-append.service.ts'
import { type HeldUploadLock, isLocked, lockUpload } from './upload-lock.service.ts'
import { releaseReserved } from './upload-sweep.service.ts'

/** How many unfinished uploads a person or a link may have. */
const maxUnfinished = { staff: 500, recipient: 200 }

/** The body of a single-request upload. */
export interface IncomingFile {
  source: Readable
  /** Resolves when the form around the file is complete and well-formed. */
  completed: Promise<void>
  signal: AbortSignal
}

/**
 * Uploads a file in a single request. Checks the target and creates its folders before it reads the body. If the body fails, no bytes and no
 * file are left behind, but the folders stay.
 */
export async function uploadFile(
  deps: Deps,
  actor: Reader,
  target: UploadTarget,
  announcedBytes: number,
  receive: () => Promise<IncomingFile>,
): Promise<FileRow> {
  const parent = await getUploadDirectory(deps, actor, target)
  const name = parseFileName(target.filename)
  if (announcedBytes > (await readMaxUploadBytes(deps)) + maxFormBytes) throw new AppError('file.too_large')
  const room = await requireRoom(deps, actor, parent, announcedBytes)
  const directory = await ensureUploadFolder(deps, actor, parent, target)
  await using _ = await takeUploadSlot(deps, actor)
  const { source, completed, signal } = await receive()
  const id = newBlobId()
  const stored = await store()
  const file = await commitFile(deps, id, async () => {
    const uploader = await requireAccess(deps, actor, directory.id)
    return deps.db.transaction().execute((trx) => addFile(deps, trx, { ...target, id, directory, name, uploader, stored }))
  })
  return toFileRow(deps, actor, file)

  async function store() {
    using access = watchAccess(deps, actor, directory.id)
    const aborted = AbortSignal.any([signal, access.signal])
    try {
      const options = { maxSize: room.bytes, announcedBytes, completed: rejectOnAbort(completed, aborted), signal: aborted }
      return await deps.blobs.put(id, source, options)
    } catch (error) {
      source.destroy()
      if (access.signal.aborted) throw access.signal.reason
      throw error instanceof BlobError && error.fault === 'too_large' ? new AppError(room.errorCode) : toAppError(error)
    }
  }
}

/**
 * Settles like `completed`, but rejects as soon as the signal aborts, because a slow client can still be sending the end of the form after
 * the file.
 */
function rejectOnAbort(completed: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(new BlobError('cut', { cause: signal.reason }))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
  const result = Promise.race([completed, aborted])
  for (const promise of [aborted, result]) promise.catch(() => undefined) // avoids an unhandled rejection if the store no longer awaits the result
  return result
}

/**
 * Begins a resumable upload, whose bytes may arrive in pieces over days. Reserves nothing yet, but rejects an upload that is larger than
 * the free space, so that its client doesn't send bytes in vain. Without a first byte, the upload ends after an hour.
 */
export async function beginUpload(
  deps: Deps,
  actor: Reader,
  target: UploadTarget,
  { size, metadata }: { size: number; metadata: string },
): Promise<UploadRecord> {
  const parent = await getUploadDirectory(deps, actor, target)
  const name = parseFileName(target.filename)
  if (size > (await readMaxUploadBytes(deps))) throw new AppError('file.too_large')
  await requireRoom(deps, actor, parent, size + maxFormBytes)
  const directory = await ensureUploadFolder(deps, actor, parent, target)
  const now = deps.now()
  const upload = {
    id: newBlobId(),
    directory_id: directory.id,
    ...toOwner(actor),
    name,
    conflict: target.conflict,
    size,
    metadata,
    created_at: now.toISOString(),
    progress_at: now.toISOString(),
    received: 0,
    reserved: 0,
    finished_at: null,
    file_id: null,
    ends_at: new Date(now.getTime() + emptyTimeoutMs).toISOString(),
    holder: null,
    beat: 0,
    awaited_by: null,
  }
  await deps.blobs.create(upload.id).catch(throwAppError)
  try {
    await deps.db.transaction().execute(async (trx) => {
      // Every transaction that locks a link or a company locks the directory first, so they can't deadlock.
      if (!(await lockDirectory(trx, directory.id))) throw new AppError('directory.not_found')
      if (actor.kind === 'recipient') {
        if (!(await lockLink(trx, actor.link.key))) throw new AppError('link.closed')
        await requireAccess({ ...deps, db: trx }, actor, directory.id) // otherwise a concurrent reset of the link could miss this upload
      }
      const { count } = await sumReservedBy(trx, toOwner(actor))
      if (count >= maxUnfinished[actor.kind]) throw new AppError('upload.too_many')
      await insertUpload(trx, upload)
    })
  } catch (error) {
    await deps.blobs.discard(upload.id)
    throw error
  }
  return size === 0 ? completeUpload(deps, actor, upload) : upload
}

/**
 * Returns the offset of an upload. First stops a request that still writes to it, so that its last bytes are stored.
 * If all bytes are stored but the process died before it completed the upload, completes it.
 */
export async function getUploadStatus(deps: Deps, actor: Reader, id: string): Promise<{ upload: UploadRecord; offset: number }> {
  const upload = await getOwnUpload(deps, actor, id)
  if (upload.finished_at) return { upload, offset: upload.size }
  const offset = await deps.blobs.getReceivedSize(id).catch(throwAppError)
  if (offset < upload.size && !isLocked(upload)) return { upload, offset }
  try {
    return await getStatusLocked(deps, actor, id)
  } catch (error) {
    // The bytes stay until the upload expires, so that it can be completed once the directory or company is restored, or there is room.
    // If another request holds the lock, it completes the upload.
    const retryableCodes = ['directory.not_found', 'upload.busy', 'company.archived', 'company.full', 'link.full']
    if (error instanceof AppError && retryableCodes.includes(error.code)) return { upload, offset }
    throw error
  }
}

/** Returns the offset after the previous holder has stopped. It may have completed or truncated the upload. */
async function getStatusLocked(deps: Deps, actor: Reader, id: string) {
  await using _ = await lockUpload(deps, id)
  const upload = await getOwnUpload(deps, actor, id)
  const offset = upload.finished_at ? upload.size : await deps.blobs.getReceivedSize(id).catch(throwAppError)
  const hasAllBytes = !upload.finished_at && offset === upload.size
  return { upload: hasAllBytes ? await completeUpload(deps, actor, upload) : upload, offset }
}

/** The bytes that one PATCH request sends. */
export interface Piece {
  offset: number
  /** The length that the request announces; infinite if it has none. */
  length: number
  source: Readable
  signal: AbortSignal
  checksum: Checksum | undefined
}

/**
 * Adds bytes to an upload. Reserves room as they arrive. When no room is left, keeps the bytes that fitted, so that the upload can be
 * resumed later.
 */
export async function appendToUpload(
  deps: Deps,
  actor: Reader,
  id: string,
  { offset, length, source, signal, checksum }: Piece,
): Promise<{ upload: UploadRecord; offset: number }> {
  await using lock = await lockOwnUpload(deps, actor, id)
  const { upload, directory } = await getOpenUpload(deps, actor, id)
  using access = watchAccess(deps, actor, directory.id)
  const aborted = AbortSignal.any([signal, lock.signal, access.signal])
  const reserve = createReserveCallback(deps, actor, directory, upload, { offset, length })
  try {
    const options = { offset, maxSize: upload.size, signal: aborted, reserve }
    const received = await appendBytes(deps, id, lock, options, { source, checksum })
    return await recordReceived(deps, actor, upload, lock, received)
  } catch (error) {
    await releaseRoom(deps, id, lock)
    throw access.signal.aborted ? access.signal.reason : error
  }
}

/** Releases the room of bytes that did not arrive. If that fails, the sweep does it after an hour without progress. */
async function releaseRoom(deps: Deps, id: string, lock: HeldUploadLock): Promise<void> {
  try {
    await lock.confirm()
    await releaseReserved(deps, id)
  } catch (err) {
    deps.log.debug({ err, upload: id }, 'could not release the room reserved for an upload')
  }
}

/**
 * Locks an unfinished upload of the caller. Checks the upload before it locks it, so that strangers can't lock anything. Read the upload
 * again afterwards: it may have become a file.
 */
export async function lockOwnUpload(deps: Deps, actor: Reader, id: string): Promise<HeldUploadLock> {
  await getOpenUpload(deps, actor, id)
  return lockUpload(deps, id)
}

/** Returns an unfinished upload of the caller and its directory, if they may still upload to it. */
export async function getOpenUpload(deps: Deps, actor: Reader, id: string) {
  const upload = await getOwnUpload(deps, actor, id)
  if (upload.finished_at) throw new AppError('upload.wrong_offset')
  const directory = await getUploadDirectory(deps, actor, { directory: upload.directory_id, conflict: upload.conflict })
  return { upload, directory }
}

/** Records that bytes have arrived. With the last byte the upload becomes a file. */
export async function recordReceived(deps: Deps, actor: Reader, upload: UploadRecord, lock: HeldUploadLock, received: number) {
  await lock.confirm()
  if (received < upload.size) {
    const ends_at = await saveProgress(deps, upload.id, received, received)
    if (ends_at === undefined) throw new AppError('upload.not_found')
    return { upload: { ...upload, ends_at }, offset: received }
  }
  return { upload: await completeUpload(deps, actor, upload), offset: received }
}

async function getOwnUpload(deps: Deps, actor: Reader, id: string): Promise<UploadRecord> {
  const upload = await findUpload(deps.db, id, toOwner(actor), deps.now().toISOString())
  if (!upload) throw new AppError('upload.not_found')
  return upload
}
