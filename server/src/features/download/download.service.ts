import { hash } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { ErrorCode } from '@neptune/contract'
import { BlobError } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import type { Reader } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { ByteRange } from '../../lib/net/byte-range.ts'
import { findPreviewFormat } from '../../lib/net/content-type.ts'
import type { FileRecord } from '../file/file.repo.ts'
import { getVisibleFile, toAppError } from '../file/file.service.ts'
import { readTicket } from '../identity/ticket.service.ts'
import { markDamaged } from '../integrity/integrity.service.ts'
import { deleteRendition, findRendition } from '../thumbnail/rendition.repo.ts'
import { type TrackedDownload, trackDownload } from './track-download.service.ts'
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
      if (!deps.config.directEndpoint) return undefined
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
