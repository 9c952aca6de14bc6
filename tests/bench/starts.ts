import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readMemoryMiB } from '../support/read-memory.ts'
import { findFreePort } from '../support/services/free-port.ts'
import { benchSettings, getBusyFirm } from './busy-firm.ts'
import type { Case } from './case.ts'
import type { Sample } from './measure.ts'

export async function makeStartCases(stack: AsyncDisposableStack): Promise<Case[]> {
  const filled = await openStarter(stack, await getBusyFirm())
  const empty = await openStarter(stack)
  return [
    {
      name: 'start to the first answer',
      unit: 's',
      atMost: 0.8,
      rounds: 9,
      measurements: { neptune: () => filled(), empty: () => empty() },
    },
    {
      name: 'memory, idle',
      unit: 'MiB',
      atMost: 110,
      rounds: 3,
      measurements: { neptune: () => filled({ measuresMemory: true }), empty: () => empty({ measuresMemory: true }) },
    },
  ]
}

/** Returns a function that starts Neptune with a copy of this data folder, or with an empty one, measures it and stops it. */
async function openStarter(stack: AsyncDisposableStack, data?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const DATA_DIR = join(folder, 'data')
  if (data) cpSync(data, DATA_DIR, { recursive: true })
  const port = await findFreePort()
  const script = join(import.meta.dirname, '../../scripts/start.mjs')
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, DATA_DIR, PORT: String(port), ...benchSettings }
  /** Starts the server like `npm start`. */
  const start = () => spawn(process.execPath, ['--max-semi-space-size=8', script], { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const isOk = (path: string) =>
    fetch(url + path).then(
      ({ ok }) => ok,
      () => false,
    )
  const stop = async (child: ReturnType<typeof start>) => {
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await ended
  }
  /** Measures the time from start to the first response or, with `measuresMemory`, the memory after a few idle seconds. */
  async function measureStart({ measuresMemory = false } = {}): Promise<Sample> {
    const startedAt = performance.now()
    const child = start()
    while (!(await isOk('/healthz'))) await wait(5)
    const seconds = (performance.now() - startedAt) / 1000
    if (measuresMemory) {
      for (const path of ['/', '/login', '/readyz', '/v1/identity']) await isOk(path)
      await wait(5000)
    }
    const amount = measuresMemory ? readMemoryMiB(child.pid) : seconds
    await stop(child)
    return { cpu: 0, seconds, amount }
  }
  await measureStart() // creates the database, or warms the caches
  return measureStart
}
