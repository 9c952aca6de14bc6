import { setFlagsFromString } from 'node:v8'
import { collectGarbage } from '../../lib/collect-garbage.ts'

/** How many bytes are received between two minor garbage collections. */
const intervalBytes = 16 * 2 ** 20

let bytes = 0
let isFirst = true

/**
 * Runs a minor garbage collection every 16 MiB. Call it for every chunk read from a socket. Chunks are stored outside
 * V8's heap, with only a small object inside it. V8 therefore reaches its external-memory limit, and runs a full collection, long
 * before the young generation is full. That happens forty times per GiB and takes a third of an upload's CPU time. A minor
 * collection takes 0.3 ms.
 */
export function countReceivedChunk({ length }: Uint8Array) {
  bytes += length
  if (bytes < intervalBytes) return
  bytes = 0
  // With many concurrent uploads, some chunks reach the old generation, which minor collections don't free. The flag lets that
  // generation grow to three times its size, so that these few chunks don't cause full collections again.
  if (isFirst) setFlagsFromString('--heap-growing-percent=200')
  isFirst = false
  collectGarbage({ type: 'minor' })
}
