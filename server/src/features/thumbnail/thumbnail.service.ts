import { Readable } from 'node:stream'
import type { Deps } from '../../deps.ts'
import { newBlobId, newId } from '../../lib/secrets.ts'
import { findDrawingKind, isUsable, videoDemuxers } from '../../media/drawing-kind.ts'
import { findPrograms } from '../../media/isolation/programs.ts'
import { removeOldScratchFolders } from '../../media/isolation/scratch-folder.ts'
import { drawPdfThumbnail, drawThumbnail } from '../../media/thumbnail.ts'
import { readVideoFrame } from '../../media/video-frame.ts'
import { findFileToDraw, setThumbnail } from '../file/file.repo.ts'
import { runJob } from '../job/job.service.ts'
import { forgetUndrawableKinds, requestOlderThumbnails } from './older-files.service.ts'
import { findDocumentToConvert } from './rendition.repo.ts'
import { ensureRendition, isTemporary } from './rendition.service.ts'

const intervalMs = 1000

/** Draws missing thumbnails and makes requested PDFs, one at a time, until it is stopped. */
export function startDrawingThumbnails(deps: Deps): { stop: () => Promise<void> } {
  const stopped = new AbortController()
  let drawing = prepare(deps)
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

const prepare = (deps: Deps) =>
  Promise.all([forgetUndrawableKinds(deps), removeOldScratchFolders(deps.now())]).then(
    () => undefined,
    (err: unknown) => deps.log.warn({ err }, 'could not start drawing thumbnails'),
  )

/** Draws missing thumbnails as a job, which runs on one node at a time, so that no thumbnail is drawn twice. */
async function drawAsJob(deps: Deps, signal: AbortSignal): Promise<void> {
  const findWork = async () => (await findDocumentToConvert(deps.db)) ?? (await findFileToDraw(deps.db))
  if ((await findWork()) || (await requestOlderThumbnails(deps, signal)))
    await runJob(deps, 'pictures', 0, (lockLost) => drawWantedThumbnails(deps, AbortSignal.any([signal, lockLost])))
}

/**
 * Draws all thumbnails that are wanted now, one of each company in turn, so that a company with very many images doesn't make
 * the others wait. Attempts each file once, even if the drawing process or the server crashes. Attempts it again after the signal aborts,
 * or after an error that the file didn't cause.
 */
export async function drawWantedThumbnails(deps: Deps, signal?: AbortSignal): Promise<void> {
  let company = newId() // a random start, so that an unreadable image doesn't delay the same companies every time
  for (;;) {
    await convertRequested(deps, signal)
    const file = (await findFileToDraw(deps.db, company)) ?? (await findFileToDraw(deps.db))
    if (!file || signal?.aborted) return
    company = file.company_id
    await tryToDraw(deps, file, signal)
  }
}

/** Makes the PDFs that someone is waiting for, before any thumbnail. */
async function convertRequested(deps: Deps, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const document = await findDocumentToConvert(deps.db)
    if (!document || signal?.aborted) return
    try {
      await ensureRendition(deps, document, signal)
    } catch (err) {
      if (signal?.aborted || isTemporary(err)) throw err
      deps.log.warn({ err, blob: document.blob_id }, 'could not convert a document')
    }
  }
}

type DrawnFile = NonNullable<Awaited<ReturnType<typeof findFileToDraw>>>

async function tryToDraw(deps: Deps, file: DrawnFile, signal?: AbortSignal): Promise<void> {
  // Commits this before the drawing process gets a byte, so that an image that crashes the server is not attempted again after the restart.
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

async function draw(deps: Deps, file: DrawnFile, signal?: AbortSignal): Promise<Buffer | undefined> {
  const { blob_id: id, size, content_type } = file
  const kind = findDrawingKind(content_type)
  if (kind === 'video') return drawVideo(deps, file, signal)
  if (size > maxFileBytes) return undefined
  if (kind === 'office') {
    const pdf = await ensureRendition(deps, file, signal)
    return pdf && drawBlob(deps, pdf, drawPdfThumbnail, signal)
  }
  return drawBlob(deps, { id, size }, kind === 'pdf' ? drawPdfThumbnail : drawThumbnail, signal)
}

async function drawBlob(
  deps: Deps,
  { id, size }: { id: string; size: number },
  program: typeof drawThumbnail,
  signal?: AbortSignal,
) {
  await using blob = await deps.blobs.open(id, size)
  return await program(blob.read(), signal)
}

async function drawVideo(deps: Deps, { blob_id, size, content_type }: DrawnFile, signal?: AbortSignal) {
  const program = (await findPrograms(deps.config.programPath)).video
  const demuxer = videoDemuxers[content_type]
  if (!isUsable(program) || demuxer === undefined) return undefined
  async function* read(range: { start: number; end: number }) {
    await using blob = await deps.blobs.open(blob_id, size)
    yield* blob.read(range)
  }
  const frame = await readVideoFrame({ size, read }, { program, demuxer, signal })
  return frame && drawThumbnail(Readable.from([frame]), signal)
}

async function storeThumbnail(deps: Deps, file: DrawnFile, thumbnail: Buffer): Promise<void> {
  const thumbnail_id = newBlobId()
  await deps.blobs.put(thumbnail_id, Readable.from([thumbnail]), { maxSize: thumbnail.length })
  const drawn = { thumbnail: 'made' as const, thumbnail_id, thumbnail_size: thumbnail.length }
  if (!(await setThumbnail(deps.db, file, 'failed', drawn))) await deps.blobs.remove(thumbnail_id) // the file is gone
}

/** Larger than almost all photos and documents. Doesn't apply to videos, of which only parts are read. */
const maxFileBytes = 50 * 2 ** 20
