import { expect, it } from 'vitest'
import { makeDatabaseFaultWrapper } from './fault-injection.ts'
import { expectNoViolations, UploadHistory } from './history.ts'
import { makeLinkWorkload } from './link-workload.ts'
import { makeRandom } from './random.ts'
import { addStaff, expectIntact, openFaultServer } from './test-server.ts'

it('F03: keeps every acknowledged change and an intact database when killed while twenty clients create, reset and delete links', async () => {
  const random = makeRandom('F03')
  const settings = { TRUST_PROXY: '127.0.0.1' }
  await using server = await openFaultServer(settings)
  const people = [
    await addStaff(server, 'ada'),
    await addStaff(server, 'ben'),
    await addStaff(server, 'cleo'),
    await addStaff(server, 'dan'),
  ]
  const workload = makeLinkWorkload(server)
  for (let round = 0; round < 8; round++) {
    // Every other round kills the server in the middle of a write to the database. The moment is counted in system calls, not in seconds, so
    // that it does not depend on the machine's speed.
    if (round % 2 === 1) {
      await server.stop()
      await server.start(settings, makeDatabaseFaultWrapper(server, 'pwrite64', `signal=SIGKILL:when=${random.between(30, 300)}`))
    }
    let changesLeft = random.between(20, 150) * (1 + (round % 2))
    const clients = Array.from({ length: 20 }, (_, i) => ({
      random: random.fork(),
      person: people[i % people.length] ?? people[0],
    }))
    await Promise.all(
      clients.map(async ({ random, person }) => {
        while (changesLeft-- > 0 && person) await workload.act(random, person)
        server.process.kill('SIGKILL')
      }),
    )
    await server.start()
    await server.expectConsistent(new UploadHistory())
  }
  expectNoViolations(await workload.findViolations())
  const countChanges = (outcome: 'ok' | 'info') => workload.links.reduce((sum, { register }) => sum + register.count(outcome), 0)
  expect(countChanges('ok'), 'some were acknowledged').toBeGreaterThan(50)
  expect(countChanges('info'), 'some were interrupted').toBeGreaterThan(5)
  await expectIntact(server)
})
