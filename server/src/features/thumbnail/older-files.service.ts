import type { Deps } from '../../deps.ts'
import { type DrawingKind, drawnTypes, listDrawingKinds } from '../../media/drawing-kind.ts'
import { forgetPosition, readPosition, requestThumbnails, setPosition } from './older-files.repo.ts'

/** Images have always had thumbnails. */
const laterKinds = ['pdf', 'office', 'video'] as const satisfies DrawingKind[]

/** How many files are looked at in one transaction. */
const sliceSize = 2000

/**
 * Requests thumbnails for a few files that were uploaded before Neptune could draw their type, the newest first. Call it when no thumbnail
 * is waiting: the next files are then looked for only when these are drawn. Returns false if there are none left.
 */
export async function requestOlderThumbnails(deps: Deps, signal?: AbortSignal): Promise<boolean> {
  const kinds = await listDrawingKinds(deps.config.programPath)
  for (const kind of laterKinds.filter((kind) => kinds.includes(kind))) {
    for (;;) {
      if (signal?.aborted) return false
      const before = await readPosition(deps.db, kind)
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
    await setPosition(trx, kind, from)
    return requested
  })

/** Forgets how far the search has come for what can't be drawn now. So it starts again once the missing program is installed. */
export async function forgetUndrawable(deps: Deps): Promise<void> {
  const kinds = await listDrawingKinds(deps.config.programPath)
  for (const kind of laterKinds) if (!kinds.includes(kind)) await forgetPosition(deps.db, kind)
}
