import { getMinFreeBytes } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import { allCompanies, type Reader, type Recipient } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { findUsage, lockCompany } from '../company/company.repo.ts'
import { getQuota, rejectArchived } from '../company/company.service.ts'
import type { DirectoryRecord } from '../directory/directory.repo.ts'
import { lockDirectory } from '../directory/tree.repo.ts'
import { addToCompanyBytes } from '../file/file.repo.ts'
import { findLink, lockLink } from '../link/link.repo.ts'
import { readSettings } from '../settings/settings.service.ts'
import { setProgress, sumReservedBy, sumReservedIn, type UploadRecord } from '../upload/upload.repo.ts'

/** How many bytes a multipart form may add to its file. */
export const maxFormBytes = 64 * 1024
/** How long an upload is kept without further bytes. Until its first byte, `emptyTimeoutMs` applies instead. */
const idleTimeoutMs = 7 * 24 * 60 * 60_000
export const emptyTimeoutMs = 60 * 60_000
/**
 * A running upload reserves as many bytes ahead as its request has sent, within these bounds. So not every packet needs a
 * transaction, and no upload holds much more of a quota than it sends.
 */
const aheadBytes = { min: 2 ** 20, max: 64 * 2 ** 20 }
/** How often a slow upload saves its progress. */
const progressIntervalMs = 60_000

type TargetDirectory = Pick<DirectoryRecord, 'id' | 'company_id'>

/**
 * Returns how many bytes may still be stored, and the code of the error for more. Throws if `announcedBytes` don't fit: that is
 * the length of the request, including the form around the file. Bytes that unfinished uploads have reserved count as stored;
 * bytes that were only announced do not.
 */
export async function requireRoom(deps: Deps, actor: Reader, directory: TargetDirectory, announcedBytes: number) {
  const { free, total } = await deps.blobs.getSpace()
  if (free - announcedBytes < getMinFreeBytes(total)) throw new AppError('storage.full')
  const room = await getRoom(deps, actor, directory)
  if (room.bytes < 0 || announcedBytes - maxFormBytes > room.bytes)
    throw createRoomError(actor, room, announcedBytes - maxFormBytes)
  return room
}

/** Creates the error for a file that needs more bytes than are left. Only staff get the number of bytes left. */
function createRoomError(actor: Reader, { bytes, errorCode }: Room, needed: number): AppError {
  const left = Math.max(0, bytes)
  const isShown = actor.kind === 'staff' && errorCode === 'company.full' && needed > left
  return new AppError(errorCode, { space: isShown ? { left, needed } : undefined })
}

/** Throws if an upload whose bytes have all arrived doesn't fit. */
export async function requireRoomForUpload(deps: Deps, actor: Reader, directory: TargetDirectory, { id, size }: UploadRecord) {
  const room = await getRoom(deps, actor, directory, id)
  if (size > room.bytes) throw createRoomError(actor, room, size)
}

type Room = Awaited<ReturnType<typeof getRoom>>

/**
 * Like `requireRoom`, but considers only quotas and limits, not the disk, and never throws because of a lack of room. Ignores the
 * reservation of the upload `exceptId`.
 */
async function getRoom(deps: Deps, actor: Reader, directory: TargetDirectory, exceptId?: string) {
  const { storage } = await readSettings(deps)
  const rooms = [
    { bytes: storage.max_upload_bytes, errorCode: 'file.too_large' as const },
    { bytes: await getCompanyRoom(deps, directory.company_id, exceptId), errorCode: 'company.full' as const },
    { bytes: actor.kind === 'recipient' ? await getLinkRoom(deps, actor, exceptId) : Infinity, errorCode: 'link.full' as const },
  ]
  return rooms.toSorted((a, b) => a.bytes - b.bytes)[0] ?? { bytes: 0, errorCode: 'storage.full' as const }
}

async function getCompanyRoom(deps: Deps, companyId: string, exceptId?: string): Promise<number> {
  const usage = await findUsage(deps.db, companyId)
  const quota = usage ? getQuota((await readSettings(deps)).storage, usage) : 0
  if (quota === null) return Infinity
  return quota - Number(usage?.bytes ?? 0) - (await sumReservedIn(deps.db, companyId, exceptId))
}

/** Returns whether a company has a quota, its own or the default. */
async function hasQuota(deps: Deps, companyId: string): Promise<boolean> {
  const usage = await findUsage(deps.db, companyId)
  return usage !== undefined && getQuota((await readSettings(deps)).storage, usage) !== null
}

