import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeFaultSettings } from './fault-injection.ts'
import { toOutcome, UploadHistory } from './history.ts'
import { makeRandom } from './random.ts'
import { openFaultServer, type TestServer } from './test-server.ts'

let templateServer: TestServer
beforeAll(async () => {
  templateServer = await openFaultServer()
  await templateServer.stop()
})
afterAll(() => templateServer[Symbol.asyncDispose]())

const steps = ['open', 'write', 'sync', 'mkdir', 'rename', 'row', 'response']
const cases = (['put', 'tus'] as const).flatMap((method) => steps.map((step) => ({ method, step })))

it.concurrent.each(cases)(
  'F02: leaves a complete file or none after a kill before any $step of an upload by $method, and restarts without repair',
  async ({ method, step }) => {
    const random = makeRandom(`F02 ${method} ${step}`)
    // Kills at the first such step, then the second, and so on until there are no more.
    for (let n = 1; await uploadWithKillAt(n); n++) expect(n, 'the number of steps').toBeLessThan(50)

    /** Uploads to a server that is killed at the n-th step. Returns false if the upload has no such step. */
    async function uploadWithKillAt(n: number): Promise<boolean> {
      const history = new UploadHistory()
      const bytes = random.bytes(300_000)
      await using server = await openFaultServer(makeFaultSettings(`kill ${step} ${n}`), { from: templateServer.folder })
      let path = ''
      const onCreated = (location: string) => {
        path = location
      }
      const { entry, status } = await server.upload(history, 'plan.bin', bytes, method, { onCreated })
      if (status === undefined) await server.ended()
      if (!server.output().includes('fault at step')) {
        expect(entry.outcome, 'without a kill the upload succeeds').toBe('ok')
        expect(n, 'the step exists').toBeGreaterThan(1)
        return false
      }
      await server.start({})
      if (path !== '' && entry.outcome === 'info') entry.outcome = toOutcome((await server.resume(path, bytes)).status)
      if (path !== '') expect(entry.outcome).toBe('ok')
      expect((await server.upload(history, 'next.bin', random.bytes(1000), method)).entry.outcome).toBe('ok')
      await server.expectConsistent(history)
      return true
    }
  },
)
