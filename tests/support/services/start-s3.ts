import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSmallS3 } from './small-s3.ts'

export type S3Server = Awaited<ReturnType<typeof startS3>>

export type S3Environment = Record<'S3_ENDPOINT' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY' | 'S3_REGION', string>

/**
 * Starts an object store on this machine, until it is stopped: OpenStack Swift with three replicas or, where Swift cannot be installed,
 * our own small store. `settings` are those for Neptune, without the bucket.
 */
export async function startS3() {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-swift-'))
  // The script exits when its stdin ends, so it never outlives this process.
  const swift = spawn(process.execPath, [join(import.meta.dirname, '../../../scripts/object-store.mjs'), 'run', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => swift.once('close', resolve))
  const settings = await readSettings(swift)
  if (settings)
    return {
      settings,
      /** The folder in which scripts/object-store.mjs can kill and restart the store's processes. */
      folder,
      async stop() {
        swift.stdin.end()
        await ended
        rmSync(folder, { recursive: true, force: true })
      },
    }
  rmSync(folder, { recursive: true, force: true })
  if ((await ended) !== 3) throw new Error('Swift did not start')
  process.stdout.write('Swift cannot be installed here. Tests that need an object store use our own small one.\n')
  return { ...(await startSmallS3()), folder: undefined }
}

/** Reads the four settings that the script prints. Returns undefined if the script exits without printing them. */
async function readSettings({ stdout }: ChildProcess): Promise<S3Environment | undefined> {
  let text = ''
  for await (const chunk of stdout ?? []) {
    text += chunk
    const lines = [...text.matchAll(/^(S3_\w+)=(.*)\n/gm)].map(([, name = '', value = '']) => [name, value])
    if (lines.length === 4) return Object.fromEntries(lines) as S3Environment
  }
  return undefined
}
