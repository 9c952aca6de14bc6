import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDatabaseFaultWrapper, makeFaultSettings } from './fault-injection.ts'
import { expectNoViolations, UploadHistory } from './history.ts'
import { makeRandom, type Random } from './random.ts'
import { openFaultServer, type TestServer } from './test-server.ts'

let templateServer: TestServer
beforeAll(async () => {
  templateServer = await openFaultServer()
  await templateServer.stop()
})
afterAll(() => templateServer[Symbol.asyncDispose]())

const steps = ['open', 'write', 'sync', 'mkdir', 'rename']
const cases = (['put', 'tus'] as const).flatMap((method) => steps.map((step) => ({ method, step })))

it.concurrent.each(cases)(
  'F04: rejects an upload by $method if the disk fails at any $step, and accepts the next one',
  async ({ method, step }) => {
    const random = makeRandom(`F04 ${method} ${step}`)
    for (let n = 1; await uploadWithErrorAt(n); n++) expect(n, 'the number of steps').toBeLessThan(50)

    /** Uploads to a server whose n-th step fails. Returns false if the upload has no such step. */
    async function uploadWithErrorAt(n: number): Promise<boolean> {
      const history = new UploadHistory()
      await using server = await openFaultServer(makeFaultSettings(`EIO ${step} ${n}`), { from: templateServer.folder })
      const { status, entry } = await server.upload(history, 'plan.bin', random.bytes(300_000), method)
      if (entry.outcome === 'ok') {
        await server.stop() // from then on, its output is complete
        expect(server.output(), 'no fault is ignored').not.toContain('fault at step')
        expect(n, 'the step exists').toBeGreaterThan(1)
        return false
      }
      expect(status).toBe(500)
      if (method === 'put') expect(server.countTemporaryFiles(), 'a rejected upload leaves no file').toBe(0)
      expect((await server.upload(history, 'next.bin', random.bytes(1000), method)).entry.outcome).toBe('ok')
      await server.expectConsistent(history)
      return true
    }
  },
)

const syscalls = { sync: 'fsync,fdatasync', write: 'pwrite64' }

/**
 * Starts a server whose database fails at the system calls given by `when`, and runs `check` on it. Returns how many calls there were at
 * the start and in total, and whether one of them failed.
 */
async function runOnFailingDatabase(
  random: Random,
  call: keyof typeof syscalls,
  when: string,
  check: (server: TestServer, history: UploadHistory) => Promise<void>,
) {
  const history = new UploadHistory()
  await using server = await openFaultServer({}, { from: templateServer.folder })
  await server.stop()
  const log = join(server.folder, 'calls')
  // If the server cannot start, it says so and exits, and the next start succeeds.
  const hasStarted = await server
    .start({}, makeDatabaseFaultWrapper(server, syscalls[call], when === '' ? '' : `error=EIO:when=${when}`, log))
    .then(
      () => true,
      (error: Error) => {
        expect(error.message).toContain('Neptune cannot start.')
        return false
      },
    )
  const countCalls = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => /^\d+ +(f(data)?sync|pwrite64)\(/.test(line)).length
  const callsAtStart = countCalls()
  if (hasStarted) await check(server, history)
  const calls = countCalls()
  const isInjected = readFileSync(log, 'utf8').includes('(INJECTED)')
  if (hasStarted) await server.kill()
  await server.start({})
  // A failed commit may still be in the write-ahead log when the database recovers; then the upload is complete. No other result is
  // allowed.
  for (const entry of history.sent) if (entry.outcome === 'fail') entry.outcome = 'info'
  await server.expectConsistent(history)
  expect((await server.upload(history, 'afterwards.bin', random.bytes(1000))).entry.outcome).toBe('ok')
  await server.expectConsistent(history)
  return { callsAtStart, calls, isInjected }
}

it.concurrent.each(['sync', 'write'] as const)(
  'F04: rejects at most one of two uploads, with 503, if the database’s n-th %s fails, and never keeps part of one',
  async (call) => {
    const random = makeRandom(`F04 database ${call}`)
    const upload = (server: TestServer, history: UploadHistory, name: string) =>
      server.upload(history, name, random.bytes(50_000))
    const { callsAtStart, calls } = await runOnFailingDatabase(random, call, '', async (server, history) => {
      for (const name of ['plan.bin', 'next.bin']) expect((await upload(server, history, name)).entry.outcome).toBe('ok')
    })
    expect(calls).toBeGreaterThan(callsAtStart)
    let injectedCount = 0
    const callNumbers = Array.from({ length: 6 }, (_, i) => Math.ceil(callsAtStart + ((i + 1) * (calls - callsAtStart)) / 7))
    for (const n of new Set([random.between(1, Math.max(1, callsAtStart)), ...callNumbers])) {
      const { isInjected } = await runOnFailingDatabase(random, call, String(n), async (server, history) => {
        const first = await upload(server, history, 'plan.bin')
        expect(first.status).toBeOneOf([200, 503])
        await server.expectConsistent(history)
        const second = await upload(server, history, 'next.bin')
        expect([first.status, second.status], 'only one call failed, so at most one upload did').toContain(200)
        await server.expectConsistent(history)
      })
      if (isInjected) injectedCount++
    }
    expect(injectedCount, 'most of the faults were injected').toBeGreaterThan(2)
  },
)

it('F04: rejects changes and keeps serving existing files if the database fails permanently', async () => {
  const random = makeRandom('F04 permanent failure')
  const { callsAtStart } = await runOnFailingDatabase(random, 'sync', '', async () => {})
  await runOnFailingDatabase(random, 'sync', `${callsAtStart + 3}+`, async (server, history) => {
    const bytes = random.bytes(50_000)
    for (let i = 0; i < 6; i++) await server.upload(history, `${i}.bin`, bytes)
    expect(history.sent.at(-1)?.outcome).toBe('fail')
    for (let i = 0; i < 3; i++) expect((await server.upload(history, `late-${i}.bin`, bytes)).status).toBe(503)
    expect((await server.call('GET', '/healthz'))?.status).toBe(200)
    expectNoViolations(history.findViolations(await server.findFiles()))
  })
})
