import type { Deps } from '../../deps.ts'
import { findDrawingKind, listDrawingKinds } from '../../media/drawing-kind.ts'
import { findRendition, requestRendition } from '../thumbnail/rendition.repo.ts'

/** After this time, an attempt has certainly ended: LibreOffice is stopped after two minutes. */
const maxAttemptMs = 5 * 60_000

/** Returns whether the thumbnail of a new file or version can be drawn here. */
export async function canHaveThumbnail({ config }: Deps, type: string): Promise<boolean> {
  const kind = findDrawingKind(type)
  return kind !== undefined && (await listDrawingKinds(config.programPath)).includes(kind)
}

/**
 * Returns the state of the PDF that previews an Office document. If there is no PDF yet, requests it; the background task makes it before
 * any thumbnail. Returns undefined for other files, and if the PDF can't be made.
 */
export async function findDocumentPreview(
  deps: Deps,
  file: { blob_id: string; content_type: string },
): Promise<'ready' | 'pending' | undefined> {
  if (findDrawingKind(file.content_type) !== 'office') return undefined
  const known = await findRendition(deps.db, file.blob_id)
  if (known?.state === 'made') return 'ready'
  if (!deps.config.hasThumbnails || !(await canHaveThumbnail(deps, file.content_type))) return undefined
  if (!known) await requestRendition(deps.db, file.blob_id, deps.now().toISOString())
  const isOngoing = known?.state === 'converting' && deps.now().getTime() - Date.parse(known.requested_at) < maxAttemptMs
  return !known || known.state === 'wanted' || isOngoing ? 'pending' : undefined
}
