import { mkdir, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ignoreErrorCode, statIfExists, syncFolder } from './files.ts'
import type { DiskPaths } from './folders.ts'

export type DiskMover = ReturnType<typeof createDiskMover>

/** Moves finished uploads to their blob path, in a folder that survives a power loss. */
export function createDiskMover({ tmpPath, blobPath }: DiskPaths) {
  /** Folders that are known to survive a power loss, together with their parents up to `blobs`. */
  const durableFolders = new Set<string>()

  /**
   * Creates the folder of a blob and returns whether it is new. Also syncs one that exists: the process that created it may have
   * been killed before it could.
   */
  async function createShard(id: string): Promise<boolean> {
    let isNew = false
    for (const folder of [dirname(dirname(blobPath(id))), dirname(blobPath(id))]) {
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
      const exists = !isEmpty && (await statIfExists(blobPath(id))) !== undefined
      if (exists && !(await statIfExists(tmpPath(id)))) return false
      if (exists) throw new Error(`Blob ${id} already exists`)
      await rename(tmpPath(id), blobPath(id))
      return true
    },

    /** Removes an upload. Pass `isMoved: true` only if this call moved it: an older blob may have been acknowledged as safe. */
    async discard(id: string, isMoved: boolean) {
      await unlink(tmpPath(id)).catch(ignoreErrorCode('ENOENT'))
      if (isMoved) await unlink(blobPath(id)).catch(ignoreErrorCode('ENOENT'))
    },
  }
}
