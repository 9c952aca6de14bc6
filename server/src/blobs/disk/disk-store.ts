import { constants } from 'node:fs'
import { access, statfs, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BlobError, type BlobStore, getMinFreeBytes } from '../blob-store.ts'
import { ChecksumCache } from '../streaming/checksum-cache.ts'
import { createFileBlob, createMemoryBlob, smallBlobBytes } from '../streaming/send.ts'
import { createUploadLock } from '../streaming/upload-lock.ts'
import { createDiskListing } from './disk-listing.ts'
import { createDiskMover } from './disk-mover.ts'
import { ignoreErrorCode, openIfExists, readSmallFile, syncFolder } from './files.ts'
import { type DiskPaths, getDiskPaths, getRelativePath, prepareFolders } from './folders.ts'
import { createFinishMethod, createPutMethod, createResumableMethods } from './uploads.ts'

/**
 * Opens a store that keeps blobs as files. An upload grows in `tmp/<id>`, and the size of that file is authoritative for what
 * was received: with their default options, current file systems (ext4, XFS, btrfs, ZFS) never extend a file on disk before
 * its bytes are written. Finishing an upload means fsync, rename to `blobs/ab/cd/<id>`, and fsync of that folder, so after a
 * power loss the blob exists completely or not at all.
 *
 * If the folders can't be used like this, throws an error that tells the operator what to fix.
 */
export async function openDiskBlobs(dataDir: string): Promise<BlobStore> {
  const paths = getDiskPaths(dataDir)
  const { tmpDir, blobDir } = paths
  await prepareFolders(paths)

  async function getSpace() {
    const { bavail, blocks, bsize } = await statfs(blobDir)
    return { free: bavail * bsize, total: blocks * bsize }
  }
  const { total } = await getSpace()
  const spaceCheck = {
    intervalBytes: Math.min(16 * 2 ** 20, getMinFreeBytes(total) / 8),
    async run() {
      if ((await getSpace()).free < getMinFreeBytes(total)) throw new BlobError('no_space')
    },
  }
  const disk = {
    paths,
    mover: createDiskMover(paths),
    spaceCheck,
    checksumCache: new ChecksumCache(),
    withLock: createUploadLock(),
  }

  return {
    ...createPutMethod(disk),
    ...createResumableMethods(disk),
    ...createFinishMethod(disk),
    ...createBlobMethods(paths),
    ...createDiskListing(paths),
    getSpace,
    check: () => access(tmpDir, constants.W_OK),
  }
}

/** Creates the methods for finished blobs. */
function createBlobMethods({ getBlobPath }: DiskPaths): Pick<BlobStore, 'open' | 'getRelativePath' | 'remove'> {
  return {
    async open(id, size) {
      if (size <= smallBlobBytes) {
        const bytes = await readSmallFile(getBlobPath(id), size)
        if (bytes) return createMemoryBlob(bytes)
        throw new BlobError('damaged')
      }
      const file = await openIfExists(getBlobPath(id), constants.O_RDONLY)
      const stats = await file?.stat()
      if (file && stats?.isFile() && stats.size === size) return createFileBlob(file, size)
      await file?.close()
      throw new BlobError('damaged')
    },

    getRelativePath,

    async remove(id) {
      const isRemoved = await unlink(getBlobPath(id)).then(() => true, ignoreErrorCode('ENOENT'))
      if (isRemoved) await syncFolder(dirname(getBlobPath(id)))
    },
  }
}
