import { afterAll, beforeAll, expect, it } from 'vitest'
import { startPostgres } from '../support/services/start-postgres.ts'
import { type S3Server, startS3 } from '../support/services/start-s3.ts'
import { makeBucketSettings, openInstallation } from './file-operations/installation.ts'
import { Workload } from './file-operations/workload.ts'
import { makeRandom } from './random.ts'
import { addStaff } from './test-server.ts'

/** How many operations each test performs: `FILE_OPERATIONS=10000 npm run faults -- file-operations` for more. */
const operations = Number(process.env['FILE_OPERATIONS'] ?? 2500)
const timeout = 300_000 + operations * 500 // long enough for a busy machine

let postgres: Awaited<ReturnType<typeof startPostgres>>
let s3: S3Server
beforeAll(async () => {
  postgres = await startPostgres()
  s3 = await startS3()
}, 180_000) // may have to install the object store first
afterAll(async () => {
  await postgres.stop()
  await s3.stop()
})

async function createPostgresDatabase(name: string) {
  await postgres.query(`create database ${name}`)
  return { DATABASE_URL: postgres.url.replace(/postgres$/, name) }
}

it.each([
  { name: 'SQLite and disk', database: 'sqlite', makeSettings: async () => ({}) },
  { name: 'PostgreSQL and disk', database: 'postgres', makeSettings: () => createPostgresDatabase('with_disk') },
  { name: 'SQLite and S3', database: 'sqlite', makeSettings: async () => makeBucketSettings(s3.settings) },
  {
    name: 'PostgreSQL and S3',
    database: 'postgres',
    makeSettings: async () => ({ ...makeBucketSettings(s3.settings), ...(await createPostgresDatabase('with_s3')) }),
  },
])(
  'matches the model on $name after random file operations by four clients and repeated kills',
  async ({ name, database, makeSettings }) => {
    const random = makeRandom(`File operations on ${name}`)
    await using installation = await openInstallation(await makeSettings())
    const { world } = installation
    const clients = []
    for (const [index, name] of ['ada', 'ben', 'cleo', 'dan'].entries()) {
      const { headers } = await addStaff(world.server, name)
      clients.push({ index, name, random: random.fork(), headers })
    }
    const workload = new Workload(world, clients)
    let kills = 0
    for (; workload.operations < operations; kills++) {
      if (database === 'sqlite' && random.chance(0.4)) await installation.restart(random.between(1000, 6000))
      await workload.run(random.between(100, 300), () => installation.kill({ withCommand: random.chance(0.5) }))
      await installation.restart()
      await workload.settle()
      await workload.expectAsPredicted(random)
      await installation.endInterrupted()
    }
    await installation.waitForDiscardedCopies()
    await workload.expectAsPredicted(random, true)
    await installation.expectClean(kills)
    const counts = [...workload.counts].map(([kind, { ok, refused, settled }]) => `${kind} ${ok}/${refused}/${settled}`)
    process.stdout.write(
      `${name}: ${workload.operations} operations, ${kills} kills; succeeded/refused/settled: ${counts.join(', ')}\n`,
    )
    for (const [kind, { ok }] of workload.counts) expect(ok, kind).toBeGreaterThan(0)
  },
  timeout,
)
