import type { Deps } from '../../deps.ts'
import { type DrawingKind, drawnTypes, listDrawingKinds } from '../../media/drawing-kind.ts'
import { forgetSearchPosition, readSearchPosition, requestThumbnails, setSearchPosition } from './older-files.repo.ts'

/** The kinds of files that earlier versions of Neptune could not draw. Images have always had thumbnails. */
const laterKinds = ['pdf', 'office', 'video'] as const satisfies DrawingKind[]

/** How many files one transaction checks. */
const sliceSize = 2000

/**
 * Requests thumbnails for a few files that were uploaded before Neptune could draw their type, newest first. Call it only when no thumbnail
 * is waiting, so that it looks for the next files once these are drawn. Returns false if there are none left.
 */
export async function requestOlderThumbnails(deps: Deps, signal?: AbortSignal): Promise<boolean> {
  const kinds = await listDrawingKinds(deps.config.programPath)
  for (const kind of laterKinds.filter((kind) => kinds.includes(kind))) {
    for (;;) {
      if (signal?.aborted) return false
      const before = await readSearchPosition(deps.db, kind)
      if (before === 0) break
      if ((await requestSlice(deps, kind, before)) > 0) return true
    }
  }
  return false
}

const requestSlice = (deps: Deps, kind: DrawingKind, before: number) =>
  deps.db.transaction().execute(async (trx) => {
    const from = Math.max(0, before - sliceSize)
    const requested = await requestThumbnails(trx, drawnTypes[kind], from, before)
    await setSearchPosition(trx, kind, from)
    return requested
  })

/** Deletes the search position of kinds that can't be drawn now, so that the search starts over once the missing program is installed. */
export async function forgetUndrawableKinds(deps: Deps): Promise<void> {
  const kinds = await listDrawingKinds(deps.config.programPath)
  for (const kind of laterKinds) if (!kinds.includes(kind)) await forgetSearchPosition(deps.db, kind)
}
