import { constants } from 'node:fs'
import { access, statfs, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BlobError, type BlobStore, reserveOf } from './blob-store.ts'
import { openIfThere, readWhole, syncFolder, unless } from './disk-files.ts'
import { type DiskPlaces, diskPlaces, placeOf, prepare } from './disk-folders.ts'
import { diskLook } from './disk-look.ts'
import { diskMover } from './disk-move.ts'
import { finishing, inOneGo, resuming } from './disk-uploads.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { heldBlob, openBlob, wholeBytes } from './send.ts'
import { Tallies } from './tallies.ts'

/**
 * Blobs as files. An upload grows in `tmp/<id>`, and the size of that file is the truth about what was received: as it is usually set
 * up, no file system of today (ext4, XFS, btrfs, ZFS) lets a file grow on the disk before its bytes are there. Finishing it is fsync,
 * rename to `blobs/ab/cd/<id>`, fsync of that folder: after a loss of power it is there whole or not at all.
 *
 * Fails, with a sentence for the operator, where that cannot work.
 */
export async function openDiskBlobs(dataDir: string): Promise<BlobStore> {
  const places = diskPlaces(dataDir)
  const { tmpDir, blobDir } = places
  await prepare(places)

  async function space() {
    const { bavail, blocks, bsize } = await statfs(blobDir)
    return { free: bavail * bsize, total: blocks * bsize }
  }
  const { total } = await space()
  const room = {
    every: Math.min(16 * 2 ** 20, reserveOf(total) / 8),
    async check() {
      if ((await space()).free < reserveOf(total)) throw new BlobError('no_space')
    },
  }
  const disk = { places, mover: diskMover(places), room, tallies: new Tallies(), exclusively: oneAtATime() }

  return {
    ...inOneGo(disk),
    ...resuming(disk),
    ...finishing(disk),
    ...finished(places),
    ...diskLook(places),
    space,
    check: () => access(tmpDir, constants.W_OK),
  }
}

/** What is done with a blob once it is one. */
function finished({ blobPath }: DiskPlaces): Pick<BlobStore, 'open' | 'placeOf' | 'remove'> {
  return {
    async open(id, size) {
      if (size <= wholeBytes) {
        const bytes = await readWhole(blobPath(id), size)
        if (bytes) return heldBlob(bytes)
        throw new BlobError('damaged')
      }
      const file = await openIfThere(blobPath(id), constants.O_RDONLY)
      const stats = await file?.stat()
      if (file && stats?.isFile() && stats.size === size) return openBlob(file, size)
      await file?.close()
      throw new BlobError('damaged')
    },

    placeOf,

    async remove(id) {
      const isRemoved = await unlink(blobPath(id)).then(() => true, unless('ENOENT'))
      if (isRemoved) await syncFolder(dirname(blobPath(id)))
    },
  }
}
