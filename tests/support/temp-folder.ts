import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Calls the function with a new folder, and removes the folder afterwards. */
export async function withTempFolder(callback: (folder: string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-operator-'))
  try {
    await callback(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
