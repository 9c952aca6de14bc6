import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { headBytes } from '../lib/content-type.ts'
import { BlobError, type Stored } from './blob-store.ts'

/** What is known of bytes as they pass by. */
export class Tally {
  size = 0
  #sha256 = createHash('sha256')
  #crc32 = 0
  #head: Buffer = Buffer.alloc(0)

  /** One by one: a chunk as it comes from a socket still lies in the processor's cache when the second sum is taken. */
  add(chunks: readonly Buffer[]) {
    for (const chunk of chunks) {
      this.#sha256.update(chunk)
      this.#crc32 = crc32(chunk, this.#crc32)
      // A copy: what is kept must not hold on to the chunk it came in.
      if (this.#head.length < headBytes)
        this.#head = Buffer.concat([this.#head, chunk.subarray(0, headBytes - this.#head.length)])
      this.size += chunk.length
    }
  }

  /** The sums. Nothing can be added afterwards. */
  end(): Stored {
    return { size: this.size, sha256: this.#sha256.digest('hex'), crc32: this.#crc32, head: this.#head }
  }
}

/** Takes the sums of bytes that are on the disk already. */
export async function tallyOf(file: FileHandle, size: number): Promise<Tally> {
  const tally = new Tally()
  const buffer = Buffer.allocUnsafeSlow(Math.min(256 * 1024, Math.max(size, 1)))
  while (tally.size < size) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, tally.size)
    if (bytesRead === 0) throw new BlobError('damaged')
    tally.add([buffer.subarray(0, bytesRead)])
  }
  return tally
}
