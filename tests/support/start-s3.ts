import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSmallS3 } from './small-s3.ts'

export type S3 = Awaited<ReturnType<typeof startS3>>

export type S3Settings = Record<'S3_ENDPOINT' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY' | 'S3_REGION', string>

/**
 * An object store of its own on this machine, gone when stopped: OpenStack Swift with three copies of everything; where that cannot be
 * installed, a small one of ours. `settings` are a Neptune's, but for the bucket.
 */
export async function startS3() {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-swift-'))
  // It ends with its input, so also with us, however we end.
  const swift = spawn(process.execPath, [join(import.meta.dirname, '../../scripts/swift.mjs'), 'run', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => swift.once('close', resolve))
  const settings = await settingsFrom(swift)
  if (settings)
    return {
      settings,
      /** Where the processes of the store can be killed and revived by scripts/swift.mjs. */
      folder,
      async stop() {
        swift.stdin.end()
        await ended
        rmSync(folder, { recursive: true, force: true })
      },
    }
  rmSync(folder, { recursive: true, force: true })
  if ((await ended) !== 3) throw new Error('Swift did not start')
  process.stdout.write('Swift cannot be installed here: what needs an object store is tested with a small one of our own.\n')
  return { ...(await startSmallS3()), folder: undefined }
}

/** The four it prints; undefined when it ends without them. */
async function settingsFrom({ stdout }: ChildProcess): Promise<S3Settings | undefined> {
  let text = ''
  for await (const chunk of stdout ?? []) {
    text += chunk
    const lines = [...text.matchAll(/^(S3_\w+)=(.*)\n/gm)].map(([, name = '', value = '']) => [name, value])
    if (lines.length === 4) return Object.fromEntries(lines) as S3Settings
  }
  return undefined
}
