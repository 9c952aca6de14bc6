import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

/**
 * Loaded into a Neptune by `--import`: adds a line to the file `NEPTUNE_ATTEMPTS` for each drawing process that starts, and kills Neptune
 * when the first one gets the first bytes of its picture.
 */
const attempts = process.env['NEPTUNE_ATTEMPTS'] ?? ''
const isKilled = process.env['NEPTUNE_KILL_WHILE_DRAWING'] === 'yes'

subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess }
  child.once('spawn', () => {
    const { stdin, spawnargs } = child
    if (!stdin || !spawnargs.some((word) => word.endsWith('draw.ts'))) return
    appendFileSync(attempts, 'attempt\n')
    if (isKilled) stdin.write = () => process.kill(process.pid, 'SIGKILL')
  })
})
