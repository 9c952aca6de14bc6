import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export const admin = { email: 'admin@acme.example', password: 'a long enough password' }

/** Neptune as its users run it: a process of its own, on a free port, with a data folder of its own: a new one, or a copy of `data`. */
export async function startNeptune(settings: Record<string, string> = {}, wrapper: string[] = [], data?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-'))
  if (data) cpSync(data, join(folder, 'data'), { recursive: true })
  const run = spawnNeptune({ DATA_DIR: join(folder, 'data'), PORT: '0', ...settings }, wrapper)
  const url = await run.ready
  if (url === undefined) throw new Error(`Neptune did not start:\n${run.output()}`)
  return {
    url,
    folder,
    output: run.output,
    process: run.process,
    ended: run.ended,
    async stop() {
      run.process.kill('SIGTERM')
      await run.ended
    },
    async [Symbol.asyncDispose]() {
      run.process.kill('SIGKILL')
      await run.ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** For starts that are to fail: what it said, and how it ended. One that does not fail is killed. */
export async function failToStart(settings: Record<string, string>, wrapper: string[] = []) {
  const run = spawnNeptune({ PORT: '0', ...settings }, wrapper)
  const url = await run.ready
  if (url !== undefined) run.process.kill('SIGKILL')
  const code = await run.ended
  return { code, hasStarted: url !== undefined, lines: run.output().trim().split('\n') }
}

/** As `npm start` has them. */
const flags = ['--max-semi-space-size=8']

/** `wrapper` is a command that runs another one, under other circumstances. */
function spawnNeptune(settings: Record<string, string>, wrapper: string[] = []) {
  // Nothing of the tester's own settings may slip in.
  const environment = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: join(tmpdir(), 'neptune-compile-cache'),
    ...settings,
  }
  const [command = '', ...words] = [...wrapper, process.execPath, ...flags, join(root, 'server/src/main.ts')]
  const child = spawn(command, words, {
    env: environment,
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let isReady = false
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const ready = new Promise<string | undefined>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (isReady) return // or every line would be looked for in all that was said before it
        const [, url] = /^Neptune \S+ is ready at (\S+)$/m.exec(text) ?? []
        // People may know it by another address than the one it listens on.
        const [, heard] = /Server listening at (http:[^"]+)/.exec(text) ?? []
        if (!url) return
        isReady = true
        resolve(heard ?? url)
      })
    }
    child.once('close', () => resolve(undefined))
  })
  return { process: child as ChildProcess, ready, ended, output: () => text }
}
