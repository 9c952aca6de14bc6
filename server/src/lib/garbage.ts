import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: typeof gc

/** What nobody holds any more is freed now, rather than when V8 finds it worth while. */
export function collectGarbage(how: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' }): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc')
  }
  collect?.(how)
}
