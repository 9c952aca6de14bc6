import { hash } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { ErrorCode } from '@neptune/contract'
import { BlobError } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import { type Reader, type Recipient, reachOf } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { ByteRange } from '../../lib/net/byte-range.ts'
import { findPreviewFormat } from '../../lib/net/content-type.ts'
import { recordDownload } from '../access/access.service.ts'
import { recordLater, toCallerKey } from '../audit/audit.service.ts'
import { type FileRecord, findFile } from '../file/file.repo.ts'
import { getVisibleFile, toAppError } from '../file/file.service.ts'
import { findReader, readTicket } from '../identity/ticket.service.ts'
import { markDamaged } from '../integrity/integrity.service.ts'
import { deleteRendition, findRendition } from '../thumbnail/rendition.repo.ts'
import { announceDownload } from '../webhook/webhook.service.ts'
import { openZip, type ReadOptions } from './zip.service.ts'
import { findZipSource, type ZipSource } from './zip-source.service.ts'

/** Prepares the download of a file. */
export async function downloadFile(deps: Deps, actor: Reader, id: string, { version }: { version?: string | undefined } = {}) {
  const file = await getVisibleFile(deps, actor, id, version)
  const { name, blob_id, content_type, size, sha256, created_at } = file
  if (file.damaged_at !== null) throw new AppError('file.damaged')
  const tracking = trackDownload(deps, actor, { ...file, action: 'file.downloaded', file: id, directory: file.directory_id })
  return {
    name,
    type: content_type,
    size,
    etag: `"${sha256}"`,
    modifiedAt: new Date(created_at),
    open: () => openFile(deps, file),
    ...tracking,
    /** Returns the path for nginx, if nginx sends the file. How much it sends is unknown, so all of it counts as downloaded. */
    async findProxyPath() {
      const { accelRedirect } = deps.config
      if (!accelRedirect || !deps.blobs.getRelativePath) return undefined
      await using _ = await openFile(deps, file)
      await tracking.onSent(size, 'by the proxy')
      return accelRedirect + deps.blobs.getRelativePath(blob_id)
    },
    /** Returns a presigned URL, if browsers may use the store directly. As above, all of it counts as downloaded. */
    async findRedirectUrl() {
      if (!deps.config.s3?.publicEndpoint) return undefined
      await using _ = await openFile(deps, file) // reports damage here, because the store can't
      await tracking.onSent(size, 'by the object store')
      return deps.blobs.presignDownload?.(blob_id, { name, type: content_type, seconds: presignedSeconds })
    },
  }
}

/**
 * Prepares the preview of a file. Previews are always sent by this server: only our headers make them safe to show, every byte
 * is counted, and they stop when the access ends.
 */
async function previewFile(deps: Deps, actor: Reader, id: string, { version }: DownloadOptions) {
  const file = await getVisibleFile(deps, actor, id, version)
  const format = findPreviewFormat(file.content_type)
  const pdf = format ? undefined : await findRendition(deps.db, file.blob_id)
  if (file.damaged_at !== null) throw new AppError('file.damaged')
  const entry = { ...file, action: 'file.previewed' as const, file: id, directory: file.directory_id }
  const common = { modifiedAt: new Date(file.created_at), isPreview: true }
  if (format) {
    const { name, size, sha256 } = file
    const open = () => openFile(deps, file)
    return { ...common, name, type: format.type, size, etag: `"${sha256}"`, open, ...trackDownload(deps, actor, entry) }
  }
  // The PDF of an Office document.
  if (!pdf || pdf.pdf_id === null || pdf.pdf_size === null) throw new AppError('file.not_found')
  const [pdfId, size] = [pdf.pdf_id, Number(pdf.pdf_size)]
  return {
    ...common,
    name: `${file.name}.pdf`,
    type: 'application/pdf',
    size,
    etag: `"${pdfId}"`,
    open: () => openRendition(deps, file.blob_id, pdfId, size),
    ...trackDownload(deps, actor, { ...entry, size }),
  }
}

/** Handles the error for an item that the caller can no longer see. Throws any other error again. */
function ignoreAppError(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}

