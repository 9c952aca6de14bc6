import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/** Makes sure the data folder can be written. Returns what takes back whatever this made, for a start that fails later on. */
export function openDataDir(dataDir: string): () => void {
  let made: string | undefined
  const undo = () => {
    if (made) rmSync(made, { recursive: true, force: true })
  }
  try {
    made = mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const probe = join(dataDir, `.write-test-${process.pid}`)
    writeFileSync(probe, '', { flag: 'wx' })
    rmSync(probe)
    return undo
  } catch (error) {
    undo()
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `The data folder ${dataDir} cannot be written (${code}). Make it writable or set DATA_DIR to another folder.`,
    )
  }
}
