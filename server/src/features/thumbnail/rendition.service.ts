import { BlobError } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import { newBlobId } from '../../lib/secrets.ts'
import { isUsable, officeExtensions } from '../../media/drawing-kind.ts'
import { findPrograms } from '../../media/isolation/programs.ts'
import { convertToPdf } from '../../media/office-pdf.ts'
import { deleteRendition, findRendition, listRenditions, requestRendition, setRendition } from './rendition.repo.ts'

/** The largest PDF that is kept. The limits of the isolation keep LibreOffice from writing a larger one. */
const maxPdfBytes = 64 * 2 ** 20
/** Larger documents, which are rare, get no PDF. */
const maxDocumentBytes = 50 * 2 ** 20
const batchSize = 500

interface Document {
  blob_id: string
  size: number
  content_type: string
}

/**
 * Returns the PDF of an Office document, and makes it if there is none yet. Attempts this only once, even if LibreOffice or the server
 * crashes. Returns undefined if it can't be made. Throws the same errors as `convertToPdf`.
 */
export async function ensureRendition(deps: Deps, document: Document, signal?: AbortSignal) {
  const { blob_id } = document
  const now = deps.now().toISOString()
  await requestRendition(deps.db, blob_id, now)
  const known = await findRendition(deps.db, blob_id)
  if (known?.state === 'made') return toPdf(known)
  // Commits this before LibreOffice gets the first byte, as `tryToDraw` does, so that a crash doesn't cause another attempt.
  if (!(await setRendition(deps.db, blob_id, 'wanted', { state: 'converting', requested_at: now }))) return undefined
  let next: 'failed' | 'wanted' = 'failed'
  try {
    if (await makeRendition(deps, document, signal)) return toPdf(await findRendition(deps.db, blob_id))
  } catch (error) {
    if (isTemporary(error)) next = 'wanted'
    throw error
  } finally {
    // Does nothing if the PDF was made.
    await setRendition(deps.db, blob_id, 'converting', { state: signal?.aborted ? 'wanted' : next })
  }
  return undefined
}

async function makeRendition(deps: Deps, { blob_id, size, content_type }: Document, signal?: AbortSignal): Promise<boolean> {
  const program = (await findPrograms(deps.config.programPath)).office
  const extension = officeExtensions[content_type]
  if (!isUsable(program) || extension === undefined || size > maxDocumentBytes) return false
  await using blob = await deps.blobs.open(blob_id, size)
  await using pdf = await convertToPdf(blob.read(), { program, extension, signal })
  if (!pdf || pdf.size > maxPdfBytes) return false
  const pdf_id = newBlobId()
  await deps.blobs.put(pdf_id, pdf.read(), { maxSize: pdf.size })
  const isSaved = await setRendition(deps.db, blob_id, 'converting', { state: 'made', pdf_id, pdf_size: pdf.size })
  if (!isSaved) await deps.blobs.remove(pdf_id) // the document is gone
  return isSaved
}

const toPdf = (rendition: Awaited<ReturnType<typeof findRendition>>) =>
  rendition?.state === 'made' && rendition.pdf_id !== null && rendition.pdf_size !== null
    ? { id: rendition.pdf_id, size: Number(rendition.pdf_size) }
    : undefined

/** Returns whether an error wasn't caused by the file: the blob store is unavailable or full, or no process can be started. */
export const isTemporary = (error: unknown) =>
  (error instanceof BlobError && (error.fault === 'unavailable' || error.fault === 'no_space')) ||
  (error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('spawn'))

/**
 * Removes the PDFs of documents that were removed for good. Deletes the row first, because bytes that a crash leaves behind are removed as
 * orphans.
 */
export async function removeUnusedRenditions(deps: Deps): Promise<void> {
  for (let after = ''; ; ) {
    const page = await listRenditions(deps.db, after, batchSize)
    for (const { blob_id, pdf_id, is_used } of page) {
      if (is_used) continue
      await deleteRendition(deps.db, blob_id)
      if (pdf_id !== null) await deps.blobs.remove(pdf_id)
    }
    const last = page.at(-1)
    if (!last || page.length < batchSize) return
    after = last.blob_id
  }
}
