import type { Readable } from 'node:stream'
import type { FileRow } from '@neptune/contract'
import { type AppendOptions, BlobError } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import { mustBeAllowed, type Reader } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Checksum, hashing, isMet } from '../../lib/checksum.ts'
import { newBlobId } from '../../lib/secrets.ts'
import { lockLink } from '../visit/link.repo.ts'
import { isFile, lockCompany, lockDirectory } from './file.repo.ts'
import { addFile, blobProblem, fileName, rethrow, toFileRow } from './file.service.ts'
import { type Hold, holdUpload } from './hold.service.ts'
import {
  deleteUpload,
  findUpload,
  insertUpload,
  markFinished,
  sumUnfinished,
  touchUpload,
  type UploadRecord,
} from './upload.repo.ts'
import { openDirectory, ownerOf, placeFor, stayingHere, stillHere, type Target } from './upload-right.service.ts'
import { formBytes, limitsFor, roomFor } from './upload-room.service.ts'
import { throwAway } from './upload-sweep.service.ts'

const day = 24 * 60 * 60_000
/** How long an upload waits for its next bytes, and how long it is remembered once it became a file. */
const waits = 7 * day
const remembered = day
const unfinishedEach = 1000

/** Bytes that arrive in one go. */
export interface Arrival {
  source: Readable
  /** Settles when everything around the bytes came to its proper end, too. */
  whole: Promise<void>
  signal: AbortSignal
}

/**
 * The simple way: one request, one file. Whatever is wrong with the target is said before the body is read; whatever goes wrong with
 * the body leaves nothing behind.
 */
export async function uploadFile(
  deps: Deps,
  actor: Reader,
  target: Target,
  announced: number,
  receive: () => Promise<Arrival>,
): Promise<FileRow> {
  const directory = await openDirectory(deps, actor, target)
  const name = fileName(target.filename)
  if (announced > deps.config.maxUploadBytes + formBytes) throw new AppError('file.too_large')
  const room = await roomFor(deps, actor, directory, announced)
  await using _ = await placeFor(deps, actor)
  const { source, whole, signal } = await receive()
  const id = newBlobId()
  const stored = await store()
  const file = await commit(deps, id, async () => {
    const uploader = await stillHere(deps, actor)
    return deps.db.transaction().execute((trx) => addFile(deps, trx, { ...target, id, directory, name, uploader, stored }))
  })
  return toFileRow(deps, actor, file)

  async function store() {
    using here = stayingHere(deps, actor)
    const over = AbortSignal.any([signal, here.signal])
    try {
      return await deps.blobs.put(id, source, { maxSize: room.bytes, whole: unlessOver(whole, over), signal: over })
    } catch (error) {
      source.destroy()
      if (here.signal.aborted) throw here.signal.reason
      throw error instanceof BlobError && error.fault === 'too_large' ? new AppError(room.refusal) : blobProblem(error)
    }
  }
}

/** The file may be here and what is around it still to come, for as long as somebody likes. */
function unlessOver(whole: Promise<void>, signal: AbortSignal): Promise<void> {
  const over = new Promise<never>((_, reject) => {
    const cut = () => reject(new BlobError('cut', { cause: signal.reason }))
    signal.addEventListener('abort', cut, { once: true })
    if (signal.aborted) cut()
  })
  const either = Promise.race([whole, over])
  for (const promise of [over, either]) promise.catch(() => undefined) // the store hears of it, if it still wants to
  return either
}

