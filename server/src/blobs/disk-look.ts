import { unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { idPattern } from './blob-id.ts'
import type { BlobStore } from './blob-store.ts'
import { statIfThere, unless } from './disk-files.ts'
import { type DiskPlaces, filesIn, idsIn, isJustProbed, shardsIn } from './disk-folders.ts'

type Look = Pick<BlobStore, 'uploads' | 'blobs' | 'sizeOf' | 'strays' | 'removeStray' | 'changedAt'>

/** What lies in the folders: for the sweep and the check. */
export function diskLook({ dataDir, tmpDir, blobDir, tmpPath, blobPath }: DiskPlaces): Look {
  return {
    async *uploads() {
      yield* await idsIn(tmpDir)
    },

    async *blobs() {
      for (const first of await shardsIn(blobDir)) {
        for (const second of await shardsIn(join(blobDir, first))) {
          const folder = join(blobDir, first, second)
          yield* (await idsIn(folder)).filter((id) => blobPath(id) === join(folder, id))
        }
      }
    },

    async sizeOf(id) {
      const stats = await statIfThere(blobPath(id))
      return stats?.isFile() ? stats.size : undefined
    },

    async *strays() {
      for (const folder of [tmpDir, blobDir]) {
        for (const { name, isLink } of await filesIn(folder)) {
          const isOurs = (folder === tmpDir && idPattern.test(name)) || (await isJustProbed(join(folder, name)))
          if (isLink || !isOurs) yield { place: join(basename(folder), name), isLink }
        }
      }
      for (const first of await shardsIn(blobDir)) {
        for (const { name, isLink } of await filesIn(join(blobDir, first))) yield { place: join('blobs', first, name), isLink }
        for (const second of await shardsIn(join(blobDir, first))) {
          const folder = join(blobDir, first, second)
          const isInPlace = (name: string) => idPattern.test(name) && blobPath(name) === join(folder, name)
          for (const { name, isLink } of await filesIn(folder))
            if (isLink || !isInPlace(name)) yield { place: join('blobs', first, second, name), isLink }
        }
      }
    },

    async removeStray(place) {
      await unlink(join(dataDir, place)).catch(unless('ENOENT'))
    },

    async changedAt(id) {
      return ((await statIfThere(tmpPath(id))) ?? (await statIfThere(blobPath(id))))?.ctime
    },
  }
}
