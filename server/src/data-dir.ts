import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from './start-error.ts'

/** Makes sure the data folder can be written. Returns what takes back the folders this made, for a start that fails later on. */
export function openDataDir(dataDir: string): () => void {
  let made: string | undefined
  const undo = () => {
    if (made) removeEmpty(dataDir, made)
  }
  try {
    made = makeFolder(dataDir)
    const probe = join(dataDir, `.write-test-${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe, { force: true }) // in two containers a process may have the same number
    return undo
  } catch (error) {
    undo()
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `The data folder ${dataDir} cannot be written (${code}). Make it writable or set DATA_DIR to another folder.`,
    )
  }
}

/** Like mkdir's own `recursive`, which never ends where a parent refuses children, as /proc does. Returns the first folder it made. */
function makeFolder(folder: string): string | undefined {
  if (existsSync(folder)) return undefined
  const first = makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
    return first ?? folder
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return first // another start was faster
    throw error
  }
}

/** From the deepest up to the first that was made, and only while they are empty: another start may have put its database there. */
function removeEmpty(folder: string, last: string) {
  try {
    rmdirSync(folder)
    if (folder !== last) removeEmpty(dirname(folder), last)
  } catch {
    // Not empty, or gone: not ours to remove.
  }
}
