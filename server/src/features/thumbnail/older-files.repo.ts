import type { Db } from '../../db/database.ts'
import { findLastSeq } from '../../db/dump.ts'
import { readInstallationValue, removeInstallationValue, setInstallationValue } from '../../db/installation.ts'
import type { DrawingKind } from '../../media/drawing-kind.ts'

/** Returns the `seq` below which files have not been checked yet. At first, that is all files. */
export async function readSearchPosition(db: Db, kind: DrawingKind): Promise<number> {
  const position = await readInstallationValue(db, `thumbnails_${kind}`)
  return position === undefined ? (await findLastSeq(db)) + 1 : Number(position)
}

export const setSearchPosition = (db: Db, kind: DrawingKind, seq: number) =>
  setInstallationValue(db, `thumbnails_${kind}`, String(seq))

export const forgetSearchPosition = (db: Db, kind: DrawingKind) => removeInstallationValue(db, `thumbnails_${kind}`)

/**
 * Requests thumbnails for files of these types that have none, with a `seq` from `from` up to but not including `to`. Returns how many it
 * requested.
 */
export async function requestThumbnails(db: Db, types: string[], from: number, to: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('file')
    .set({ thumbnail: 'wanted' })
    .where('seq', '>=', from)
    .where('seq', '<', to)
    .where('thumbnail', '=', 'none')
    .where('content_type', 'in', types)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
