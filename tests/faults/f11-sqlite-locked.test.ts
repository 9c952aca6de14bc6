import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import { SetHistory } from './history.ts'
import { body, openHouse } from './house.ts'
import { randomOf } from './random.ts'

const lockedFor = 10_000
/** As long as a statement waits for the other program, and then what a busy machine takes to say so. */
const patience = 5_000 + 2_500

it('F11: while another program holds SQLite, whoever writes waits five seconds at most; nothing is lost or doubled', async () => {
  await using house = await openHouse()
  const random = randomOf('F11')
  const history = new SetHistory()
  const waits: number[] = []
  const refusals: { status: number; retryAfter: string | null }[] = []
  const other = new DatabaseSync(join(house.data, 'neptune.db'))
  other.exec('begin exclusive')
  const begun = performance.now()
  const isLocked = () => performance.now() - begun < lockedFor
  const release = wait(lockedFor).then(() => other.exec('rollback'))

  /** Twenty people at once, again and again, from before the lock goes until after. */
  const work = async (client: number) => {
    for (let i = 0; isLocked() || i < 2; i++) {
      const bytes = body(random, 1, 100_000)
      const name = `${client}-${i}.bin`
      const entry = history.invoke(name, digest(bytes), bytes.length)
      const asked = performance.now()
      const form = new FormData()
      form.set('file', new Blob([Buffer.from(bytes)]))
      const reply = await fetch(`${house.url}/v1/file/${house.directory}/${name}`, {
        method: 'PUT',
        headers: house.staff,
        body: form,
      })
      waits.push(performance.now() - asked)
      entry.outcome = reply.ok ? 'ok' : 'fail'
      if (!reply.ok) refusals.push({ status: reply.status, retryAfter: reply.headers.get('retry-after') })
    }
  }
  /** Readers do not need the lock; the process itself least of all. */
  const look = async () => {
    const slow: number[] = []
    while (isLocked()) {
      const asked = performance.now()
      expect((await fetch(`${house.url}/healthz`)).status).toBe(200)
      slow.push(performance.now() - asked)
      await wait(50)
    }
    return Math.max(...slow)
  }
  const [slowest] = await Promise.all([look(), ...Array.from({ length: 20 }, (_, client) => work(client))])
  await release
  other.close()

  expect(Math.max(...waits), 'the longest wait').toBeLessThan(patience)
  expect(slowest, 'the slowest sign of life').toBeLessThan(1000)
  expect(refusals.length).toBeGreaterThan(0)
  expect([...new Set(refusals.map((refusal) => JSON.stringify(refusal)))]).toEqual(['{"status":503,"retryAfter":"5"}'])
  expect(history.count('ok')).toBeGreaterThan(0)
  await house.expectWhole(history)
})
