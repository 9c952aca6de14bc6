import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** `neptune …` as an operator types it: what it said, and how it ended. */
export async function runCommand(words: string[], settings: Record<string, string>, input = '') {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../server/bin/neptune.mjs'), ...words], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    cwd: settings['DATA_DIR'] ? join(settings['DATA_DIR'], '..') : import.meta.dirname,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    err += chunk
  })
  child.stdin.on('error', () => undefined).end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out, err }
}
