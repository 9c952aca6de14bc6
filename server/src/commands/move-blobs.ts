import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { BlobError, type BlobStore } from '../blobs/blob-store.ts'
import { inBatches } from '../blobs/sweep.ts'
import { countFiles, findExpectedFile, findLastSeq, type Row, readPages } from '../db/dump.ts'
import type { Deps } from '../deps.ts'
import { findKnownBlobs } from '../features/file/file.repo.ts'
import { type Call, countInWords, progress, sizeInWords } from './terminal.ts'

/** Both a disk and a store far away answer more of them at a time. */
const atOnce = 16
const rowsEach = 500

/** A file whose bytes could not be copied. */
export interface Lost {
  row: Row
  problem: string
}

export interface Copied {
  /** All there are, and of these how many came over this time. */
  files: number
  copied: number
  /** Of small pictures, too. */
  bytes: number
  seconds: number
  lost: Lost[]
  /** Small pictures whose bytes could not be copied: they are drawn again. */
  lostPictures: string[]
}

/**
 * Copies the bytes of every file that are not in the other store yet. Bytes never change and a store has a blob whole or not at all, and
 * what does not fit its SHA-256 never becomes one there: so what is there in its size was compared by an earlier run.
 */
export async function copyBlobs(
  from: Deps,
  to: BlobStore,
  { signal, say }: { signal: AbortSignal; say: Call['say'] },
): Promise<Copied> {
  const begunAt = performance.now()
  const seen: Copied = { files: 0, copied: 0, bytes: 0, seconds: 0, lost: [], lostPictures: [] }
  const all = await countFiles(from.db)
  const bar = progress()
  const seconds = () => (performance.now() - begunAt) / 1000
  const onBytes = (count: number) => {
    seen.bytes += count
    bar.show(
      `${seen.files} of ${countInWords(all, 'file')}, ${sizeInWords(seen.bytes)} copied, ${sizeInWords(Math.round(seen.bytes / seconds()))}/s`,
    )
  }
  const copy = async (row: Row, signal: AbortSignal) => {
    const copyOne = (wanted: Wanted) => copyBlob(from.blobs, to, wanted, { signal, onBytes })
    const [id, picture] = [String(row['id']), row['thumbnail_id']]
    const came = await copyOne({ id, size: Number(row['size']), sha256: String(row['sha256']) })
    if (typeof picture === 'string') {
      const came = await copyOne({ id: picture, size: Number(row['thumbnail_size']) })
      if (typeof came === 'string') seen.lostPictures.push(picture)
    }
    // What was removed while we looked is not missing.
    if (typeof came === 'string' && (await findExpectedFile(from.db, id)).file) {
      seen.lost.push({ row, problem: came })
      bar.clear()
      say(`${row['damaged_at'] === null ? 'damaged      ' : 'known damaged'} ${JSON.stringify(row['name'])} (${id}): ${came}`)
    }
    if (came === true) seen.copied++
    seen.files++
    onBytes(0)
  }
  await inTurns(filesOf(from.db), copy, signal)
  bar.clear()
  return { ...seen, seconds: seconds() }
}

/** Those that are there now; page by page, so that nothing in the database is held while the bytes are copied. */
async function* filesOf(db: Deps['db']): AsyncGenerator<Row> {
  const last = await findLastSeq(db)
  for await (const page of readPages(db, 'file', ['seq'], rowsEach)) {
    for (const row of page) {
      if (Number(row['seq']) > last) return
      yield row
    }
  }
}

/** Some at a time. The first that fails stops the others, and is thrown when all have come to rest. */
async function inTurns<T>(items: AsyncGenerator<T>, work: (item: T, signal: AbortSignal) => Promise<void>, signal: AbortSignal) {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const worker = async () => {
    try {
      for await (const item of items) {
        either.throwIfAborted()
        await work(item, either)
      }
    } catch (error) {
      failed.abort(error)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  either.throwIfAborted()
}

interface Wanted {
  id: string
  size: number
  /** A small picture has none. */
  sha256?: string
}

/** True when it came over, false when it was there; in words what is wrong with it where it comes from. */
async function copyBlob(
  from: BlobStore,
  to: BlobStore,
  { id, size, sha256 }: Wanted,
  { signal, onBytes }: { signal: AbortSignal; onBytes: (count: number) => void },
): Promise<boolean | string> {
  const there = await to.sizeOf(id)
  if (there === size) return false
  if (there !== undefined) await to.remove(id)
  const opened = await from.open(id, size).catch((error) => {
    if (!isDamage(error)) throw error
  })
  if (!opened) return 'its bytes are missing, or not as many as they were'
  await using blob = opened
  const source = Readable.from(asUploaded(blob.read(), sha256, onBytes), { objectMode: false })
  try {
    await to.put(id, source, { maxSize: size, signal })
    return true
  } catch (error) {
    // Cut by us, by whoever stopped us, or where the bytes come from. What is wrong with the other store is thrown as it came.
    const cause = error instanceof BlobError && error.fault === 'cut' ? error.cause : error
    if (cause instanceof WrongSum) return 'its bytes are not those that were uploaded (SHA-256)'
    if (cause !== error && isDamage(cause)) return 'its bytes cannot be read to their end'
    throw cause
  } finally {
    source.destroy()
  }
}

class WrongSum extends Error {}

/** Ends only if the bytes are the right ones. */
async function* asUploaded(bytes: Readable, sha256: string | undefined, onBytes: (count: number) => void) {
  const hash = createHash('sha256')
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    hash.update(chunk)
    onBytes(chunk.length)
    yield chunk
  }
  if (sha256 !== undefined && hash.digest('hex') !== sha256) throw new WrongSum()
}

const isDamage = (error: unknown) =>
  (error instanceof BlobError && error.fault === 'damaged') || (error as NodeJS.ErrnoException).code === 'EIO'

/** What an earlier run copied and nobody refers to any more. */
export async function removeOthers(from: Deps, to: BlobStore): Promise<void> {
  for await (const ids of inBatches(to.blobs(), rowsEach)) {
    const known = await findKnownBlobs(from.db, ids)
    for (const id of ids) if (!known.has(id)) await to.remove(id)
  }
}
