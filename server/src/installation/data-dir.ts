import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from './start-error.ts'

/**
 * Creates the data folder and checks that it is writable. Returns a function that removes the folders it created, for a start that
 * fails later.
 */
export function openDataDir(dataDir: string): () => void {
  let firstCreated: string | undefined
  const undo = () => {
    if (firstCreated) removeEmpty(dataDir, firstCreated)
  }
  try {
    firstCreated = createFolder(dataDir)
    const probe = join(dataDir, `.write-test-${process.pid}`)
    writeFileSync(probe, '')
    // A process with the same pid, in another container, may have removed the file already.
    rmSync(probe, { force: true })
    return undo
  } catch (error) {
    undo()
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `The data folder ${dataDir} is not writable (${code}). Make it writable or set DATA_DIR to another folder.`,
    )
  }
}

/**
 * Creates a folder and its missing parents. Returns the first folder it created. Doesn't use mkdir's `recursive` option, which loops forever
 * where a parent rejects new entries, as /proc does.
 */
function createFolder(folder: string): string | undefined {
  if (existsSync(folder)) return undefined
  const first = createFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
    return first ?? folder
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return first // another process created it first
    throw error
  }
}

/** Removes the folders from the deepest up to `last`. Stops at one that is not empty: another process may have put its database there. */
function removeEmpty(folder: string, last: string) {
  try {
    rmdirSync(folder)
    if (folder !== last) removeEmpty(dirname(folder), last)
  } catch {
    // Not empty, or already gone.
  }
}
