import { unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { idPattern } from '../blob-id.ts'
import type { BlobStore } from '../blob-store.ts'
import { ignoreErrorCode, statIfExists } from './files.ts'
import { type DiskPaths, isRecentProbe, listFolder, listIds, listShards } from './folders.ts'

type Listing = Pick<BlobStore, 'listUploads' | 'listBlobs' | 'getSize' | 'listStrays' | 'removeStray' | 'getChangeTime'>

/** Creates the methods that list what is in the folders, for the sweep and `neptune fsck`. */
export function createDiskListing({ dataDir, tmpDir, blobDir, getTmpPath, getBlobPath }: DiskPaths): Listing {
  return {
    async *listUploads() {
      yield* await listIds(tmpDir)
    },

    async *listBlobs() {
      for (const first of await listShards(blobDir)) {
        for (const second of await listShards(join(blobDir, first))) {
          const folder = join(blobDir, first, second)
          yield* (await listIds(folder)).filter((id) => getBlobPath(id) === join(folder, id))
        }
      }
    },

    async getSize(id) {
      const stats = await statIfExists(getBlobPath(id))
      return stats?.isFile() ? stats.size : undefined
    },

    async *listStrays() {
      for (const folder of [tmpDir, blobDir]) {
        for (const { name, isLink } of await listFolder(folder)) {
          const isOurs = (folder === tmpDir && idPattern.test(name)) || (await isRecentProbe(join(folder, name)))
          if (isLink || !isOurs) yield { path: join(basename(folder), name), isLink }
        }
      }
      for (const first of await listShards(blobDir)) {
        for (const { name, isLink } of await listFolder(join(blobDir, first))) yield { path: join('blobs', first, name), isLink }
        for (const second of await listShards(join(blobDir, first))) {
          const folder = join(blobDir, first, second)
          const isInPlace = (name: string) => idPattern.test(name) && getBlobPath(name) === join(folder, name)
          for (const { name, isLink } of await listFolder(folder))
            if (isLink || !isInPlace(name)) yield { path: join('blobs', first, second, name), isLink }
        }
      }
    },

    async removeStray(path) {
      await unlink(join(dataDir, path)).catch(ignoreErrorCode('ENOENT'))
    },

    async getChangeTime(id) {
      return ((await statIfExists(getTmpPath(id))) ?? (await statIfExists(getBlobPath(id))))?.ctime
    },
  }
}
