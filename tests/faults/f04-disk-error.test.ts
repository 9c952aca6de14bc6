import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectNone, SetHistory } from './history.ts'
import { type House, openHouse } from './house.ts'
import { atDatabase, fault } from './injure.ts'
import { type Random, randomOf } from './random.ts'

let model: House
beforeAll(async () => {
  model = await openHouse()
  await model.stop()
})
afterAll(() => model[Symbol.asyncDispose]())

const steps = ['open', 'write', 'sync', 'mkdir', 'rename']
const ways = (['put', 'tus'] as const).flatMap((way) => steps.map((step) => ({ way, step })))

it.concurrent.each(ways)(
  'F04: a disk that fails at any $step of an upload by $way gets it refused, and the next one goes through',
  async ({ way, step }) => {
    const random = randomOf(`F04 ${way} ${step}`)
    for (let n = 1; await isHit(n); n++) expect(n, 'an end').toBeLessThan(50)

    async function isHit(n: number): Promise<boolean> {
      const history = new SetHistory()
      await using house = await openHouse(fault(`EIO ${step} ${n}`), { from: model.folder })
      const { status } = await house.upload(history, 'plan.bin', random.bytes(300_000), way)
      const hit = house.output().includes('fault at step')
      if (!hit) {
        expect(n, 'there is such a step').toBeGreaterThan(1)
        expect(history.count('ok')).toBe(1)
        return false
      }
      expect(status).toBe(500)
      if (way === 'put') expect(house.temporary(), 'what was refused leaves nothing').toBe(0)
      expect((await house.upload(history, 'next.bin', random.bytes(1000), way)).entry.outcome).toBe('ok')
      await house.expectWhole(history)
      return true
    }
  },
)

const callsOf = { sync: 'fsync,fdatasync', write: 'pwrite64' }

/** One house on a database that fails, from its start through two uploads. Returns how many calls there were, and whether one failed. */
async function tryDatabase(
  random: Random,
  call: keyof typeof callsOf,
  when: string,
  check: (house: House, history: SetHistory) => Promise<void>,
) {
  const history = new SetHistory()
  await using house = await openHouse({}, { from: model.folder })
  await house.stop()
  const log = join(house.folder, 'calls')
  // Whoever cannot start says so, and ends: the next start is like any other.
  const isUp = await house.start({}, atDatabase(house, callsOf[call], when === '' ? '' : `error=EIO:when=${when}`, log)).then(
    () => true,
    (error: Error) => {
      expect(error.message).toContain('Neptune cannot start.')
      return false
    },
  )
  const count = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => /^\d+ +(f(data)?sync|pwrite64)\(/.test(line)).length
  const atStart = count()
  if (isUp) await check(house, history)
  const calls = count()
  const isHit = readFileSync(log, 'utf8').includes('(INJECTED)')
  if (isUp) await house.kill()
  await house.start({})
  // A commit that failed half-way may yet be found in the log when it is read again: then it is whole. Nothing else may come of it.
  for (const entry of history.sent) if (entry.outcome === 'fail') entry.outcome = 'info'
  await house.expectWhole(history)
  expect((await house.upload(history, 'afterwards.bin', random.bytes(1000))).entry.outcome).toBe('ok')
  await house.expectWhole(history)
  return { atStart, calls, isHit }
}

it.concurrent.each(['sync', 'write'] as const)(
  'F04: a database whose n-th %s fails refuses that upload with 503, shows nothing of it, and takes the next',
  async (call) => {
    const random = randomOf(`F04 database ${call}`)
    const upload = (house: House, history: SetHistory, name: string) => house.upload(history, name, random.bytes(50_000))
    const { atStart, calls } = await tryDatabase(random, call, '', async (house, history) => {
      for (const name of ['plan.bin', 'next.bin']) expect((await upload(house, history, name)).entry.outcome).toBe('ok')
    })
    expect(calls).toBeGreaterThan(atStart)
    let hits = 0
    const moments = Array.from({ length: 6 }, (_, i) => Math.ceil(atStart + ((i + 1) * (calls - atStart)) / 7))
    for (const n of new Set([random.between(1, Math.max(1, atStart)), ...moments])) {
      const { isHit } = await tryDatabase(random, call, String(n), async (house, history) => {
        const first = await upload(house, history, 'plan.bin')
        expect(first.status).toBeOneOf([200, 503])
        await house.expectWhole(history)
        const second = await upload(house, history, 'next.bin')
        expect([first.status, second.status], 'one call failed, so one upload did').toContain(200)
        await house.expectWhole(history)
      })
      if (isHit) hits++
    }
    expect(hits, 'most of them were met').toBeGreaterThan(2)
  },
)

it('F04: a database that fails for good refuses changes and goes on serving what is there', async () => {
  const random = randomOf('F04 for good')
  const { atStart } = await tryDatabase(random, 'sync', '', async () => {})
  await tryDatabase(random, 'sync', `${atStart + 3}+`, async (house, history) => {
    const kept = random.bytes(50_000)
    for (let i = 0; i < 6; i++) await house.upload(history, `${i}.bin`, kept)
    expect(history.sent.at(-1)?.outcome).toBe('fail')
    for (let i = 0; i < 3; i++) expect((await house.upload(history, `late-${i}.bin`, kept)).status).toBe(503)
    expect((await house.call('GET', '/healthz'))?.status).toBe(200)
    expectNone(history.violations(await house.found()))
  })
})
