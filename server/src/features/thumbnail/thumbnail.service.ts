import { Readable } from 'node:stream'
import { BlobError } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import { newBlobId, newId } from '../../lib/secrets.ts'
import { drawThumbnail } from '../../media/thumbnail.ts'
import { findFileToDraw, setThumbnail } from '../file/file.repo.ts'
import { runJob } from '../job/job.service.ts'

const intervalMs = 1000

/** Draws missing thumbnails, one at a time, until it is stopped. */
export function startDrawingThumbnails(deps: Deps): { stop: () => Promise<void> } {
  const stopped = new AbortController()
  let drawing = Promise.resolve()
  let isDrawing = false
  const timer = setInterval(() => {
    if (isDrawing) return
    isDrawing = true
    drawing = drawAsJob(deps, stopped.signal)
      .catch((err) => deps.log.warn({ err }, 'could not draw thumbnails'))
      .finally(() => {
        isDrawing = false
      })
  }, intervalMs)
  return {
    async stop() {
      clearInterval(timer)
      stopped.abort()
      await drawing
    },
  }
}

/** Draws missing thumbnails as a job, which runs on one node at a time, so that no thumbnail is drawn twice. */
async function drawAsJob(deps: Deps, signal: AbortSignal): Promise<void> {
  if (await findFileToDraw(deps.db))
    await runJob(deps, 'pictures', 0, (lockLost) => drawWantedThumbnails(deps, AbortSignal.any([signal, lockLost])))
}

/**
 * Draws all thumbnails that are wanted now, one of each company in turn, so that a company with very many images doesn't make
 * the others wait. Attempts each image once, whatever happens to the drawing process or the server.
 */
export async function drawWantedThumbnails(deps: Deps, signal?: AbortSignal): Promise<void> {
  let company = newId() // a random start, so that an unreadable image doesn't delay the same companies every time
  for (;;) {
    const file = (await findFileToDraw(deps.db, company)) ?? (await findFileToDraw(deps.db))
    if (!file || signal?.aborted) return
    company = file.company_id
    await tryToDraw(deps, file, signal)
  }
}

interface Image {
  id: string
  blob_id: string
  size: number
}

async function tryToDraw(deps: Deps, file: Image, signal?: AbortSignal): Promise<void> {
  // Committed before the drawing process gets a byte: an image that crashes the server is not attempted again after the
  // restart.
  if (!(await setThumbnail(deps.db, file, 'wanted', { thumbnail: 'failed' }))) return
  try {
    const thumbnail = await draw(deps, file, signal)
    if (signal?.aborted) await setThumbnail(deps.db, file, 'failed', { thumbnail: 'wanted' })
    else if (thumbnail) await storeThumbnail(deps, file, thumbnail)
  } catch (err) {
    if (!signal?.aborted && !isTemporary(err)) return deps.log.warn({ err, file: file.id }, 'could not draw a thumbnail')
    await setThumbnail(deps.db, file, 'failed', { thumbnail: 'wanted' })
    if (!signal?.aborted) throw err
  }
}

async function draw(deps: Deps, { blob_id, size }: Image, signal?: AbortSignal) {
  if (size > maxImageBytes) return undefined
  await using blob = await deps.blobs.open(blob_id, size)
  return await drawThumbnail(blob.read(), signal)
}

async function storeThumbnail(deps: Deps, file: Image, thumbnail: Buffer): Promise<void> {
  const thumbnail_id = newBlobId()
  await deps.blobs.put(thumbnail_id, Readable.from([thumbnail]), { maxSize: thumbnail.length })
  const drawn = { thumbnail: 'made' as const, thumbnail_id, thumbnail_size: thumbnail.length }
  if (!(await setThumbnail(deps.db, file, 'failed', drawn))) await deps.blobs.remove(thumbnail_id) // the file is gone
}

/** Errors that are not the image's fault: the blob store cannot be reached or is full, or no process can be started. */
const isTemporary = (err: unknown) =>
  (err instanceof BlobError && (err.fault === 'unavailable' || err.fault === 'no_space')) ||
  (err instanceof Error && 'syscall' in err && String(err.syscall).startsWith('spawn'))

/** Larger than any photograph. */
const maxImageBytes = 50 * 2 ** 20
