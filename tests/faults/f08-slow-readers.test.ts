import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readMemoryMiB } from '../support/read-memory.ts'
import { openFaultServer } from './test-server.ts'

const readerCount = 1000
const size = 50 * 2 ** 20
const pollOptions = { timeout: 60_000, interval: 100 }

it('F08: serves a thousand slow readers for a minute with little memory, without delaying others or cutting off a download', async () => {
  await using neptune = await openFaultServer({ MAX_CONNECTIONS_PER_ADDRESS: String(readerCount + 10) })
  const { id } = await neptune.put('large.bin', randomBytes(size))
  await neptune.start() // restarts it, so that idle memory doesn't include the upload
  for (let i = 0; i < 50; i++) expect((await neptune.call('GET', '/v1/stats'))?.status).toBe(200)
  const idleMiB = readMemoryMiB(neptune.process.pid)

  const args = [neptune.url, `/v1/file/${id}`, neptune.staff.authorization, readerCount, 4096, 70].map(String)
  const child = spawn(process.execPath, [join(import.meta.dirname, '../support/load/slow-readers.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    await expect.poll(() => output, pollOptions).toContain('all reading')
    const times: number[] = []
    let peakMiB = 0
    for (const startedAt = performance.now(); performance.now() - startedAt < 60_000 && child.exitCode === null; ) {
      const sentAt = performance.now()
      expect((await neptune.call('GET', '/v1/stats'))?.status).toBe(200)
      times.push(performance.now() - sentAt)
      peakMiB = Math.max(peakMiB, readMemoryMiB(neptune.process.pid))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await ended
    const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
    const all = JSON.parse(output.split('\n')[1] ?? '') as {
      status: number
      contentLength: number
      received: number
      isEnded: boolean
    }[]
    const cutOff = all.filter(({ isEnded }) => isEnded).length
    process.stdout.write(
      `F08: ${Math.round(idleMiB)} MiB idle, ${Math.round(peakMiB)} MiB at most (+${Math.round(peakMiB - idleMiB)}); ` +
        `stats p99 ${p99.toFixed(0)} ms of ${times.length}; ${cutOff} of ${all.length} cut off\n`,
    )
    expect(all).toHaveLength(readerCount)
    expect(all.filter(({ status, contentLength }) => status !== 200 || contentLength !== size)).toEqual([])
    expect(cutOff, 'downloads that were cut off').toBe(0)
    expect(all.filter(({ received }) => received < 20 * 4096).length, 'readers that got almost nothing').toBe(0)
    expect(peakMiB - idleMiB, 'MiB above idle').toBeLessThan(150)
    expect(p99, 'ms for /v1/stats').toBeLessThan(500)
  } finally {
    child.kill('SIGKILL')
  }
})
