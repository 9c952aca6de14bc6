import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { newId } from '../../lib/secrets.ts'
import { BlobError } from '../blob-store.ts'
import { noFollow } from '../disk/files.ts'
import { sumLengths, writeAll } from '../streaming/write-batches.ts'
import type { Body } from './client/transport.ts'

const { O_RDWR, O_CREAT, O_EXCL } = constants
const chunkBytes = 128 * 1024

export type Spool = Awaited<ReturnType<typeof openSpool>>

/**
 * Opens a temporary file for bytes that are to be sent to the store, possibly more than once. The file is unlinked immediately,
 * so a killed process leaves nothing behind. Thousands of slow clients then use disk space rather than memory.
 */
export async function openSpool(folder: string) {
  const path = join(folder, `spool-${newId()}`)
  const file = await open(path, O_RDWR | O_CREAT | O_EXCL | noFollow, 0o600)
  await unlink(path)
  const hash = createHash('sha256')
  let size = 0
  let writing = Promise.resolve()

  async function sendTo(to: Writable) {
    const buffer = Buffer.allocUnsafeSlow(Math.min(chunkBytes, size))
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - at), at)
      if (bytesRead === 0) throw new BlobError('damaged')
      await writeChunk(to, buffer.subarray(0, bytesRead))
      at += bytesRead
    }
  }

  return {
    get size() {
      return size
    },
    /** Returns everything that was added, as a request body. */
    async body(): Promise<Body> {
      await writing
      return { size, sha256: hash.copy().digest('hex'), sendTo }
    },

    /** Hashes these bytes while the previous ones are written. */
    async add(chunks: Buffer[]) {
      for (const chunk of chunks) hash.update(chunk)
      const at = size
      size += sumLengths(chunks)
      await writing
      writing = writeAll(file, chunks, at)
      writing.catch(() => {}) // handled where it is awaited, which may be later
    },

    async close() {
      await writing.catch(() => {})
      await file.close()
    },
  }
}

/** Resolves when the bytes are written. Also fails when the other side disconnects before that. */
export function writeChunk(to: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new BlobError('cut', { cause: to.errored }))
    if (to.destroyed) return fail()
    to.once('close', fail)
    to.write(bytes, (error) => {
      to.off('close', fail)
      if (error) reject(new BlobError('cut', { cause: error }))
      else resolve()
    })
  })
}