/** The resumable way begins: from here on the bytes may come in pieces, for a week. */
export async function beginUpload(
  deps: Deps,
  actor: Reader,
  target: Target,
  { size, metadata }: { size: number; metadata: string },
): Promise<UploadRecord> {
  const directory = await openDirectory(deps, actor, target)
  const name = fileName(target.filename)
  if (size > deps.config.maxUploadBytes) throw new AppError('file.too_large')
  await roomFor(deps, actor, directory, size + formBytes)
  const upload = {
    id: newBlobId(),
    directory_id: directory.id,
    ...ownerOf(actor),
    name,
    conflict: target.conflict,
    size,
    metadata,
    finished_at: null,
    ends_at: new Date(deps.now().getTime() + waits).toISOString(),
    holder: null,
    beat: 0,
    awaited_by: null,
  }
  await deps.blobs.create(upload.id).catch(rethrow)
  try {
    await deps.db.transaction().execute(async (trx) => {
      // Everything that locks a link or a company has its directory locked before: so nobody waits for each other.
      if (!(await lockDirectory(trx, directory.id))) throw new AppError('directory.not_found')
      if (actor.kind === 'recipient' && !(await lockLink(trx, actor.link.key))) throw new AppError('link.closed')
      if (deps.config.companyQuotaBytes !== undefined) await lockCompany(trx, directory.company_id)
      // Once more, now that nobody else begins meanwhile: or many at once would take more than there is.
      await limitsFor({ ...deps, db: trx }, actor, directory, size)
      if ((await sumUnfinished(trx, ownerOf(actor))).count >= unfinishedEach) throw new AppError('upload.too_many')
      await insertUpload(trx, upload)
    })
  } catch (error) {
    await deps.blobs.discard(upload.id)
    throw error
  }
  return size === 0 ? completeUpload(deps, actor, upload) : upload
}

/** Where an upload stands. One that has all its bytes becomes a file here, if the process died just before it could. */
export async function uploadStatus(deps: Deps, actor: Reader, id: string): Promise<{ upload: UploadRecord; offset: number }> {
  const upload = await ownUpload(deps, actor, id)
  if (upload.finished_at) return { upload, offset: upload.size }
  const offset = await deps.blobs.received(id).catch(rethrow)
  if (offset < upload.size) return { upload, offset }
  return holdUpload(deps, id, () => completeFound(deps, actor, id)).catch((error) => {
    // Its directory may come back from the trash; until then the bytes wait. And who is busy with it completes it, too.
    if (error instanceof AppError && ['directory.not_found', 'upload.busy'].includes(error.code)) return { upload, offset }
    throw error
  })
}

/** Whoever had it before may have made it a file meanwhile, or have taken bytes back. */
async function completeFound(deps: Deps, actor: Reader, id: string) {
  const upload = await ownUpload(deps, actor, id)
  const offset = upload.finished_at ? upload.size : await deps.blobs.received(id).catch(rethrow)
  const isWhole = !upload.finished_at && offset === upload.size
  return { upload: isWhole ? await completeUpload(deps, actor, upload) : upload, offset }
}

export interface Piece {
  offset: number
  source: Readable
  signal: AbortSignal
  checksum: Checksum | undefined
}

export async function appendToUpload(
  deps: Deps,
  actor: Reader,
  id: string,
  { offset, source, signal, checksum }: Piece,
): Promise<{ upload: UploadRecord; offset: number }> {
  return holdOpenUpload(deps, actor, id, async (upload, hold) => {
    using here = stayingHere(deps, actor)
    const options = { offset, maxSize: upload.size, signal: AbortSignal.any([signal, hold.signal, here.signal]) }
    const append = checksum
      ? appendChecked(deps, id, hold, options, source, checksum)
      : appendWhole(deps, id, hold, options, source)
    const received = await append.catch((error) => {
      throw here.signal.aborted ? here.signal.reason : error
    })
    return settle(deps, actor, upload, hold, received)
  })
}

/** For whoever may go on with it. Asked before it is held, so that strangers hold nothing, and again then: it may be a file by now. */
export async function holdOpenUpload<T>(
  deps: Deps,
  actor: Reader,
  id: string,
  work: (upload: UploadRecord, hold: Hold) => Promise<T>,
): Promise<T> {
  const open = async () => {
    const upload = await ownUpload(deps, actor, id)
    if (upload.finished_at) throw new AppError('upload.wrong_offset')
    await openDirectory(deps, actor, { directory: upload.directory_id, conflict: upload.conflict })
    return upload
  }
  await open()
  return holdUpload(deps, id, async (hold) => work(await open(), hold))
}

