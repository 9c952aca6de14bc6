import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** Small enough that the page goes on answering, large enough that reading is not the most of it. */
const piece = 2 * 1024 * 1024

/**
 * The SHA-256 of a file, piece by piece, the next being read while one is worked on: however large it is, two pieces are held. Fails
 * when it cannot be read, or brings other than the bytes it announced: that is a folder, or a file that changed meanwhile.
 */
export async function hashFile(file: Blob, signal: AbortSignal, onProgress: (bytes: number) => void): Promise<string> {
  const hash = sha256.create()
  let next = read(file, 0)
  let at = 0
  do {
    const bytes = await next
    signal.throwIfAborted()
    if (bytes.byteLength !== Math.min(piece, file.size - at)) throw new Error('The file has another size than it says.')
    next = read(file, at + piece)
    hash.update(new Uint8Array(bytes))
    at += bytes.byteLength
    if (at > 0) onProgress(at)
  } while (at < file.size)
  return bytesToHex(hash.digest())
}

/** Fails when it cannot be read, as a folder cannot. */
export async function tryToRead(file: Blob): Promise<void> {
  await (file.size === 0 ? file : file.slice(0, 1)).arrayBuffer()
}

function read(file: Blob, at: number): Promise<ArrayBuffer> {
  // A slice of nothing is there without any reading, so what says that it is empty is read as a whole.
  const bytes = (file.size === 0 ? file : file.slice(at, at + piece)).arrayBuffer()
  bytes.catch(() => undefined) // nobody may be waiting any more when it fails; who is, hears of it
  return bytes
}
