import { constants } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { batchesOf, reservedBatches } from './batches.ts'
import { BlobError, type BlobStore, type Stored } from './blob-store.ts'
import { createFile, openIfThere, statIfThere, syncFolder, unless } from './disk-files.ts'
import type { DiskPlaces } from './disk-folders.ts'
import type { DiskMover } from './disk-move.ts'
import type { Exclusively } from './one-at-a-time.ts'
import { type Receiving, receive } from './receive.ts'
import type { Tallies } from './tallies.ts'
import { Tally, tallyOf } from './tally.ts'

const { O_WRONLY, O_RDWR } = constants

/** What both ways of uploading share. */
interface Disk {
  places: DiskPlaces
  mover: DiskMover
  room: Receiving['room']
  tallies: Tallies
  exclusively: Exclusively
}

/** By one descriptor from the first byte to fsync: most files are small, and opening one again costs more than writing it. */
export function inOneGo({ places, mover, room, exclusively }: Disk): Pick<BlobStore, 'put'> {
  const { tmpPath, blobPath } = places
  return {
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
          isMoved = await mover.move(id)
          await syncFolder(dirname(blobPath(id)))
          return tally.end()
        } catch (error) {
          await mover.throwAway(id, isMoved)
          throw error
        }
      }).finally(batches.stop)
    },
  }
}

type Resuming = Pick<BlobStore, 'create' | 'append' | 'rewind' | 'received' | 'discard'>

/** The size of the file is the truth about what was received. */
export function resuming({ places, room, tallies, exclusively }: Disk): Resuming {
  const { tmpPath, blobPath } = places
  return {
    create: (id) =>
      exclusively(id, async () => {
        const file = await createFile(tmpPath(id))
        await file.close()
      }),

    append(id, source, { offset, maxSize, signal, reserve }) {
      const batches = batchesOf(source, signal)
      return exclusively(id, async () => {
        await using file = await openIfThere(tmpPath(id), O_WRONLY)
        if (!file) throw new BlobError('missing')
        const { size } = await file.stat()
        if (size !== offset) throw new BlobError('wrong_offset')
        const tally = tallies.take(id, size)
        try {
          return await receive(reservedBatches(batches, offset, reserve), { file, offset, maxSize, tally, room })
        } finally {
          if (tally) tallies.keep(id, tally)
        }
      }).finally(batches.stop)
    },

    rewind: (id, size) =>
      exclusively(id, async () => {
        tallies.drop(id)
        await using file = await openIfThere(tmpPath(id), O_WRONLY)
        if (!file) throw new BlobError('missing')
        if ((await file.stat()).size > size) await file.truncate(size)
      }),

    async received(id) {
      const stats = (await statIfThere(tmpPath(id))) ?? (await statIfThere(blobPath(id)))
      if (!stats?.isFile()) throw new BlobError('missing')
      return stats.size
    },

    discard: (id) =>
      exclusively(id, async () => {
        tallies.drop(id)
        await unlink(tmpPath(id)).catch(unless('ENOENT'))
      }),
  }
}

/** Makes a blob of an upload that resumed. */
export function finishing({ places, mover, tallies, exclusively }: Disk): Pick<BlobStore, 'finish'> {
  const { tmpPath, blobPath } = places

  /** Hashed and flushed. It may have been moved already by a process that was killed then. */
  async function settle(id: string): Promise<Stored> {
    // To be read, and to be written because Windows flushes only that.
    await using file = (await openIfThere(tmpPath(id), O_RDWR)) ?? (await openIfThere(blobPath(id), O_RDWR))
    if (!file) throw new BlobError('missing')
    const { size } = await file.stat()
    const tally = tallies.take(id, size) ?? (await tallyOf(file, size))
    await file.sync()
    return tally.end()
  }

  return {
    finish: (id) =>
      exclusively(id, async () => {
        let isMoved = false
        try {
          const stored = await settle(id)
          isMoved = await mover.move(id)
          await syncFolder(dirname(blobPath(id)))
          return stored
        } catch (error) {
          // Nobody knows what the disk holds now, and a second fsync may say yes to bytes that the kernel has dropped.
          if ((error as NodeJS.ErrnoException).syscall === 'fsync') await mover.throwAway(id, isMoved)
          throw error
        }
      }),
  }
}
