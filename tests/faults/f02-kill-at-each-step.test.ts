import { afterAll, beforeAll, expect, it } from 'vitest'
import { outcomeOf, SetHistory } from './history.ts'
import { type House, openHouse } from './house.ts'
import { fault } from './injure.ts'
import { randomOf } from './random.ts'

let model: House
beforeAll(async () => {
  model = await openHouse()
  await model.stop()
})
afterAll(() => model[Symbol.asyncDispose]())

const steps = ['open', 'write', 'sync', 'mkdir', 'rename', 'row', 'answer']
const ways = (['put', 'tus'] as const).flatMap((way) => steps.map((step) => ({ way, step })))

it.concurrent.each(ways)(
  'F02: a kill before any $step of an upload by $way leaves a whole file or none, and no start needs a hand',
  async ({ way, step }) => {
    const random = randomOf(`F02 ${way} ${step}`)
    // Every one of them, until there are no more to hit.
    for (let n = 1; await isHit(n); n++) expect(n, 'an end').toBeLessThan(50)

    async function isHit(n: number): Promise<boolean> {
      const history = new SetHistory()
      const bytes = random.bytes(300_000)
      await using house = await openHouse(fault(`kill ${step} ${n}`), { from: model.folder })
      let path = ''
      const at = (told: string) => {
        path = told
      }
      const { entry, status } = await house.upload(history, 'plan.bin', bytes, way, { at })
      if (status === undefined) await house.ended()
      if (!house.output().includes('fault at step')) {
        expect(entry.outcome, 'nothing was hit, so all is well').toBe('ok')
        expect(n, 'there is such a step').toBeGreaterThan(1)
        return false
      }
      await house.start({})
      // What came in pieces goes on where it was.
      if (path !== '' && entry.outcome === 'info') entry.outcome = outcomeOf((await house.resume(path, bytes)).status)
      if (path !== '') expect(entry.outcome).toBe('ok')
      expect((await house.upload(history, 'next.bin', random.bytes(1000), way)).entry.outcome).toBe('ok')
      await house.expectWhole(history)
      return true
    }
  },
)
