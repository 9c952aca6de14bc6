import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export const admin = { email: 'admin@acme.example', password: 'a long enough password' }

/** Starts Neptune as a process, on a free port, with its own data folder: an empty one, or a copy of `data`. */
export async function startNeptune(settings: Record<string, string> = {}, wrapper: string[] = [], data?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-'))
  if (data) cpSync(data, join(folder, 'data'), { recursive: true })
  const spawned = spawnNeptune({ DATA_DIR: join(folder, 'data'), PORT: '0', ...settings }, wrapper)
  const url = await spawned.ready
  if (url === undefined) throw new Error(`Neptune did not start:\n${spawned.output()}`)
  return {
    url,
    folder,
    output: spawned.output,
    process: spawned.process,
    ended: spawned.ended,
    async stop() {
      spawned.process.kill('SIGTERM')
      await spawned.ended
    },
    async [Symbol.asyncDispose]() {
      spawned.process.kill('SIGKILL')
      await spawned.ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Tries to start Neptune with settings that should make it fail, and kills it if it starts. Returns its exit code and output. */
export async function tryToStart(settings: Record<string, string>, wrapper: string[] = []) {
  const spawned = spawnNeptune({ PORT: '0', ...settings }, wrapper)
  const url = await spawned.ready
  if (url !== undefined) spawned.process.kill('SIGKILL')
  const code = await spawned.ended
  return { code, hasStarted: url !== undefined, lines: spawned.output().trim().split('\n') }
}

/** The Node flags that `npm start` uses. */
const flags = ['--max-semi-space-size=8']

/** Spawns Neptune. `wrapper` is a command line to run it with, such as strace. */
function spawnNeptune(settings: Record<string, string>, wrapper: string[] = []) {
  const [command = '', ...args] = [...wrapper, process.execPath, ...flags, join(root, 'server/src/main.ts')]
  const child = spawn(command, args, {
    // Passes only these variables, because the environment of the test run must not leak in. The compile cache halves the start time.
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: join(tmpdir(), 'neptune-compile-cache'), ...settings },
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
        if (isReady) return // don't search the whole output again for every chunk
        const [, url] = /^Neptune \S+ is ready at (\S+)$/m.exec(text) ?? []
        // The public URL may differ from the address it listens on.
        const [, listeningUrl] = /Server listening at (http:[^"]+)/.exec(text) ?? []
        if (!url) return
        isReady = true
        resolve(listeningUrl ?? url)
      })
    }
    child.once('close', () => resolve(undefined))
  })
  return { process: child as ChildProcess, ready, ended, output: () => text }
}
