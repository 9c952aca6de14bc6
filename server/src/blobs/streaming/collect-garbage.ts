import { setFlagsFromString } from 'node:v8'
import { collectGarbage } from '../../lib/collect-garbage.ts'

/** How many bytes are received between two minor garbage collections. */
const intervalBytes = 16 * 2 ** 20

let bytes = 0
let isFirst = true

/**
 * Runs a minor garbage collection every few megabytes. Call it for every chunk read from a socket. Chunks are stored outside
 * V8's heap, with only a small object inside it. The young generation is therefore far from full when V8 sees too much external
 * memory and runs a full collection: forty times per GiB, a third of the cost of an upload. A minor collection takes 0.3 ms.
 * With many concurrent uploads some chunks reach the old generation, so the heap may grow a little more before a full collection.
 */
export function countReceivedChunk({ length }: Uint8Array) {
  bytes += length
  if (bytes < intervalBytes) return
  bytes = 0
  if (isFirst) setFlagsFromString('--heap-growing-percent=200')
  isFirst = false
  collectGarbage({ type: 'minor' })
}
