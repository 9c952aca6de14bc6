import { checked } from './blob-id.ts'
import { BlobError } from './blob-store.ts'
import { isNoSpace } from './disk-files.ts'

export type Exclusively = ReturnType<typeof oneAtATime>

/** Lets one at a time work on an upload, of all in this process. Whoever else comes meanwhile is told that it is busy. */
export function oneAtATime() {
  const busy = new Set<string>()
  return async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    checked(id)
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
