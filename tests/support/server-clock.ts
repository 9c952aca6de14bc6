import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const preload = join(import.meta.dirname, 'preload/shift-clock.ts')

/**
 * Makes a clock for a server process: start the process with `settings`, then set its time. Dispose of it after the process
 * has ended. A test that needs time to pass sets the clock instead of waiting. A test in which nothing may expire sets
 * lifetimes of hours instead of seconds.
 */
export function makeServerClock() {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-clock-'))
  const file = join(folder, 'clock')
  /**
   * Sets how many milliseconds the clock is ahead of the real one. Replaces the file atomically, so that no reader gets half a
   * number.
   */
  const setAhead = (milliseconds: number) => {
    writeFileSync(`${file}.new`, String(milliseconds))
    renameSync(`${file}.new`, file)
  }
  setAhead(0)
  return {
    settings: { NODE_OPTIONS: `--import=${preload}`, NEPTUNE_CLOCK: file },
    setAhead,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
