import { DatabaseSync, StatementSync } from 'node:sqlite'

/** Loaded into a Neptune by `--import`: it is killed in front of the statement with the number `NEPTUNE_KILL_AT`, counted from its start. */
const at = Number(process.env['NEPTUNE_KILL_AT'])
let count = 0

function step() {
  if (++count === at) process.kill(process.pid, 'SIGKILL')
}

for (const [type, names] of [
  [StatementSync.prototype, ['run', 'all', 'get']],
  [DatabaseSync.prototype, ['exec']],
] as const) {
  for (const name of names) {
    const methods = type as unknown as Record<string, (...given: unknown[]) => unknown>
    const method = methods[name]
    methods[name] = function (this: unknown, ...given: unknown[]) {
      step()
      return method?.apply(this, given)
    }
  }
}
