import { checkBlobId } from '../blob-id.ts'
import { BlobError } from '../blob-store.ts'
import { isNoSpace } from '../disk/files.ts'

export type UploadLock = ReturnType<typeof createUploadLock>

/** Creates a lock per upload within this process. A second caller gets a `busy` error. */
export function createUploadLock() {
  const busy = new Set<string>()
  return async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    checkBlobId(id)
    if (busy.has(id)) throw new BlobError('busy')
    busy.add(id)
    try {
      return await work()
    } catch (error) {
      throw isNoSpace(error) ? new BlobError('no_space', { cause: error }) : error
    } finally {
      busy.delete(id)
    }
  }
}
