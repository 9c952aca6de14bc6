import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { atDatabase, fault } from './fault-injection.ts'
import { expectNoViolations, UploadHistory } from './history.ts'
import { makeRandom, type Random } from './random.ts'
import { openTestServer, type TestServer } from './test-server.ts'

let model: TestServer
beforeAll(async () => {
  model = await openTestServer()
  await model.stop()
})
afterAll(() => model[Symbol.asyncDispose]())

const steps = ['open', 'write', 'sync', 'mkdir', 'rename']
const cases = (['put', 'tus'] as const).flatMap((way) => steps.map((step) => ({ way, step })))

it.concurrent.each(cases)(
  'F04: rejects an upload if the disk fails at any $step of an upload by $way, and accepts the next one',
  async ({ way, step }) => {
    const random = makeRandom(`F04 ${way} ${step}`)
    for (let n = 1; await isHit(n); n++) expect(n, 'the number of steps').toBeLessThan(50)

    async function isHit(n: number): Promise<boolean> {
      const history = new UploadHistory()
      await using server = await openTestServer(fault(`EIO ${step} ${n}`), { from: model.folder })
      const { status } = await server.upload(history, 'plan.bin', random.bytes(300_000), way)
      const isInjected = server.output().includes('fault at step')
      if (!isInjected) {
        expect(n, 'the step exists').toBeGreaterThan(1)
        expect(history.count('ok')).toBe(1)
        return false
      }
      expect(status).toBe(500)
      if (way === 'put') expect(server.countTemporaryFiles(), 'a rejected upload leaves no file').toBe(0)
      expect((await server.upload(history, 'next.bin', random.bytes(1000), way)).entry.outcome).toBe('ok')
      await server.expectConsistent(history)
      return true
    }
  },
)

const syscalls = { sync: 'fsync,fdatasync', write: 'pwrite64' }

/** Runs a server on a failing database, from its start through `check`. Returns how many calls there were, and whether one failed. */
async function tryDatabase(
  random: Random,
  call: keyof typeof syscalls,
  when: string,
  check: (server: TestServer, history: UploadHistory) => Promise<void>,
) {
  const history = new UploadHistory()
  await using server = await openTestServer({}, { from: model.folder })
  await server.stop()
  const log = join(server.folder, 'calls')
  // If the server cannot start, it says so and exits, and the next start succeeds.
  const isUp = await server.start({}, atDatabase(server, syscalls[call], when === '' ? '' : `error=EIO:when=${when}`, log)).then(
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
  if (isUp) await check(server, history)
  const calls = count()
  const isHit = readFileSync(log, 'utf8').includes('(INJECTED)')
  if (isUp) await server.kill()
  await server.start({})
  // A commit that failed may still be in the log when the database recovers; then the upload is complete. No other result is allowed.
  for (const entry of history.sent) if (entry.outcome === 'fail') entry.outcome = 'info'
  await server.expectConsistent(history)
  expect((await server.upload(history, 'afterwards.bin', random.bytes(1000))).entry.outcome).toBe('ok')
  await server.expectConsistent(history)
  return { atStart, calls, isHit }
}

it.concurrent.each(['sync', 'write'] as const)(
  'F04: rejects an upload with 503 and leaves no trace of it if the database’s n-th %s fails, and accepts the next one',
  async (call) => {
    const random = makeRandom(`F04 database ${call}`)
    const upload = (server: TestServer, history: UploadHistory, name: string) =>
      server.upload(history, name, random.bytes(50_000))
    const { atStart, calls } = await tryDatabase(random, call, '', async (server, history) => {
      for (const name of ['plan.bin', 'next.bin']) expect((await upload(server, history, name)).entry.outcome).toBe('ok')
    })
    expect(calls).toBeGreaterThan(atStart)
    let hits = 0
    const moments = Array.from({ length: 6 }, (_, i) => Math.ceil(atStart + ((i + 1) * (calls - atStart)) / 7))
    for (const n of new Set([random.between(1, Math.max(1, atStart)), ...moments])) {
      const { isHit } = await tryDatabase(random, call, String(n), async (server, history) => {
        const first = await upload(server, history, 'plan.bin')
        expect(first.status).toBeOneOf([200, 503])
        await server.expectConsistent(history)
        const second = await upload(server, history, 'next.bin')
        expect([first.status, second.status], 'only one call failed, so at most one upload did').toContain(200)
        await server.expectConsistent(history)
      })
      if (isHit) hits++
    }
    expect(hits, 'most of the faults were injected').toBeGreaterThan(2)
  },
)

it('F04: rejects changes and keeps serving existing files if the database fails permanently', async () => {
  const random = makeRandom('F04 for good')
  const { atStart } = await tryDatabase(random, 'sync', '', async () => {})
  await tryDatabase(random, 'sync', `${atStart + 3}+`, async (server, history) => {
    const kept = random.bytes(50_000)
    for (let i = 0; i < 6; i++) await server.upload(history, `${i}.bin`, kept)
    expect(history.sent.at(-1)?.outcome).toBe('fail')
    for (let i = 0; i < 3; i++) expect((await server.upload(history, `late-${i}.bin`, kept)).status).toBe(503)
    expect((await server.call('GET', '/healthz'))?.status).toBe(200)
    expectNoViolations(history.findViolations(await server.findFiles()))
  })
})
