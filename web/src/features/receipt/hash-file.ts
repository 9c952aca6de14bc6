import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** Small enough to keep the page responsive, large enough to keep the cost of reading low. */
const chunkSize = 2 * 1024 * 1024

/**
 * Computes the SHA-256 of a file. Reads the next chunk while hashing the current one, so at most two chunks are in memory. Rejects if
 * the file can’t be read or its length differs from its size: it is a folder, or has changed since it was chosen.
 */
export async function hashFile(file: Blob, signal: AbortSignal, onProgress: (bytes: number) => void): Promise<string> {
  const hash = sha256.create()
  let next = readChunk(file, 0)
  let offset = 0
  do {
    const bytes = await next
    signal.throwIfAborted()
    if (bytes.byteLength !== Math.min(chunkSize, file.size - offset))
      throw new Error('The file has a different size than it reports.')
    next = readChunk(file, offset + chunkSize)
    hash.update(new Uint8Array(bytes))
    offset += bytes.byteLength
    if (offset > 0) onProgress(offset)
  } while (offset < file.size)
  return bytesToHex(hash.digest())
}

/** Rejects if the file can’t be read, for example because it is a folder. */
export async function assertReadable(file: Blob): Promise<void> {
  await (file.size === 0 ? file : file.slice(0, 1)).arrayBuffer()
}

function readChunk(file: Blob, offset: number): Promise<ArrayBuffer> {
  // Reading an empty slice never fails, so a file that reports size 0 is read as a whole.
  const bytes = (file.size === 0 ? file : file.slice(offset, offset + chunkSize)).arrayBuffer()
  bytes.catch(() => undefined) // prevents an unhandled rejection if hashing was aborted; `await next` still rejects
  return bytes
}
