import { Readable } from 'node:stream'
import { BlobError } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import { newBlobId } from '../../lib/secrets.ts'
import { drawThumbnail } from '../../pictures/thumbnail.ts'
import { runJob } from '../job/job.service.ts'
import { findToDraw, setThumbnail } from './file.repo.ts'

const every = 1000

/** Draws the small pictures that are wanted, one at a time, for as long as the process lives. */
export function startDrawing(deps: Deps): { stop: () => Promise<void> } {
  const stopped = new AbortController()
  let drawing = Promise.resolve()
  let isDrawing = false
  const timer = setInterval(() => {
    if (isDrawing) return
    isDrawing = true
    drawing = drawForAll(deps, stopped.signal)
      .catch((err) => deps.log.warn({ err }, 'thumbnails cannot be drawn'))
      .finally(() => {
        isDrawing = false
      })
  }, every)
  return {
    async stop() {
      clearInterval(timer)
      stopped.abort()
      await drawing
    },
  }
}

/** One node at a time, so that no picture is drawn twice. */
async function drawForAll(deps: Deps, signal: AbortSignal): Promise<void> {
  const [file] = await findToDraw(deps.db, 1)
  if (file) await runJob(deps, 'pictures', 0, (lost) => drawWanted(deps, AbortSignal.any([signal, lost])))
}

/** All that are wanted now. A picture that cannot be drawn is remembered as such, and never tried again. */
export async function drawWanted(deps: Deps, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const [file] = await findToDraw(deps.db, 1)
    if (!file || signal?.aborted) return
    const picture = await draw(deps, file, signal)
    if (signal?.aborted) return
    if (!picture) {
      await setThumbnail(deps.db, file.id, { thumbnail: 'failed' })
      continue
    }
    const thumbnail_id = newBlobId()
    await deps.blobs.put(thumbnail_id, Readable.from([picture]), { maxSize: picture.length })
    const drawn = { thumbnail: 'made' as const, thumbnail_id, thumbnail_size: picture.length }
    if (!(await setThumbnail(deps.db, file.id, drawn))) await deps.blobs.remove(thumbnail_id) // the file is gone
  }
}

async function draw(deps: Deps, { id, size }: { id: string; size: number }, signal?: AbortSignal) {
  if (size > maxBytes) return undefined
  try {
    await using blob = await deps.blobs.open(id, size)
    return await drawThumbnail(blob.read(), signal)
  } catch (err) {
    if (err instanceof BlobError && err.fault === 'unavailable') throw err // that is no fault of the picture's
    deps.log.warn({ err, file: id }, 'a thumbnail could not be drawn')
    return undefined
  }
}

/** Nobody's photograph is larger. */
const maxBytes = 50 * 2 ** 20
