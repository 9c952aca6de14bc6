import { expect, it } from 'vitest'
import { outcomeOf, type Sent, SetHistory } from './history.ts'
import { body, expectClean, openHouse } from './house.ts'
import { killAfterBytes } from './injure.ts'
import { randomOf } from './random.ts'

// Thirty rounds in three parts, so that each is done in time on a slow machine too.
it.each([1, 2, 3])(
  'F01: ten kills at a random byte of running uploads lose nothing and show nothing half (%i of 3)',
  async (part) => {
    const random = randomOf(`F01 ${part} of 3`)
    const history = new SetHistory()
    await using house = await openHouse()
    for (let round = 0; round < 10; round++) {
      const clients = (['put', 'put', 'tus'] as const).map((way, client) => ({
        way,
        files: Array.from({ length: 3 }, (_, i) => ({ name: `${round}-${client}-${i}.bin`, bytes: body(random, 1, 300_000) })),
      }))
      const total = clients.flatMap(({ files }) => files).reduce((sum, { bytes }) => sum + bytes.length, 0)
      const sent = killAfterBytes(house, random.between(1, total))
      const cut: { entry: Sent; bytes: Buffer; path: string }[] = []
      await Promise.all(
        clients.map(async ({ way, files }) => {
          for (const { name, bytes } of files) {
            let path = ''
            const at = (told: string) => {
              path = told
            }
            const { entry, status } = await house.upload(history, name, bytes, way, { sent, at })
            if (status !== undefined) continue
            if (path !== '') cut.push({ entry, bytes, path })
            return
          }
        }),
      )
      await house.kill()
      await house.start()
      // Some of what came in pieces goes on where it was cut; the rest is left.
      for (const { entry, bytes, path } of cut) {
        if (random.chance(0.7)) entry.outcome = outcomeOf((await house.resume(path, bytes)).status)
      }
      await house.expectWhole(history, { isNew: true })
    }
    expect(history.count('ok'), 'some were acknowledged').toBeGreaterThan(3)
    expect(history.count('info'), 'some were cut').toBeGreaterThan(3)
    await house.expectWhole(history)
    await expectClean(house)
  },
)
