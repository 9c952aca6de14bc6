import { expect, it } from 'vitest'
import { expectNone, SetHistory } from './history.ts'
import { expectClean, hire, openHouse } from './house.ts'
import { atDatabase } from './injure.ts'
import { shareLinks } from './links.ts'
import { randomOf } from './random.ts'

it('F03: kills while twenty clients make, reset and delete links take back nothing acknowledged, and the database stays sound', async () => {
  const random = randomOf('F03')
  const more = { TRUST_PROXY: '127.0.0.1' }
  await using house = await openHouse(more)
  const people = [await hire(house, 'ada'), await hire(house, 'ben'), await hire(house, 'cleo'), await hire(house, 'dan')]
  const links = shareLinks(house)
  for (let round = 0; round < 8; round++) {
    // Every other time, in the middle of a write to the database itself. Otherwise at a moment counted in calls, not in seconds: the
    // same on a slow machine.
    if (round % 2 === 1) {
      await house.stop()
      await house.start(more, atDatabase(house, 'pwrite64', `signal=SIGKILL:when=${random.between(30, 300)}`))
    }
    let left = random.between(20, 150) * (1 + (round % 2))
    const clients = Array.from({ length: 20 }, (_, i) => ({
      random: random.fork(),
      person: people[i % people.length] ?? people[0],
    }))
    await Promise.all(
      clients.map(async ({ random, person }) => {
        while (left-- > 0 && person) await links.act(random, person)
        house.process.kill('SIGKILL')
      }),
    )
    await house.start()
    await house.expectWhole(new SetHistory())
  }
  expectNone(await links.violations())
  const outcomes = (outcome: 'ok' | 'info') => links.links.reduce((sum, { register }) => sum + register.count(outcome), 0)
  expect(outcomes('ok'), 'some were acknowledged').toBeGreaterThan(50)
  expect(outcomes('info'), 'some were cut').toBeGreaterThan(5)
  await expectClean(house)
})
