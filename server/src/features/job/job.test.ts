import { expect, it } from 'vitest'
import { type Db, isSqlite } from '../../db/database.ts'
import { startTestServer } from '../../testing.ts'
import { runJob } from './job.service.ts'

const minute = 60_000

/** Another process that is at the same job until told to end. */
async function busyNode(server: { deps: Parameters<typeof runJob>[0] }, name: string) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: over, resolve: end, reject: fail } = Promise.withResolvers<void>()
  const ended = runJob(server.deps, name, minute, async () => {
    begin()
    await over
  })
  ended.catch(() => undefined)
  await begun
  return { end, fail, ended }
}

/** On SQLite one process alone has jobs, so nobody is kept away from any. */
const timesAmongNodes = (db: Db, times: number) => (isSqlite(db) ? expect.any(Number) : times)

it('a job is done by one node at a time, and once in its time by all of them', async () => {
  await using server = await startTestServer()
  let ran = 0
  const tryIt = () =>
    runJob(server.deps, 'sweep', minute, async () => {
      ran++
    })
  const other = await busyNode(server, 'sweep')
  await tryIt()
  expect(ran).toEqual(timesAmongNodes(server.deps.db, 0))
  other.end()
  await other.ended
  await tryIt() // within its time
  expect(ran).toEqual(timesAmongNodes(server.deps.db, 0))
  server.advance(minute)
  await Promise.all([tryIt(), tryIt(), tryIt()])
  expect(ran).toEqual(timesAmongNodes(server.deps.db, 1))
  server.advance(-60 * minute) // what a clock that was ahead has written holds nothing up
  await tryIt()
  expect(ran).toEqual(timesAmongNodes(server.deps.db, 2))
})

it('a job that failed leaves no lock, and is done the next time', async () => {
  await using server = await startTestServer()
  const other = await busyNode(server, 'sweep')
  other.fail(new Error('the node died'))
  await expect(other.ended).rejects.toThrow('the node died')
  let ran = 0
  await runJob(server.deps, 'sweep', minute, async () => {
    ran++
  })
  expect(ran).toBe(1)
})
