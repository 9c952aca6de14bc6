import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Runs `neptune …` as an operator does. Returns its output and exit code. */
export const runCommand = (args: string[], settings: Record<string, string>, input = '') =>
  startCommand(args, settings, input).ended

/** Starts `neptune …`, so that it can be stopped or killed. `wrapper` is a command line to run it with, such as strace. */
export function startCommand(args: string[], settings: Record<string, string>, input = '', wrapper: string[] = []) {
  const [command = '', ...rest] = [
    ...wrapper,
    process.execPath,
    join(import.meta.dirname, '../../server/bin/neptune.mjs'),
    ...args,
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
