import { mkdir, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ignoreErrorCode, statIfExists, syncFolder } from './files.ts'
import type { DiskPaths } from './folders.ts'

export type DiskMover = ReturnType<typeof createDiskMover>

/** Moves finished uploads to their blob path, in a folder that survives a power loss. */
export function createDiskMover({ getTmpPath, getBlobPath }: DiskPaths) {
  /** Folders that are known to survive a power loss, together with their parents up to `blobs`. */
  const durableFolders = new Set<string>()

  /**
   * Creates the folder of a blob and returns whether it is new. Also syncs a folder that exists already: the process that created it may
   * have been killed before syncing it.
   */
  async function createShard(id: string): Promise<boolean> {
    let isNew = false
    for (const folder of [dirname(dirname(getBlobPath(id))), dirname(getBlobPath(id))]) {
      isNew = false
      if (durableFolders.has(folder)) continue
      isNew = (await mkdir(folder, { mode: 0o700 }).then(() => true, ignoreErrorCode('EEXIST'))) ?? false
      await syncFolder(dirname(folder))
      durableFolders.add(folder)
    }
    return isNew
  }

  return {
    /** Returns false if the upload was moved before. The caller must sync the folder to make the new name durable. */
    async move(id: string): Promise<boolean> {
      const isEmpty = await createShard(id)
      // Checked first, because a rename would overwrite an existing blob. There is no race: ids are random, and the lock excludes
      // other calls with this id.
      const exists = !isEmpty && (await statIfExists(getBlobPath(id))) !== undefined
      if (exists && !(await statIfExists(getTmpPath(id)))) return false
      if (exists) throw new Error(`Blob ${id} already exists`)
      await rename(getTmpPath(id), getBlobPath(id))
      return true
    },

    /**
     * Removes an upload and, with `isMoved`, the blob that it became. Pass true only if the current call moved it: an earlier call may have
     * acknowledged the blob as safe.
     */
    async discard(id: string, isMoved: boolean) {
      await unlink(getTmpPath(id)).catch(ignoreErrorCode('ENOENT'))
      if (isMoved) await unlink(getBlobPath(id)).catch(ignoreErrorCode('ENOENT'))
    },
  }
}
