import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoViolations } from '../faults/history.ts'
import { makeRandom } from '../faults/random.ts'
import { runCommand } from '../support/run-command.ts'
import { type Cluster, startCluster } from '../support/services/start-cluster.ts'
import { simulatePeople } from './people.ts'

/** Six faults in three minutes. */
const intervalMs = 30_000
const faultMs = 8_000
/** Counted from the end of a fault, or from its start if the rest of the cluster can take over (`isRedundant`). */
const recoveryTimeoutMs = 10_000

const run = promisify(execFile)
let cluster: Cluster
let people: Awaited<ReturnType<typeof simulatePeople>>
const recoveries: { name: string; milliseconds: number }[] = []
let probeCount = 0

beforeAll(async () => {
  cluster = await startCluster({ THUMBNAILS: 'off' }, { isFaulty: true })
  people = await simulatePeople(cluster.url, makeRandom('cluster'))
}, 180_000)
afterAll(async () => {
  people?.[Symbol.dispose]()
  await cluster?.[Symbol.asyncDispose]()
}, 60_000)

const objectStoreScript = join(import.meta.dirname, '../../scripts/object-store.mjs')
const faults = [
  {
    name: 'a node is killed',
    isRedundant: true,
    inject: async () => void process.kill(cluster.readPid('node1'), 'SIGKILL'),
    repair: () => cluster.run('start', 'node1'),
  },
  {
    name: 'PostgreSQL is killed and restarted (F12)',
    isRedundant: false,
    inject: async () => void process.kill(cluster.readPid('postgres'), 'SIGQUIT'),
    repair: () => cluster.run('start', 'postgres'),
  },
  {
    name: 'an object server is killed',
    isRedundant: true,
    inject: () => run(process.execPath, [objectStoreScript, 'kill-one', join(cluster.folder, 'swift'), '2']),
    repair: () => run(process.execPath, [objectStoreScript, 'revive', join(cluster.folder, 'swift')]),
  },
  { name: 'S3 returns 500 (F14)', isRedundant: false, inject: () => cluster.store.fail(/./, { status: 500 }) },
  { name: 'S3 hangs (F14)', isRedundant: false, inject: () => cluster.store.fail(/./, { hang: true }) },
  {
    name: 'S3 cuts off reads and loses responses to writes (F14, F15)',
    isRedundant: false,
    inject: () => {
      cluster.store.fail(/^GET \/neptune\/blobs/, { cutAfter: 1000 })
      cluster.store.fail(/^(PUT|POST) \/neptune\/blobs/, { loseResponse: true })
    },
  },
]

describe('after three minutes of mixed load through nginx with one fault after another', () => {
  beforeAll(async () => {
    let isOver = false
    const working = people.work(() => isOver)
    for (const { name, isRedundant, inject, repair = () => cluster.store.heal() } of faults) {
      await wait(intervalMs - faultMs)
      people.takeStatuses()
      await inject()
      if (isRedundant) await measureRecovery(name)
      await wait(faultMs)
      await repair()
      await measureRecovery(isRedundant ? `${name}, and is back` : name)
      process.stdout.write(`${name}: ${people.takeStatuses()}\n`)
    }
    isOver = true
    await working
  }, 600_000)

  it('the service recovers within ten seconds each time', () => {
    process.stdout.write(
      `recovered after ${recoveries.map(({ name, milliseconds }) => `${milliseconds} ms (${name})`).join(', ')}\n`,
    )
    expect(recoveries.filter(({ milliseconds }) => milliseconds > recoveryTimeoutMs)).toEqual([])
  })

  it('every acknowledged upload exists once and is identical, no other is partial, and no download is cut short', async () => {
    const { history } = people
    expectNoViolations(history.findViolations(await people.findFiles()))
    expectNoViolations(people.violations)
    const counts = `${history.count('ok')} acknowledged, ${history.count('fail')} rejected, ${history.count('info')} unknown`
    process.stdout.write(`cluster: ${history.sent.length} uploads, ${counts}\n`)
    expect(history.count('ok'), 'many uploads').toBeGreaterThan(100)
    expect(history.count('info'), 'some were affected by a fault').toBeGreaterThan(5)
  })

  it('every acknowledged change of a link is in effect', async () => {
    expectNoViolations(await people.links.findViolations())
  })

  it('no request fails with an internal error', () => {
    const lines = ['node1', 'node2'].flatMap((name) => cluster.readLog(name).split('\n'))
    expect(lines.filter((line) => line.includes('"code":"server.failed"'))).toEqual([])
  })

  it.each([
    ['fsck', '--scrub'],
    ['audit', 'verify'],
  ])('neptune %s %s finds no errors', async (...args) => {
    const startedAt = performance.now()
    const { code, out, err } = await runCommand(args, cluster.settings)
    process.stdout.write(`neptune ${args.join(' ')}: ${Math.round((performance.now() - startedAt) / 1000)} s\n`)
    expect(code, `neptune ${args.join(' ')} printed:\n${out}${err}`).toBe(0)
  })
})

/** Measures how long it takes until uploads, lists and downloads work again. */
async function measureRecovery(name: string) {
  const startedAt = performance.now()
  while (!(await people.isWorking(`probe-${probeCount++}.bin`)) && performance.now() - startedAt < 6 * recoveryTimeoutMs)
    await wait(100)
  recoveries.push({ name, milliseconds: Math.round(performance.now() - startedAt) })
}
