import { expect, it } from 'vitest'
import { type Db, isSqlite } from '../../db/database.ts'
import { startTestServer } from '../../testing.ts'
import { runJob } from './job.service.ts'

const minute = 60_000

/** Starts the job as another node would, and keeps it running until `end` or `fail` is called. */
async function startBusyNode(server: { deps: Parameters<typeof runJob>[0] }, name: string) {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const { promise: finished, resolve: end, reject: fail } = Promise.withResolvers<void>()
  const ended = runJob(server.deps, name, minute, async () => {
    start()
    await finished
  })
  ended.catch(() => undefined)
  await started
  return { end, fail, ended }
}

/** Matches the number of runs. With SQLite any number matches: only one process runs jobs there, so there are no locks. */
const matchRuns = (db: Db, times: number) => (isSqlite(db) ? expect.any(Number) : times)

it('runs a job on one node at a time, and once per interval on all nodes', async () => {
  await using server = await startTestServer()
  let runs = 0
  const run = () =>
    runJob(server.deps, 'sweep', minute, async () => {
      runs++
    })
  const other = await startBusyNode(server, 'sweep')
  await run()
  expect(runs).toEqual(matchRuns(server.deps.db, 0))
  other.end()
  await other.ended
  await run() // within the interval
  expect(runs).toEqual(matchRuns(server.deps.db, 0))
  server.advance(minute)
  await Promise.all([run(), run(), run()])
  expect(runs).toEqual(matchRuns(server.deps.db, 1))
  server.advance(-60 * minute) // a time in the future, stored by a clock that was ahead, is ignored
  await run()
  expect(runs).toEqual(matchRuns(server.deps.db, 2))
})

it('releases the lock of a job that fails, and runs it the next time', async () => {
  await using server = await startTestServer()
  const other = await startBusyNode(server, 'sweep')
  other.fail(new Error('the node died'))
  await expect(other.ended).rejects.toThrow('the node died')
  let runs = 0
  await runJob(server.deps, 'sweep', minute, async () => {
    runs++
  })
  expect(runs).toBe(1)
})
