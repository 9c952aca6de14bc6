import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment } from './child-environment.ts'

const root = join(import.meta.dirname, '../..')

export const admin = { email: 'admin@acme.example', password: 'a long enough password' }

/** Starts Neptune as a process, on a free port, with its own data folder: an empty one, or a copy of `data`. */
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

/** Starts Neptune with settings that must make it fail. Returns its output and exit code. Kills it if it starts. */
export async function failToStart(settings: Record<string, string>, wrapper: string[] = []) {
  const run = spawnNeptune({ PORT: '0', ...settings }, wrapper)
  const url = await run.ready
  if (url !== undefined) run.process.kill('SIGKILL')
  const code = await run.ended
  return { code, hasStarted: url !== undefined, lines: run.output().trim().split('\n') }
}

/** The flags of `npm start`. */
const flags = ['--max-semi-space-size=8']

/** `wrapper` is a command line to run it with, such as strace. */
function spawnNeptune(settings: Record<string, string>, wrapper: string[] = []) {
  const [command = '', ...args] = [...wrapper, process.execPath, ...flags, join(root, 'server/src/main.ts')]
  const child = spawn(command, args, {
    env: { ...childEnvironment, ...settings },
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
