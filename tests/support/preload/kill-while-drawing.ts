import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

/**
 * Loaded into a server by `--import`: adds a line to the file `NEPTUNE_ATTEMPTS` for each thumbnail process that starts, and with
 * `NEPTUNE_KILL_WHILE_DRAWING` kills the server when the first of them gets the first bytes of its image.
 */
const attemptsFile = process.env['NEPTUNE_ATTEMPTS'] ?? ''
const shouldKill = process.env['NEPTUNE_KILL_WHILE_DRAWING'] === 'yes'

subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess }
  child.once('spawn', () => {
    const { stdin, spawnargs } = child
    if (!stdin || !spawnargs.some((arg) => arg.endsWith('draw-image.ts'))) return
    appendFileSync(attemptsFile, 'attempt\n')
    if (shouldKill) stdin.write = () => process.kill(process.pid, 'SIGKILL')
  })
})
