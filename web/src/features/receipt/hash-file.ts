import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** Small enough that the page goes on answering, large enough that reading is not the most of it. */
const piece = 2 * 1024 * 1024

/** The SHA-256 of a file, piece by piece, the next being read while one is worked on: however large it is, two pieces are held. */
export async function hashFile(file: Blob, signal: AbortSignal, onProgress: (bytes: number) => void): Promise<string> {
  const hash = sha256.create()
  let next = read(file, 0)
  for (let at = 0; at < file.size; at += piece) {
    const bytes = await next
    signal.throwIfAborted()
    next = read(file, at + piece)
    hash.update(new Uint8Array(bytes))
    onProgress(at + bytes.byteLength)
  }
  return bytesToHex(hash.digest())
}

function read(file: Blob, at: number): Promise<ArrayBuffer> {
  const bytes = file.slice(at, at + piece).arrayBuffer()
  bytes.catch(() => undefined) // nobody may be waiting any more when it fails; who is, hears of it
  return bytes
}