/** Returns how many bytes a link may still receive; negative if it has reached its maximum number of files. */
async function getLinkRoom(deps: Deps, { link: { key } }: Recipient, exceptId?: string): Promise<number> {
  const link = await findLink(deps.db, key, allCompanies)
  const { begun, bytes } = await sumReservedBy(deps.db, { user_id: null, link_key: key }, exceptId)
  const { max_bytes, max_files } = (await readSettings(deps)).links
  if (!link || link.files + begun >= max_files) return -1
  return max_bytes - Number(link.bytes) - bytes
}

/**
 * Counts a new file against the quota. Throws `company.archived` if the company was archived meanwhile. Call it inside the
 * transaction that inserts the file, with its directory locked.
 */
export async function chargeCompany(deps: Deps, trx: Deps['db'], companyId: string, size: number): Promise<void> {
  const usage = (await hasQuota({ ...deps, db: trx }, companyId)) ? await lockCompany(trx, companyId) : undefined
  const quota = usage ? getQuota((await readSettings({ ...deps, db: trx })).storage, usage) : null
  const room = quota === null ? undefined : quota - (await sumReservedIn(trx, companyId))
  if (await addToCompanyBytes(trx, companyId, size, room)) return
  rejectArchived((await findUsage(trx, companyId))?.archived_at ?? null)
  throw new AppError('company.full')
}

/** Returns how many files and bytes of a link's limits unfinished uploads have reserved. */
export async function sumReservedByLink(trx: Deps['db'], key: string): Promise<{ files: number; bytes: number }> {
  const { begun, bytes } = await sumReservedBy(trx, { user_id: null, link_key: key })
  return { files: begun, bytes }
}

interface Reservation {
  received: number
  size: number
  upTo: number
}

/**
 * Reserves room for an upload: up to `upTo` bytes or as many as are free, but at least `size`. Returns how many it reserved.
 * No other file or upload can take that room.
 */
export async function reserveRoom(
  deps: Deps,
  actor: Reader,
  directory: TargetDirectory,
  { id, size: maxSize }: Pick<UploadRecord, 'id' | 'size'>,
  { received, size, upTo }: Reservation,
): Promise<number> {
  const isLimited = await hasQuota(deps, directory.company_id)
  if (actor.kind === 'staff' && !isLimited) return save(deps, Math.min(upTo, maxSize))
  return deps.db.transaction().execute(async (trx) => {
    // Every transaction that locks a link or a company locks the directory first, so they can't deadlock. The directory may have been moved
    // to another company since the request began.
    const current = await lockDirectory(trx, directory.id)
    if (!current) throw new AppError('directory.not_found')
    if (actor.kind === 'recipient' && !(await lockLink(trx, actor.link.key))) throw new AppError('link.closed')
    if (isLimited) await lockCompany(trx, current.company_id)
    const room = await getRoom({ ...deps, db: trx }, actor, current, id)
    if (room.bytes < size) throw createRoomError(actor, room, maxSize)
    return save({ ...deps, db: trx }, Math.min(upTo, maxSize, room.bytes))
  })

  async function save(deps: Deps, reserved: number) {
    if (!(await saveProgress(deps, id, received, reserved))) throw new AppError('upload.not_found')
    return reserved
  }
}

/**
 * Saves the progress of an upload. Returns when it expires without further bytes; undefined if it became a file or ended
 * meanwhile.
 */
export async function saveProgress(deps: Deps, id: string, received: number, reserved: number): Promise<string | undefined> {
  const now = deps.now()
  const progress_at = now.toISOString()
  const ends_at = new Date(now.getTime() + idleTimeoutMs).toISOString()
  return (await setProgress(deps.db, id, progress_at, { received, reserved, progress_at, ends_at })) ? ends_at : undefined
}

/**
 * Returns the `reserve` callback of the blob store, which reserves room ahead of the bytes of one request, at most `length`.
 */
export function createReserveCallback(
  deps: Deps,
  actor: Reader,
  directory: TargetDirectory,
  upload: UploadRecord,
  { offset, length }: { offset: number; length: number },
) {
  let received = offset
  let reserved = offset
  let savedAt = deps.now().getTime()
  return async (end: number) => {
    const size = Math.min(end, upload.size) // the store rejects bytes beyond the announced size
    const now = deps.now().getTime()
    if (size > reserved || now - savedAt >= progressIntervalMs) {
      const ahead = Math.min(Math.max(size - offset, aheadBytes.min), aheadBytes.max)
      const upTo = Math.max(size, Math.min(size + ahead, offset + length))
      reserved = await reserveRoom(deps, actor, directory, upload, { received, size, upTo })
      savedAt = now
    }
    received = size
  }
}
