import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** `neptune …` as an operator types it: what it said, and how it ended. */
export const runCommand = (words: string[], settings: Record<string, string>, input = '') =>
  startCommand(words, settings, input).ended

/** The same while it runs, so that it can be stopped or killed. `wrapper` is a command that runs another one, under other circumstances. */
export function startCommand(words: string[], settings: Record<string, string>, input = '', wrapper: string[] = []) {
  const [command = '', ...rest] = [
    ...wrapper,
    process.execPath,
    join(import.meta.dirname, '../../server/bin/neptune.mjs'),
    ...words,
  ]
  const child = spawn(command, rest, {
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
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve)).then((code) => ({ code, out, err }))
  return { process: child, ended }
}
