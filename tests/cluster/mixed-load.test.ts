import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNone } from '../faults/history.ts'
import { makeRandom } from '../faults/random.ts'
import { runCommand } from '../support/run-command.ts'
import { type Cluster, startCluster } from '../support/start-cluster.ts'
import { gatherPeople } from './people.ts'

/** Six faults in three minutes, each of which lasts for a while. */
const every = 30_000
const lasts = 8_000
/** From when it is over; or, where the others can go on, from when it began. */
const patience = 10_000

const swift = promisify(execFile)
let cluster: Cluster
let people: Awaited<ReturnType<typeof gatherPeople>>
const healed: { what: string; milliseconds: number }[] = []
let probes = 0

beforeAll(async () => {
  cluster = await startCluster({ THUMBNAILS: 'off' }, { isFaulty: true })
  people = await gatherPeople(cluster.url, makeRandom('cluster'))
}, 180_000)
afterAll(async () => {
  people?.[Symbol.dispose]()
  await cluster?.[Symbol.asyncDispose]()
}, 60_000)

const script = join(import.meta.dirname, '../../scripts/swift.mjs')
const faults = [
  {
    what: 'a node is killed',
    canGoOn: true,
    strike: async () => void process.kill(cluster.pidOf('node1'), 'SIGKILL'),
    mend: () => cluster.run('start', 'node1'),
  },
  {
    what: 'PostgreSQL is cut off and starts again (F12)',
    canGoOn: false,
    strike: async () => void process.kill(cluster.pidOf('postgres'), 'SIGQUIT'),
    mend: () => cluster.run('start', 'postgres'),
  },
  {
    what: 'an object server is killed',
    canGoOn: true,
    strike: () => swift(process.execPath, [script, 'kill-one', join(cluster.folder, 'swift'), '2']),
    mend: () => swift(process.execPath, [script, 'revive', join(cluster.folder, 'swift')]),
  },
  { what: 'S3 answers 500 (F14)', canGoOn: false, strike: () => cluster.store.fail(/./, { answer: 500 }) },
  { what: 'S3 hangs (F14)', canGoOn: false, strike: () => cluster.store.fail(/./, { hang: true }) },
  {
    what: 'S3 cuts what is read, and loses answers to what is written (F14, F15)',
    canGoOn: false,
    strike: () => {
      cluster.store.fail(/^GET \/neptune\/blobs/, { cutAfter: 1000 })
      cluster.store.fail(/^(PUT|POST) \/neptune\/blobs/, { loseAnswer: true })
    },
  },
]

describe('after three minutes of mixed load through nginx, with one fault after the other', () => {
  beforeAll(async () => {
    let isOver = false
    const working = people.work(() => isOver)
    for (const { what, canGoOn, strike, mend = () => cluster.store.heal() } of faults) {
      await wait(every - lasts)
      people.takeTold()
      await strike()
      if (canGoOn) await heal(what)
      await wait(lasts)
      await mend()
      await heal(canGoOn ? `${what}, and is back` : what)
      process.stdout.write(`${what}: ${people.takeTold()}\n`)
    }
    isOver = true
    await working
  }, 600_000)

  it('the service was whole within ten seconds each time', () => {
    process.stdout.write(`whole after ${healed.map(({ what, milliseconds }) => `${milliseconds} ms (${what})`).join(', ')}\n`)
    expect(healed.filter(({ milliseconds }) => milliseconds > patience)).toEqual([])
  })

  it('every upload that was acknowledged is there once and byte-exact, no other is half there, and no success was short', async () => {
    const { history } = people
    expectNone(history.violations(await people.found()))
    expectNone(people.wrong)
    const counts = `${history.count('ok')} acknowledged, ${history.count('fail')} refused, ${history.count('info')} unknown`
    process.stdout.write(`cluster: ${history.sent.length} uploads, ${counts}\n`)
    expect(history.count('ok'), 'many uploads').toBeGreaterThan(100)
    expect(history.count('info'), 'some of them met a fault').toBeGreaterThan(5)
  })

  it('every change of a link that was acknowledged holds', async () => {
    expectNone(await people.links.violations())
  })

  it('nobody was told of a fault of ours', () => {
    const lines = ['node1', 'node2'].flatMap((name) => cluster.log(name).split('\n'))
    expect(lines.filter((line) => line.includes('"code":"server.failed"'))).toEqual([])
  })

  it.each([
    ['fsck', '--scrub'],
    ['audit', 'verify'],
  ])('neptune %s %s comes out clean', async (...words) => {
    const begun = performance.now()
    const { code, out, err } = await runCommand(words, cluster.settings)
    process.stdout.write(`neptune ${words.join(' ')}: ${Math.round((performance.now() - begun) / 1000)} s\n`)
    expect(code, `neptune ${words.join(' ')} said:\n${out}${err}`).toBe(0)
  })
})

/** How long it takes until somebody can upload, see and download again. */
async function heal(what: string) {
  const begun = performance.now()
  while (!(await people.isWhole(`probe-${probes++}.bin`)) && performance.now() - begun < 6 * patience) await wait(100)
  healed.push({ what, milliseconds: Math.round(performance.now() - begun) })
}