/** Opens the PDF of a document. If its bytes are gone, it is made again for the next preview. */
async function openRendition(deps: Deps, blobId: string, pdfId: string, size: number) {
  try {
    return await deps.blobs.open(pdfId, size)
  } catch (error) {
    const isLost = error instanceof BlobError && error.fault === 'damaged'
    if (isLost) await deleteRendition(deps.db, blobId)
    throw isLost ? new AppError('file.not_found') : toAppError(error)
  }
}

/** Long enough to follow the redirect. A client that resumes later requests our URL again and is redirected to a new one. */
const presignedSeconds = 60

interface DownloadOptions extends ReadOptions {
  version?: string | undefined
}

interface ZipOptions extends ReadOptions {
  /** The files and folders to download, if not all. */
  items?: readonly string[] | undefined
}

interface TrackedDownload {
  action: 'file.downloaded' | 'file.previewed' | 'directory.downloaded'
  id: string
  company_id: string
  directory: string
  file: string | null
  name: string
  size: number
  /** The id of a file's bytes, and their hash, which the audit log and webhooks contain. */
  blob_id?: string
  sha256?: string
  /** How many files and folders were chosen for a ZIP. */
  chosen?: number | undefined
  /** The name in the activity of the link. By default, `name`. */
  linkName?: string
}

/** Stops a download when its caller loses access, and records the bytes that were sent. */
function trackDownload(
  deps: Deps,
  actor: Reader,
  {
    action,
    company_id: company,
    directory,
    file,
    name,
    size,
    id,
    blob_id = id,
    sha256,
    chosen,
    linkName = name,
  }: TrackedDownload,
) {
  const entry = { action, by: actor, company, directory, file, name, size }
  const contents = sha256 ? `SHA-256 ${sha256}` : chosen && `selection of ${chosen}`
  const toNote = (how?: string) => [how, contents].filter(Boolean).join(', ') || null
  const foldKey = `${action} ${toCallerKey(actor)} ${blob_id}`
  // A browser requests a video or a long PDF in many small ranges, which together are one preview.
  const maxEntries = action === 'file.previewed' ? 1 : undefined
  const event = { type: 'download' as const, company, directory, file, name, size, ...(sha256 && { sha256 }), by: actor }
  let isStartRecorded = false
  let recordedBytes = 0
  const recordBytesFor = async (recipient: Recipient, bytes: number) => {
    const newBytes = Math.max(0, bytes - recordedBytes)
    recordedBytes += newBytes
    await recordDownload(deps, recipient, { id, blob_id, name: linkName, size }, newBytes, event).catch((err: unknown) => {
      recordedBytes -= newBytes
      throw err
    })
  }
  return {
    /** Records a long download before it ends, so that neither a crash nor a client that stops reading can hide it. */
    async mayContinue(sent: number) {
      if (!isStartRecorded) recordLater(deps, foldKey, { ...entry, note: toNote('begun') }, maxEntries)
      isStartRecorded = true
      if (actor.kind === 'recipient' && recordedBytes === 0 && sent > 0)
        await recordBytesFor(actor, sent).catch((err: unknown) => deps.log.error({ err }, 'could not record a download'))
      const current = await findReader(deps, actor)
      if (!current) return false
      // The current location: files may have been moved out of the caller's reach.
      const found = file === null ? findZipSource(deps, current, directory) : findFile(deps.db, file, reachOf(current))
      return (await found.catch(ignoreAppError)) !== undefined
    },
    async onSent(bytes: number, how?: string) {
      const sent = { ...entry, bytes, note: toNote(how ?? (bytes < size ? 'partly' : undefined)) }
      if (bytes > 0 || size === 0) recordLater(deps, foldKey, sent, maxEntries)
      if (actor.kind === 'recipient') await recordBytesFor(actor, bytes)
      // For staff, only a complete download is announced: their ranges are not added up.
      else if (bytes === size && action !== 'file.previewed') await announceDownload(deps, { ...event, by: actor })
    },
  }
}

/**
 * Prepares the download of a directory, of some of its files and folders, or of the files of a link to several files, as one ZIP. The same
 * files always give the same bytes, so the download can be resumed like that of a single file. The contents are fixed now: files that are
 * renamed, deleted or added later do not change them.
 */
