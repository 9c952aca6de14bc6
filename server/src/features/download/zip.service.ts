import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import type { Reader } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { createTaskQueue } from '../../lib/concurrency/task-queue.ts'
import type { ByteRange } from '../../lib/net/byte-range.ts'
import { createPageSpill, type PageSpill } from '../../lib/zip/page-spill.ts'
import { generateZipParts, measureZip, type ZipEntry } from '../../lib/zip/zip.ts'
import { createZipNames } from '../../lib/zip/zip-names.ts'
import { takeZipSlot } from '../throttle/zip-limit.service.ts'
import type { ZipSource } from './zip-source.service.ts'
import { readTree, type ZipFile } from './zip-tree.service.ts'

/** How the client reads a download. */
export interface ReadOptions {
  /** Whether only the headers are sent. */
  isHead: boolean
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

interface Entry extends ZipEntry {
  /** The id of the bytes that were current when the list was read. For a folder, the id of the folder. */
  blob: string
}

/**
 * Opens a ZIP. Lists its files once, because the list determines every byte. Keeps the list on disk (lib/zip/page-spill.ts), because a
 * slow client can take hours.
 */
export async function openZip(deps: Deps, actor: Reader, source: ZipSource, { isHead, signal }: ReadOptions) {
  using stack = new DisposableStack()
  stack.use(takeZipSlot(actor))
  const entries = isHead ? undefined : createPageSpill<Entry>(join(deps.config.dataDir, 'tmp'))
  try {
    const { etag, layout } = await readEntries(deps, actor, source, entries, signal)
    const slot = stack.move()
    return {
      size: layout.length,
      etag,
      parts: (range: ByteRange) => generateZipParts(layout, () => entries?.read() ?? noEntries(), range),
      async close() {
        slot.dispose()
        await entries?.close()
      },
    }
  } catch (error) {
    await entries?.close()
    throw isDiskFull(error) ? new AppError('storage.full', { cause: error }) : error
  }
}

/** A read of this many rows takes a few milliseconds. */
const pageSize = 500

/**
 * Creates a queue in which ZIPs take turns to read one page. A process reads one page at a time, so a directory of a million files blocks
 * neither other requests nor smaller ZIPs. Staff and recipients have separate queues. `takeZipSlot` limits how many ZIPs wait.
 */
const createPageQueue = () =>
  createTaskQueue(
    { slots: 1, maxWaiting: Number.POSITIVE_INFINITY, maxWaitingPerClient: Number.POSITIVE_INFINITY },
    () => new AppError('server.busy'),
  )
const pageQueues = { staff: createPageQueue(), recipient: createPageQueue() }

async function readEntries(
  deps: Deps,
  actor: Reader,
  source: ZipSource,
  spill: PageSpill<Entry> | undefined,
  signal: AbortSignal,
) {
  const toZipName = createZipNames()
  const measure = measureZip()
  const fingerprint = createHash('sha256')
  const inTurn = <T>(query: () => Promise<T>): Promise<T> => {
    if (signal.aborted) throw new AppError('server.busy') // the client is gone
    return pageQueues[actor.kind]('', query)
  }
  const tmp = join(deps.config.dataDir, 'tmp')
  for await (const rows of readTree(deps, source, { inTurn, toZipName, pageSize, tmp })) {
    if (rows.some(({ file }) => file && file.damaged_at !== null)) throw new AppError('directory.damaged')
    const page = rows.map(({ folder, file }) => {
      const entry = file ? toFileEntry(folder.path, file) : toFolderEntry(folder)
      measure.add(entry)
      fingerprint.update(`${entry.blob} ${entry.name} ${entry.modifiedAtMs}\n`)
      return entry
    })
    await spill?.append(page)
    await setImmediate()
  }
  return { etag: `"${fingerprint.digest('hex')}"`, layout: measure.finish() }

  function toFileEntry(folder: string, { id, blob_id, name, size, crc32, created_at }: ZipFile): Entry {
    return { blob: blob_id, name: folder + toZipName({ id, name, folder }), size, crc32, modifiedAtMs: Date.parse(created_at) }
  }
}

const toFolderEntry = ({ id, path, created_at }: { id: string; path: string; created_at: string }): Entry => ({
  blob: id,
  name: path,
  size: 0,
  crc32: 0,
  modifiedAtMs: Date.parse(created_at),
})

/** Yields no entries, for a request that only needs headers. */
async function* noEntries(): AsyncGenerator<Entry[]> {}

const isDiskFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException)?.code ?? '')
