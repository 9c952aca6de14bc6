import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'neptune-drawing-'
/** Longer than any program that uses one may run. */
const maxAgeMs = 60 * 60_000

/** Creates a folder for the files of one run of a program. Disposing of it removes it with all files. */
export async function createScratchFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), prefix))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Removes the folders that a killed server left behind. */
export async function removeOldScratchFolders(now: Date): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const path = join(tmpdir(), name)
    const changedAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now.getTime(),
    )
    if (now.getTime() - changedAt > maxAgeMs) await rm(path, { recursive: true, force: true })
  }
}
