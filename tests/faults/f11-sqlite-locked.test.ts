import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import { UploadHistory } from './history.ts'
import { makeRandom } from './random.ts'
import { makeBody, openFaultServer } from './test-server.ts'

const lockedForMs = 10_000
/** How long a statement waits for the lock, plus the time a busy machine takes to respond. */
const longestWaitMs = 5_000 + 2_500

it('F11: limits waits to five seconds while another program locks SQLite, without losing or duplicating anything', async () => {
  await using server = await openFaultServer()
  const random = makeRandom('F11')
  const history = new UploadHistory()
  const waitsMs: number[] = []
  const rejections: { status: number; retryAfter: string | null }[] = []
  const other = new DatabaseSync(join(server.data, 'neptune.db'))
  other.exec('begin exclusive')
  const startedAt = performance.now()
  const isLocked = () => performance.now() - startedAt < lockedForMs
  const release = wait(lockedForMs).then(() => other.exec('rollback'))

  /** Uploads repeatedly, from before the lock is released until after. */
  const work = async (client: number) => {
    for (let i = 0; isLocked() || i < 2; i++) {
      const bytes = makeBody(random, 1, 100_000)
      const name = `${client}-${i}.bin`
      const entry = history.invoke(name, digest(bytes), bytes.length)
      const sentAt = performance.now()
      const form = new FormData()
      form.set('file', new Blob([Buffer.from(bytes)]))
      const reply = await fetch(`${server.url}/v1/file/${server.directory}/${name}`, {
        method: 'PUT',
        headers: server.staff,
        body: form,
      })
      waitsMs.push(performance.now() - sentAt)
      entry.outcome = reply.ok ? 'ok' : 'fail'
      if (!reply.ok) rejections.push({ status: reply.status, retryAfter: reply.headers.get('retry-after') })
    }
  }
  /** Checks that requests without the database stay fast. Returns the longest duration. */
  const checkHealth = async () => {
    const durations: number[] = []
    while (isLocked()) {
      const sentAt = performance.now()
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
      durations.push(performance.now() - sentAt)
      await wait(50)
    }
    return Math.max(...durations)
  }
  const [slowestHealthCheckMs] = await Promise.all([checkHealth(), ...Array.from({ length: 20 }, (_, client) => work(client))])
  await release
  other.close()

  expect(Math.max(...waitsMs), 'the longest wait').toBeLessThan(longestWaitMs)
  expect(slowestHealthCheckMs, 'the slowest health check').toBeLessThan(1000)
  expect(rejections.length).toBeGreaterThan(0)
  expect([...new Set(rejections.map((rejection) => JSON.stringify(rejection)))]).toEqual(['{"status":503,"retryAfter":"5"}'])
  expect(history.count('ok')).toBeGreaterThan(0)
  await server.expectConsistent(history)
})
