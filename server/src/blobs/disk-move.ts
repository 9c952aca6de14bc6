import { mkdir, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { statIfThere, syncFolder, unless } from './disk-files.ts'
import type { DiskPlaces } from './disk-folders.ts'

export type DiskMover = ReturnType<typeof diskMover>

/** How an upload becomes a blob: by another name, in a folder that survives a loss of power. */
export function diskMover({ tmpPath, blobPath }: DiskPlaces) {
  /** Folders whose way down from `blobs` is known to survive a loss of power. */
  const safeFolders = new Set<string>()

  /** Says whether there was none. One that is there may still be lost with the power, if it was made by a process that was killed then. */
  async function makeShard(id: string): Promise<boolean> {
    let isNew = false
    for (const folder of [dirname(dirname(blobPath(id))), dirname(blobPath(id))]) {
      isNew = false
      if (safeFolders.has(folder)) continue
      isNew = (await mkdir(folder, { mode: 0o700 }).then(() => true, unless('EEXIST'))) ?? false
      await syncFolder(dirname(folder))
      safeFolders.add(folder)
    }
    return isNew
  }

  return {
    /** False if it was moved before. Its new name is safe only once its folder is flushed. */
    async move(id: string): Promise<boolean> {
      const isEmpty = await makeShard(id)
      // A rename would overwrite. Ids are random and this one is ours alone, so nothing can come in between.
      const isThere = !isEmpty && (await statIfThere(blobPath(id))) !== undefined
      if (isThere && !(await statIfThere(tmpPath(id)))) return false
      if (isThere) throw new Error(`There is a blob ${id} already`)
      await rename(tmpPath(id), blobPath(id))
      return true
    },

    /** Never what was moved before: somebody may have been told that it is safe. */
    async throwAway(id: string, isMoved: boolean) {
      await unlink(tmpPath(id)).catch(unless('ENOENT'))
      if (isMoved) await unlink(blobPath(id)).catch(unless('ENOENT'))
    },
  }
}
