import { setFlagsFromString } from 'node:v8'
import { collectGarbage } from '../lib/garbage.ts'

const enough = 16 * 2 ** 20

let bytes = 0
let isFirst = true

/**
 * To be told of every chunk a socket gives. Each lies outside V8's heap, and a few bytes inside stand for it: the space for young objects
 * is far from full when V8 finds too much outside, and looks through the whole heap, forty times a GiB, a third of what an upload costs.
 * Looking through the young ones in time takes 0.3 ms. What a crowd sends at once may grow old; for that the heap may grow a little more.
 */
export function chunkPassed({ length }: Uint8Array) {
  bytes += length
  if (bytes < enough) return
  bytes = 0
  if (isFirst) setFlagsFromString('--heap-growing-percent=200')
  isFirst = false
  collectGarbage({ type: 'minor' })
}
