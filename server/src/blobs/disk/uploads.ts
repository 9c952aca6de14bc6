import { constants } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BlobError, type BlobStore, type StoredBlob } from '../blob-store.ts'
import { readBatches, reserveBatches } from '../streaming/batches.ts'
import type { ChecksumCache } from '../streaming/checksum-cache.ts'
import { Checksums, computeFileChecksums, type UploadChecksums } from '../streaming/checksums.ts'
import type { UploadLock } from '../streaming/upload-lock.ts'
import { type WriteOptions, writeBatches } from '../streaming/write-batches.ts'
import type { DiskMover } from './disk-mover.ts'
import { createFile, ignoreErrorCode, openIfExists, statIfExists, syncFolder } from './files.ts'
import type { DiskPaths } from './folders.ts'
import { minThreadBytes, ThreadChecksums } from './thread-checksums.ts'

const { O_WRONLY, O_RDWR } = constants

/** What the methods of the disk store share. */
interface Disk {
  paths: DiskPaths
  mover: DiskMover
  spaceCheck: WriteOptions['spaceCheck']
  checksumCache: ChecksumCache<UploadChecksums>
  withLock: UploadLock
}

/**
 * Creates `put`. It uses one descriptor from the first byte to fsync: most files are small, and reopening one costs more than writing it.
 */
export function createPutMethod({ paths, mover, spaceCheck, withLock }: Disk): Pick<BlobStore, 'put'> {
  const { getTmpPath, getBlobPath } = paths
  return {
    put(id, source, { completed, maxSize, announcedBytes = 0, signal }) {
      const batches = readBatches(source, signal)
      return withLock(id, async () => {
        const file = await createFile(getTmpPath(id))
        const checksums: UploadChecksums = announcedBytes < minThreadBytes ? new Checksums() : new ThreadChecksums(getTmpPath(id))
        let stored: StoredBlob
        let isMoved = false
        try {
          try {
            // The caller has just checked the space for the announced size.
            await writeBatches(batches, { file, offset: 0, maxSize, checksums, spaceCheck, spaceCheckedAt: 0 })
            await completed
            ;[stored] = await Promise.all([checksums.end(), file.sync()])
          } finally {
            await file.close()
          }
          isMoved = await mover.move(id)
          await syncFolder(dirname(getBlobPath(id)))
          return stored
        } catch (error) {
          checksums.drop?.()
          await mover.discard(id, isMoved)
          throw error
        }
      }).finally(batches.stop)
    },
  }
}

type ResumableMethods = Pick<BlobStore, 'create' | 'append' | 'rewind' | 'getReceivedSize' | 'discard'>

/** Creates the methods for resumable uploads. The size of the file is authoritative for what was received. */
export function createResumableMethods({ paths, spaceCheck, checksumCache, withLock }: Disk): ResumableMethods {
  const { getTmpPath, getBlobPath } = paths
  return {
    create: (id) =>
      withLock(id, async () => {
        const file = await createFile(getTmpPath(id))
        await file.close()
      }),

    append(id, source, { offset, maxSize, signal, reserve }) {
      const batches = readBatches(source, signal)
      return withLock(id, async () => {
        await using file = await openIfExists(getTmpPath(id), O_WRONLY)
        if (!file) throw new BlobError('missing')
        const { size } = await file.stat()
        if (size !== offset) throw new BlobError('wrong_offset')
        const checksums = checksumCache.take(id, size) ?? startChecksums(getTmpPath(id), size, maxSize)
        try {
          return await writeBatches(reserveBatches(batches, offset, reserve), { file, offset, maxSize, checksums, spaceCheck })
        } finally {
          if (checksums) checksumCache.keep(id, checksums, checksums.size)
        }
      }).finally(batches.stop)
    },

    rewind: (id, size) =>
      withLock(id, async () => {
        checksumCache.drop(id)
        await using file = await openIfExists(getTmpPath(id), O_WRONLY)
        if (!file) throw new BlobError('missing')
        if ((await file.stat()).size > size) await file.truncate(size)
      }),

    async getReceivedSize(id) {
      const stats = (await statIfExists(getTmpPath(id))) ?? (await statIfExists(getBlobPath(id)))
      if (!stats?.isFile()) throw new BlobError('missing')
      return stats.size
    },

    discard: (id) =>
      withLock(id, async () => {
        checksumCache.drop(id)
        await unlink(getTmpPath(id)).catch(ignoreErrorCode('ENOENT'))
      }),
  }
}

/** Starts the checksums of an upload that has this size already. Only the thread can read what was written before. */
function startChecksums(path: string, size: number, maxSize: number): UploadChecksums | undefined {
  if (maxSize >= minThreadBytes) return new ThreadChecksums(path, size)
  return size === 0 ? new Checksums() : undefined
}

/** Creates `finish`, which turns a resumable upload into a blob. */
export function createFinishMethod({ paths, mover, checksumCache, withLock }: Disk): Pick<BlobStore, 'finish'> {
  const { getTmpPath, getBlobPath } = paths

  /** Hashes and syncs an upload. An earlier process may have moved it already and been killed before it could report that. */
  async function hashAndSync(id: string): Promise<StoredBlob> {
    for (const path of [getTmpPath(id), getBlobPath(id)]) {
      // Opened for writing too, because Windows can sync only writable files.
      await using file = await openIfExists(path, O_RDWR)
      if (!file) continue
      const { size } = await file.stat()
      const checksums =
        checksumCache.take(id, size) ?? startChecksums(path, size, size) ?? (await computeFileChecksums(file, size))
      const [stored] = await Promise.all([checksums.end(), file.sync()])
      return stored
    }
    throw new BlobError('missing')
  }

  return {
    finish: (id) =>
      withLock(id, async () => {
        let isMoved = false
        try {
          const stored = await hashAndSync(id)
          isMoved = await mover.move(id)
          await syncFolder(dirname(getBlobPath(id)))
          return stored
        } catch (error) {
          // The state on disk is unknown, and a second fsync may succeed although the kernel has dropped the bytes.
          if ((error as NodeJS.ErrnoException).syscall === 'fsync') await mover.discard(id, isMoved)
          throw error
        }
      }),
  }
}
