import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '../support/free-port.ts'
import { readMemoryMiB } from '../support/memory.ts'
import type { Case } from './case.ts'
import type { Sample } from './measure.ts'
import { settings } from './servers.ts'

export async function starts(stack: AsyncDisposableStack): Promise<Case[]> {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const port = await findFreePort()
  const script = join(import.meta.dirname, '../../scripts/start.mjs')
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, DATA_DIR: join(folder, 'data'), PORT: String(port), ...settings }
  /** As `npm start` does it. */
  const begin = () => spawn(process.execPath, ['--max-semi-space-size=8', script], { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const answers = (path: string) =>
    fetch(url + path).then(
      ({ ok }) => ok,
      () => false,
    )
  const end = async (child: ReturnType<typeof begin>) => {
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await ended
  }
  /** From nothing to the first answer; and what it holds when it has been quiet for a while. */
  async function once(isIdle: boolean): Promise<Sample> {
    const begun = performance.now()
    const child = begin()
    while (!(await answers('/healthz'))) await wait(5)
    const seconds = (performance.now() - begun) / 1000
    if (isIdle) {
      for (const path of ['/', '/login', '/readyz', '/v1/identity']) await answers(path)
      await wait(5000)
    }
    const amount = isIdle ? readMemoryMiB(child.pid) : seconds
    await end(child)
    return { cpu: 0, seconds, amount }
  }
  await once(false) // which makes the database
  return [
    { name: 'start to the first answer', unit: 's', atMost: 0.8, rounds: 9, contenders: { neptune: () => once(false) } },
    { name: 'memory, idle', unit: 'MiB', atMost: 110, rounds: 3, contenders: { neptune: () => once(true) } },
  ]
}
