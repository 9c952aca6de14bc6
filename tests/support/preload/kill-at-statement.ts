import { DatabaseSync, StatementSync } from 'node:sqlite'

/** Loaded into a server by `--import`: kills the process before its n-th SQL statement, where n is `NEPTUNE_KILL_AT`. */
const killAt = Number(process.env['NEPTUNE_KILL_AT'])
let count = 0

function countStatement() {
  if (++count === killAt) process.kill(process.pid, 'SIGKILL')
}

for (const [type, names] of [
  [StatementSync.prototype, ['run', 'all', 'get']],
  [DatabaseSync.prototype, ['exec']],
] as const) {
  for (const name of names) {
    const methods = type as unknown as Record<string, (...args: unknown[]) => unknown>
    const method = methods[name]
    methods[name] = function (this: unknown, ...args: unknown[]) {
      countStatement()
      return method?.apply(this, args)
    }
  }
}