export async function downloadDirectory(deps: Deps, actor: Reader, id: string, { items: chosen, ...readOptions }: ZipOptions) {
  const source = await findZipSource(deps, actor, id, chosen)
  const zip = await openZip(deps, actor, source, readOptions)
  return {
    ...trackDownload(deps, actor, {
      action: 'directory.downloaded',
      id,
      ...describeChoice(source),
      company_id: source.company_id,
      directory: id,
      file: null,
      name: source.name,
      size: zip.size,
    }),
    name: `${source.archive}.zip`,
    type: 'application/zip',
    size: zip.size,
    etag: zip.etag,
    async open() {
      return { sendTo, [Symbol.asyncDispose]: async () => undefined }
    },
    close: zip.close,
  }

  async function sendTo(to: Writable, range: ByteRange) {
    for await (const part of zip.parts(range)) {
      if ('bytes' in part) {
        if (!to.write(part.bytes)) await waitForDrain(to)
        continue
      }
      await using blob = await openBlob(deps, part.entry.blob, part.entry.size)
      await blob.sendTo(to, part)
    }
  }
}

/** Gives a selection an id of its own, so that its bytes are not added to those of the whole directory. */
function describeChoice({ items, archive }: ZipSource): Pick<TrackedDownload, 'blob_id' | 'chosen' | 'linkName'> {
  if (items.length === 0) return {}
  const blob_id = hash('sha256', items.toSorted().join(' ')).slice(0, 32)
  return { blob_id, chosen: items.length, linkName: `${archive}.zip` }
}

/** Prepares the download of a thumbnail. */
async function downloadThumbnail(deps: Deps, actor: Reader, id: string, { version }: DownloadOptions) {
  const { name, thumbnail_id, thumbnail_size, created_at } = await getVisibleFile(deps, actor, id, version)
  if (thumbnail_id === null || thumbnail_size === null) throw new AppError('file.not_found')
  return {
    name: `${name}.webp`,
    type: 'image/webp',
    size: thumbnail_size,
    etag: `"${thumbnail_id}"`,
    modifiedAt: new Date(created_at),
    open: () => openBlob(deps, thumbnail_id, thumbnail_size),
  }
}

const downloadsByKind = { file: downloadFile, zip: downloadDirectory, picture: downloadThumbnail, preview: previewFile }

/** Prepares the download that a ticket was created for, with the rights that its holder has now. */
export async function downloadByTicket(
  deps: Deps,
  ticket: string,
  kinds: readonly (keyof typeof downloadsByKind)[],
  { address, ...readOptions }: ReadOptions & { address: string },
) {
  const { actor, target } = (await readTicket(deps, ticket, address)) ?? {}
  const kind = kinds.find((kind) => kind === target?.kind)
  if (!actor || !target || !kind) throw new AppError('file.not_found')
  try {
    return await downloadsByKind[kind](deps, actor, target.id, { ...readOptions, version: target.version, items: target.items })
  } catch (error) {
    throw error instanceof AppError && !codesShownToTicketHolders.includes(error.code) ? new AppError('file.not_found') : error
  }
}

/** Errors that do not reveal who may see what. */
const codesShownToTicketHolders: ErrorCode[] = [
  'server.busy',
  'download.too_many',
  'storage.full',
  'file.damaged',
  'directory.damaged',
]

/**
 * Opens the bytes of a file. Marks the file as damaged if their size is wrong. If they are missing, only logs it: their disk may
 * not be mounted.
 */
async function openFile(deps: Deps, file: FileRecord) {
  try {
    return await openBlob(deps, file.blob_id, file.size)
  } catch (err) {
    if (!(err instanceof AppError) || err.code !== 'file.damaged') throw err
    const size = await deps.blobs.getSize(file.blob_id)
    deps.log.error(
      { file: file.id, blob: file.blob_id, size, expected: file.size },
      'the bytes of a file are missing or have the wrong size',
    )
    if (size !== undefined) await markDamaged(deps, { kind: 'system' }, file, `it has ${size} bytes instead of ${file.size}`)
    throw err
  }
}

async function openBlob(deps: Deps, id: string, size: number) {
  try {
    return await deps.blobs.open(id, size)
  } catch (error) {
    throw toAppError(error)
  }
}

/** Waits for the stream to drain. Rejects if it closes or is already closed, because it emits no `drain` then. */
async function waitForDrain(to: Writable) {
  const closed = new AbortController()
  const onClose = () => closed.abort()
  if (to.destroyed || to.closed) onClose()
  to.once('close', onClose)
  await once(to, 'drain', { signal: closed.signal }).finally(() => to.off('close', onClose))
}
