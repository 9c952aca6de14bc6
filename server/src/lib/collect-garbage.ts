import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: typeof gc

/** Runs the garbage collector now rather than when V8 decides to. */
export function collectGarbage(options: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' }): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc')
  }
  collect?.(options)
}