/** More bytes are here: with the last of them it becomes a file. */
export async function settle(deps: Deps, actor: Reader, upload: UploadRecord, hold: Hold, received: number) {
  if (received < upload.size) return { upload: await waitOn(deps, upload), offset: received }
  await hold.confirm()
  return { upload: await completeUpload(deps, actor, upload), offset: received }
}

/** More than was announced is a mistake of the client's: then nobody knows which bytes are the file's. */
async function appendWhole(deps: Deps, id: string, hold: Hold, options: AppendOptions, source: Readable): Promise<number> {
  try {
    return await deps.blobs.append(id, source, options)
  } catch (error) {
    if (error instanceof BlobError && error.fault === 'too_large') await rewind(deps, id, hold, options.offset)
    throw blobProblem(error)
  }
}

async function rewind(deps: Deps, id: string, hold: Hold, offset: number) {
  await hold.confirm()
  await deps.blobs.rewind(id, offset)
}

/** The week begins anew with every byte; it is written down once a day. */
async function waitOn(deps: Deps, upload: UploadRecord): Promise<UploadRecord> {
  const ends_at = new Date(deps.now().getTime() + waits)
  if (ends_at.getTime() - Date.parse(upload.ends_at) < day) return upload
  await touchUpload(deps.db, upload.id, ends_at.toISOString())
  return { ...upload, ends_at: ends_at.toISOString() }
}

/** What comes with a checksum is kept whole and as it was, or not at all. */
async function appendChecked(
  deps: Deps,
  id: string,
  hold: Hold,
  options: AppendOptions,
  source: Readable,
  checksum: Checksum,
): Promise<number> {
  const bytes = source.pipe(hashing(checksum))
  try {
    const received = await deps.blobs.append(id, bytes, options)
    if (!isMet(checksum)) throw new AppError('upload.checksum')
    return received
  } catch (error) {
    const isOurs = !(error instanceof BlobError) || !['wrong_offset', 'busy', 'missing'].includes(error.fault)
    if (isOurs) await rewind(deps, id, hold, options.offset)
    throw blobProblem(error)
  }
}

export async function giveUpUpload(deps: Deps, actor: Reader, id: string): Promise<void> {
  mustBeAllowed(actor, 'add')
  const upload = await ownUpload(deps, actor, id)
  await (upload.finished_at ? deleteUpload(deps.db, id) : throwAway(deps, id))
}

async function ownUpload(deps: Deps, actor: Reader, id: string): Promise<UploadRecord> {
  const upload = await findUpload(deps.db, id, ownerOf(actor), deps.now().toISOString())
  if (!upload) throw new AppError('upload.not_found')
  return upload
}

/** The row says that it became a file in the same moment in which it does, so that a second one never comes of it. */
async function completeUpload(deps: Deps, actor: Reader, upload: UploadRecord): Promise<UploadRecord> {
  const { id, name, conflict } = upload
  const uploader = await stillHere(deps, actor)
  const directory = await openDirectory(deps, uploader, { directory: upload.directory_id, conflict })
  const stored = await deps.blobs.finish(id).catch(rethrow)
  const now = deps.now()
  const finished = { finished_at: now.toISOString(), ends_at: new Date(now.getTime() + remembered).toISOString() }
  try {
    await commit(deps, id, () =>
      deps.db.transaction().execute(async (trx) => {
        await lockDirectory(trx, directory.id)
        const isOpen = uploader.kind === 'staff' || (await lockLink(trx, uploader.link.key)) !== undefined
        if (!(await markFinished(trx, id, finished.finished_at, finished.ends_at))) {
          // Another node may have made it a file while this one stood still: then it is one, whatever became of the link since.
          if (await isFile(trx, id)) return
          throw new AppError('upload.not_found')
        }
        if (!isOpen) throw new AppError('link.closed')
        await addFile(deps, trx, { id, directory, name, conflict, uploader, stored })
      }),
    )
  } catch (error) {
    if (error instanceof AppError) await deleteUpload(deps.db, id)
    throw error
  }
  return { ...upload, ...finished }
}

/** Bytes that were safe and then refused are thrown away. After any other failure the row may be there, so they stay. */
async function commit<T>(deps: Deps, id: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof AppError) await deps.blobs.remove(id)
    throw error
  }
}
