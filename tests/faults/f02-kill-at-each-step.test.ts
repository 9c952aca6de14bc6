import { afterAll, beforeAll, expect, it } from 'vitest'
import { fault } from './fault-injection.ts'
import { toOutcome, UploadHistory } from './history.ts'
import { makeRandom } from './random.ts'
import { openTestServer, type TestServer } from './test-server.ts'

let model: TestServer
beforeAll(async () => {
  model = await openTestServer()
  await model.stop()
})
afterAll(() => model[Symbol.asyncDispose]())

const steps = ['open', 'write', 'sync', 'mkdir', 'rename', 'row', 'response']
const cases = (['put', 'tus'] as const).flatMap((way) => steps.map((step) => ({ way, step })))

it.concurrent.each(cases)(
  'F02: leaves a complete file or none after a kill before any $step of an upload by $way, and restarts unaided',
  async ({ way, step }) => {
    const random = makeRandom(`F02 ${way} ${step}`)
    // Kills at the first such step, then the second, and so on until there are no more.
    for (let n = 1; await isHit(n); n++) expect(n, 'the number of steps').toBeLessThan(50)

    async function isHit(n: number): Promise<boolean> {
      const history = new UploadHistory()
      const bytes = random.bytes(300_000)
      await using server = await openTestServer(fault(`kill ${step} ${n}`), { from: model.folder })
      let path = ''
      const at = (location: string) => {
        path = location
      }
      const { entry, status } = await server.upload(history, 'plan.bin', bytes, way, { at })
      if (status === undefined) await server.ended()
      if (!server.output().includes('fault at step')) {
        expect(entry.outcome, 'without a kill the upload succeeds').toBe('ok')
        expect(n, 'the step exists').toBeGreaterThan(1)
        return false
      }
      await server.start({})
      // A tus upload resumes at its offset.
      if (path !== '' && entry.outcome === 'info') entry.outcome = toOutcome((await server.resume(path, bytes)).status)
      if (path !== '') expect(entry.outcome).toBe('ok')
      expect((await server.upload(history, 'next.bin', random.bytes(1000), way)).entry.outcome).toBe('ok')
      await server.expectConsistent(history)
      return true
    }
  },
)
