import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { headBytes } from '../../lib/net/content-type.ts'
import { BlobError, type StoredBlob } from '../blob-store.ts'

/** Computes the checksums of an upload while `writeBatches` writes it. */
export interface UploadChecksums {
  /** How many bytes were added. */
  readonly size: number
  add(chunks: readonly Buffer[]): void
  /** Called when the file has reached this size. The next batch is written only after it. */
  follow?(size: number): Promise<void>
  /** Returns the result. Nothing can be added afterwards. */
  end(): StoredBlob | Promise<StoredBlob>
  /** Frees what the checksums hold. Call it if `end` won't be called. */
  drop?(): void
}

/** Computes the size, the checksums and the first bytes of data as it streams past. */
export class Checksums implements UploadChecksums {
  size = 0
  #sha256 = createHash('sha256')
  #crc32 = 0
  #head: Buffer = Buffer.alloc(0)

  /** Runs both checksums over one chunk at a time, because the chunk is then still in the CPU cache for the second one. */
  add(chunks: readonly Buffer[]) {
    for (const chunk of chunks) {
      this.#sha256.update(chunk)
      this.#crc32 = crc32(chunk, this.#crc32)
      // A copy, so that the head doesn't keep the whole chunk in memory.
      if (this.#head.length < headBytes)
        this.#head = Buffer.concat([this.#head, chunk.subarray(0, headBytes - this.#head.length)])
      this.size += chunk.length
    }
  }

  end(): StoredBlob {
    return { size: this.size, sha256: this.#sha256.digest('hex'), crc32: this.#crc32, head: this.#head }
  }
}

/** Computes the checksums of a file that is already on disk. */
export async function computeFileChecksums(file: FileHandle, size: number): Promise<Checksums> {
  const checksums = new Checksums()
  const buffer = Buffer.allocUnsafeSlow(Math.min(256 * 1024, Math.max(size, 1)))
  while (checksums.size < size) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, checksums.size)
    if (bytesRead === 0) throw new BlobError('damaged')
    checksums.add([buffer.subarray(0, bytesRead)])
  }
  return checksums
}
