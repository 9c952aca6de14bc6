import { constants } from 'node:fs'
import { access, mkdir, rename, statfs, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { batchesOf } from './batches.ts'
import { BlobError, type BlobStore, reserveOf, type Stored } from './blob-store.ts'
import { createFile, isNoSpace, openIfThere, readWhole, statIfThere, syncFolder, unless } from './disk-files.ts'
import { checked, filesIn, idPattern, idsIn, isJustProbed, prepare, shardOf, shardsIn } from './disk-folders.ts'
import { receive } from './receive.ts'
import { heldBlob, openBlob, wholeBytes } from './send.ts'
import { Tally, tallyOf } from './tally.ts'

const { O_RDONLY, O_WRONLY, O_RDWR } = constants

/** Sums of uploads that are not finished. One that is forgotten costs a second reading of the file, and no more. */
const talliesKept = 1000

/**
 * Blobs as files. An upload grows in `tmp/<id>`, and the size of that file is the truth about what was received: as it is usually set
 * up, no file system of today (ext4, XFS, btrfs, ZFS) lets a file grow on the disk before its bytes are there. Finishing it is fsync,
 * rename to `blobs/ab/cd/<id>`, fsync of that folder: after a loss of power it is there whole or not at all.
 *
 * Fails, with a sentence for the operator, where that cannot work.
 */
export async function openDiskBlobs(dataDir: string): Promise<BlobStore> {
  const tmpDir = join(dataDir, 'tmp')
  const blobDir = join(dataDir, 'blobs')
  await prepare(dataDir, tmpDir, blobDir)

  const busy = new Set<string>()
  const tallies = new Map<string, Tally>()
  /** Folders whose way down from `blobs` is known to survive a loss of power. */
  const safeFolders = new Set<string>()

  const tmpPath = (id: string) => join(tmpDir, checked(id))
  const blobPath = (id: string) => join(blobDir, ...shardOf(checked(id)), id)

  async function exclusively<T>(id: string, work: () => Promise<T>): Promise<T> {
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

  /** The sums so far, if they are those of what is on the disk. */
  function takeTally(id: string, size: number): Tally | undefined {
    const tally = tallies.get(id)
    tallies.delete(id)
    return tally?.size === size ? tally : size === 0 ? new Tally() : undefined
  }

  function keepTally(id: string, tally: Tally) {
    tallies.set(id, tally)
    const [oldest = id] = tallies.keys()
    if (tallies.size > talliesKept) tallies.delete(oldest)
  }

  /** Hashed and flushed. It may have been moved already by a process that was killed then. */
  async function settle(id: string): Promise<Stored> {
    // To be read, and to be written because Windows flushes only that.
    await using file = (await openIfThere(tmpPath(id), O_RDWR)) ?? (await openIfThere(blobPath(id), O_RDWR))
    if (!file) throw new BlobError('missing')
    const { size } = await file.stat()
    const tally = takeTally(id, size) ?? (await tallyOf(file, size))
    await file.sync()
    return tally.end()
  }

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

  /** False if it was moved before. */
  async function move(id: string): Promise<boolean> {
    const isEmpty = await makeShard(id)
    // A rename would overwrite. Ids are random and this one is ours alone, so nothing can come in between.
    const isThere = !isEmpty && (await statIfThere(blobPath(id))) !== undefined
    if (isThere && !(await statIfThere(tmpPath(id)))) return false
    if (isThere) throw new Error(`There is a blob ${id} already`)
    await rename(tmpPath(id), blobPath(id))
    return true
  }

  /** Never what was moved before: somebody may have been told that it is safe. */
  async function throwAway(id: string, isMoved: boolean) {
    await unlink(tmpPath(id)).catch(unless('ENOENT'))
    if (isMoved) await unlink(blobPath(id)).catch(unless('ENOENT'))
  }

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

  const store: BlobStore = {
    /** By one descriptor from the first byte to fsync: most files are small, and opening one again costs more than writing it. */
    put(id, source, { whole, maxSize, signal }) {
      const batches = batchesOf(source, signal)
      return exclusively(id, async () => {
        const file = await createFile(tmpPath(id))
        const tally = new Tally()
        let isMoved = false
        try {
          try {
            // Whether there is room for what was announced was asked a moment ago.
            await receive(batches, { file, offset: 0, maxSize, tally, room, checkedAt: 0 })
            await whole
            await file.sync()
          } finally {
            await file.close()
          }
          isMoved = await move(id)
          await syncFolder(dirname(blobPath(id)))
          return tally.end()
        } catch (error) {
          await throwAway(id, isMoved)
          throw error
        }
      }).finally(batches.stop)
    },

    create: (id) =>
      exclusively(id, async () => {
        const file = await createFile(tmpPath(id))
        await file.close()
      }),

    async append(id, source, { offset, maxSize, signal }) {
      const batches = batchesOf(source, signal)
      try {
        return await exclusively(id, async () => {
          await using file = await openIfThere(tmpPath(id), O_WRONLY)
          if (!file) throw new BlobError('missing')
          const { size } = await file.stat()
          if (size !== offset) throw new BlobError('wrong_offset')
          const tally = takeTally(id, size)
          try {
            return await receive(batches, { file, offset, maxSize, tally, room })
          } finally {
            if (tally) keepTally(id, tally)
          }
        })
      } finally {
        batches.stop()
      }
    },

    rewind: (id, size) =>
      exclusively(id, async () => {
        tallies.delete(id)
        await using file = await openIfThere(tmpPath(id), O_WRONLY)
        if (!file) throw new BlobError('missing')
        if ((await file.stat()).size > size) await file.truncate(size)
      }),

    async received(id) {
      const stats = (await statIfThere(tmpPath(id))) ?? (await statIfThere(blobPath(id)))
      if (!stats?.isFile()) throw new BlobError('missing')
      return stats.size
    },

    finish: (id) =>
      exclusively(id, async () => {
        let isMoved = false
        try {
          const stored = await settle(id)
          isMoved = await move(id)
          await syncFolder(dirname(blobPath(id)))
          return stored
        } catch (error) {
          // Nobody knows what the disk holds now, and a second fsync may say yes to bytes that the kernel has dropped.
          if ((error as NodeJS.ErrnoException).syscall === 'fsync') await throwAway(id, isMoved)
          throw error
        }
      }),

    discard: (id) =>
      exclusively(id, async () => {
        tallies.delete(id)
        await unlink(tmpPath(id)).catch(unless('ENOENT'))
      }),

    async open(id, size) {
      if (size <= wholeBytes) {
        const bytes = await readWhole(blobPath(id), size)
        if (bytes) return heldBlob(bytes)
        throw new BlobError('damaged')
      }
      const file = await openIfThere(blobPath(id), O_RDONLY)
      const stats = await file?.stat()
      if (file && stats?.isFile() && stats.size === size) return openBlob(file, size)
      await file?.close()
      throw new BlobError('damaged')
    },

    placeOf: (id) => [...shardOf(checked(id)), id].join('/'),

    async remove(id) {
      const isRemoved = await unlink(blobPath(id)).then(() => true, unless('ENOENT'))
      if (isRemoved) await syncFolder(dirname(blobPath(id)))
    },

    space,
    check: () => access(tmpDir, constants.W_OK),

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
  return store
}
