import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { memoryOf } from '../support/memory.ts'
import { openHouse } from './house.ts'

const readers = 1000
const size = 50 * 2 ** 20
const patience = { timeout: 45_000, interval: 100 }

it('F08: a thousand who read slowly for a minute cost little memory, keep nobody waiting, and none of them is cut short', async () => {
  await using neptune = await openHouse()
  const { id } = await neptune.put('large.bin', randomBytes(size))
  await neptune.start() // idle, and not what an upload left behind
  for (let i = 0; i < 50; i++) expect((await neptune.call('GET', '/v1/stats'))?.status).toBe(200)
  const idle = memoryOf(neptune.process.pid)

  const words = [neptune.url, `/v1/file/${id}`, neptune.staff.authorization, readers, 4096, 70].map(String)
  const child = spawn(process.execPath, [join(import.meta.dirname, '../support/slow-readers.ts'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    await expect.poll(() => said, patience).toContain('all reading')
    const times: number[] = []
    let most = 0
    for (const begun = performance.now(); performance.now() - begun < 60_000 && child.exitCode === null; ) {
      const asked = performance.now()
      expect((await neptune.call('GET', '/v1/stats'))?.status).toBe(200)
      times.push(performance.now() - asked)
      most = Math.max(most, memoryOf(neptune.process.pid))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await ended
    const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
    const all = JSON.parse(said.split('\n')[1] ?? '') as {
      status: number
      promised: number
      received: number
      isEnded: boolean
    }[]
    const cut = all.filter(({ isEnded }) => isEnded).length
    process.stdout.write(
      `F08: ${Math.round(idle)} MiB idle, ${Math.round(most)} MiB at most (+${Math.round(most - idle)}); ` +
        `stats p99 ${p99.toFixed(0)} ms of ${times.length}; ${cut} of ${all.length} cut\n`,
    )
    expect(all).toHaveLength(readers)
    expect(all.filter(({ status, promised }) => status !== 200 || promised !== size)).toEqual([])
    expect(cut, 'downloads that were cut').toBe(0)
    expect(all.filter(({ received }) => received < 20 * 4096).length, 'readers who got next to nothing').toBe(0)
    expect(most - idle, 'MiB above idle').toBeLessThan(150)
    expect(p99, 'ms for /v1/stats').toBeLessThan(500)
  } finally {
    child.kill('SIGKILL')
  }
})
