import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { BlobError, type BlobStore } from '../../blobs/blob-store.ts'
import { splitIntoBatches } from '../../blobs/sweep.ts'
import { findExpectedBytes, readStoredBytes, type StoredBytes } from '../../db/dump.ts'
import type { Deps } from '../../deps.ts'
import { findKnownBlobs } from '../../features/file/file.repo.ts'
import { countAllFiles, countAllVersions } from '../../features/integrity/integrity.repo.ts'
import { type Call, createProgressLine, formatCount, formatSize } from '../terminal.ts'

/** Copies in parallel, which is faster both on a disk and with a remote store. */
const concurrency = 16
const pageSize = 500

/** A file or an earlier version whose bytes could not be copied. */
export interface LostFile {
  row: StoredBytes
  problem: string
}

export interface CopyResult {
  /** The number of all files and earlier versions. */
  files: number
  /** How many of them have bytes that this run copied. */
  copied: number
  /** Includes thumbnails. */
  bytes: number
  seconds: number
  lost: LostFile[]
  /** Thumbnails that could not be copied. They are created again. */
  lostThumbnails: string[]
}

/**
 * Copies all blobs that are not in the target store yet. A blob never changes, is stored completely or not at all, and is stored only if
 * its SHA-256 matches. So a blob of the right size in the target was already verified by an earlier run.
 */
export async function copyBlobs(
  from: Deps,
  to: BlobStore,
  { signal, print }: { signal: AbortSignal; print: Call['print'] },
): Promise<CopyResult> {
  const startedAt = performance.now()
  const result: CopyResult = { files: 0, copied: 0, bytes: 0, seconds: 0, lost: [], lostThumbnails: [] }
  const total = (await countAllFiles(from.db)) + (await countAllVersions(from.db))
  const copies = createCopies()
  const progress = createProgressLine()
  const getElapsedSeconds = () => (performance.now() - startedAt) / 1000
  const onBytes = (count: number) => {
    result.bytes += count
    progress.show(
      `${result.files} of ${formatCount(total, 'file')}, ${formatSize(result.bytes)} copied, ${formatSize(Math.round(result.bytes / getElapsedSeconds()))}/s`,
    )
  }
  const copyFile = async (row: StoredBytes, signal: AbortSignal) => {
    const { blob_id: id, thumbnail_id: thumbnail } = row
    const copyOne = (blob: ExpectedBlob) => copies.once(blob.id, () => copyBlob(from.blobs, to, blob, { signal, onBytes }))
    const outcome = await copyOne({ id, size: Number(row.size), sha256: row.sha256 })
    if (thumbnail !== null) {
      const thumbnailOutcome = await copyOne({ id: thumbnail, size: Number(row.thumbnail_size) })
      if (typeof thumbnailOutcome === 'string') result.lostThumbnails.push(thumbnail)
    }
    // A file that was deleted meanwhile is not lost.
    if (typeof outcome === 'string' && (await findExpectedBytes(from.db, id, true)).length > 0) {
      result.lost.push({ row, problem: outcome })
      progress.clear()
      print(`${row.damaged_at === null ? 'damaged      ' : 'known damaged'} ${JSON.stringify(row.name)} (${id}): ${outcome}`)
    }
    if (outcome === true) result.copied++
    result.files++
    onBytes(0)
  }
  await runConcurrently(readStoredBytes(from.db, pageSize), copyFile, signal)
  progress.clear()
  return { ...result, seconds: getElapsedSeconds() }
}

/** Copies a blob once if two rows that share it are processed at the same time. Later rows find the blob in the target. */
function createCopies() {
  const running = new Map<string, Promise<boolean | string>>()
  return {
    once(id: string, copy: () => Promise<boolean | string>): Promise<boolean | string> {
      const copying = running.get(id)
      if (copying !== undefined) return copying.then((outcome) => (outcome === true ? false : outcome))
      const started = copy().finally(() => running.delete(id))
      running.set(id, started)
      return started
    },
  }
}

/** Works on several items at a time. The first failure aborts the others, and is thrown when all have stopped. */
async function runConcurrently<T>(
  items: AsyncGenerator<T>,
  work: (item: T, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
) {
  const failed = new AbortController()
  const combinedSignal = AbortSignal.any([signal, failed.signal])
  const worker = async () => {
    try {
      for await (const item of items) {
        combinedSignal.throwIfAborted()
        await work(item, combinedSignal)
      }
    } catch (error) {
      failed.abort(error)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  combinedSignal.throwIfAborted()
}

interface ExpectedBlob {
  id: string
  size: number
  /** Undefined for thumbnails. */
  sha256?: string
}

/** Returns true if the blob was copied, false if it was already there, and a text if it is damaged in the source. */
async function copyBlob(
  from: BlobStore,
  to: BlobStore,
  { id, size, sha256 }: ExpectedBlob,
  { signal, onBytes }: { signal: AbortSignal; onBytes: (count: number) => void },
): Promise<boolean | string> {
  const existingSize = await to.getSize(id)
  if (existingSize === size) return false
  if (existingSize !== undefined) await to.remove(id)
  const opened = await from.open(id, size).catch((error) => {
    if (!isDamage(error)) throw error
  })
  if (!opened) return 'its bytes are missing or have the wrong size'
  await using blob = opened
  const source = Readable.from(verifyBytes(blob.read(), sha256, onBytes), { objectMode: false })
  try {
    await to.put(id, source, { maxSize: size, signal })
    return true
  } catch (error) {
    // The source ended early: damage, an abort or a read error. Errors of the target store are thrown unchanged.
    const cause = error instanceof BlobError && error.fault === 'cut' ? error.cause : error
    if (cause instanceof ChecksumError) return 'its bytes are not those that were uploaded (SHA-256)'
    if (cause !== error && isDamage(cause)) return 'its bytes cannot be read completely'
    throw cause
  } finally {
    source.destroy()
  }
}

class ChecksumError extends Error {}

/** Passes the bytes on. Throws at the end if their SHA-256 is wrong. */
async function* verifyBytes(bytes: Readable, sha256: string | undefined, onBytes: (count: number) => void) {
  const hash = createHash('sha256')
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    hash.update(chunk)
    onBytes(chunk.length)
    yield chunk
  }
  if (sha256 !== undefined && hash.digest('hex') !== sha256) throw new ChecksumError()
}

const isDamage = (error: unknown) =>
  (error instanceof BlobError && error.fault === 'damaged') || (error as NodeJS.ErrnoException).code === 'EIO'

/** Removes blobs from the target that an earlier run copied and that have been deleted in the source since. */
export async function removeObsoleteBlobs(from: Deps, to: BlobStore): Promise<void> {
  for await (const ids of splitIntoBatches(to.listBlobs(), pageSize)) {
    const known = await findKnownBlobs(from.db, ids)
    for (const id of ids) if (!known.has(id)) await to.remove(id)
  }
}
