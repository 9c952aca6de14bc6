import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'

/** Starts a server program in a temporary folder, on a free port, and waits until it answers. */
export async function startProgram(
  name: string,
  configure: (folder: string, port: number) => { args: string[]; env: Record<string, string> },
) {
  const folder = mkdtempSync(join(tmpdir(), `neptune-${name}-`))
  const port = await findFreePort()
  const { args, env } = configure(folder, port)
  const child = spawn(name, args, {
    cwd: folder,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
  })
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}`
  const isReady = () => fetch(url).then(Boolean, () => false)
  for (let n = 0; n < 1200 && child.exitCode === null && !(await isReady()); n++) await wait(50)
  if (child.exitCode !== null) throw new Error(`${name} ended with exit code ${child.exitCode}`)
  return {
    url,
    folder,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
