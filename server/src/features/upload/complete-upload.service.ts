import type { Deps } from '../../deps.ts'
import type { Reader } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { lockDirectory } from '../directory/tree.repo.ts'
import { addFile } from '../file/add-file.service.ts'
import { isBlobInUse } from '../file/file.repo.ts'
import { throwAppError } from '../file/file.service.ts'
import { lockLink } from '../link/link.repo.ts'
import { requireRoomForUpload } from '../quota/quota.service.ts'
import { deleteUpload, findFinishedUpload, markFinished, setUploadFile, type UploadRecord } from './upload.repo.ts'
import { getUploadDirectory, requireAccess } from './upload-access.service.ts'

/** How long the row of an upload is kept after the upload became a file. */
const finishedRetentionMs = 24 * 60 * 60_000

/** Turns an upload into a file. Marks the row as finished in the same transaction, so that it never becomes a second file. */
export async function completeUpload(deps: Deps, actor: Reader, upload: UploadRecord): Promise<UploadRecord> {
  const { id, name, conflict } = upload
  const uploader = await requireAccess(deps, actor, upload.directory_id)
  const directory = await getUploadDirectory(deps, uploader, { directory: upload.directory_id, conflict })
  // Checks this before it finalizes the bytes. Without enough space, the upload waits, and nothing is lost.
  await requireRoomForUpload(deps, uploader, directory, upload)
  const stored = await deps.blobs.finish(id).catch(throwAppError)
  const now = deps.now()
  const finished = { finished_at: now.toISOString(), ends_at: new Date(now.getTime() + finishedRetentionMs).toISOString() }
  try {
    const file_id = await commitFile(deps, id, () =>
      deps.db.transaction().execute(async (trx) => {
        await lockDirectory(trx, directory.id)
        const isOpen = uploader.kind === 'staff' || (await lockLink(trx, uploader.link.key)) !== undefined
        if (!(await markFinished(trx, id, finished.finished_at, finished.ends_at))) {
          // Another node may have completed it while this process was suspended. Then the file stays, even if the link is closed now.
          if (await isBlobInUse(trx, id)) return (await findFinishedUpload(trx, id))?.file_id ?? null
          throw new AppError('upload.not_found')
        }
        if (!isOpen) throw new AppError('link.closed')
        const file = await addFile(deps, trx, { id, directory, name, conflict, uploader, stored })
        if (file.id === id) return null
        await setUploadFile(trx, id, file.id)
        return file.id
      }),
    )
    return { ...upload, ...finished, file_id }
  } catch (error) {
    if (error instanceof AppError) await deleteUpload(deps.db, id)
    throw error
  }
}

/** Writes the row of a file. If the file is rejected, removes its bytes. After any other failure, the row may exist, so the bytes stay. */
export async function commitFile<T>(deps: Deps, id: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof AppError) await deps.blobs.remove(id)
    throw error
  }
}
