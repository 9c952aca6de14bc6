import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import { runCommand } from '../support/run-command.ts'
import { startPostgres } from '../support/services/start-postgres.ts'
import { expectNoViolations, type SentFile, UploadHistory } from './history.ts'
import { makeLinkWorkload } from './link-workload.ts'
import { makeRandom, type Random } from './random.ts'
import { addStaff, makeBody, openFaultServer, type Person, type TestServer } from './test-server.ts'

const restarts = 5
const intervalMs = 10_000
/** Counted from the moment PostgreSQL is back. */
const recoveryTimeoutMs = 10_000
/** The maximum duration of an action. A tus upload may wait six seconds until the process that wrote it counts as dead. */
const actionTimeoutMs = 20_000

/** A file that only one client uses. */
interface OwnFile {
  entry: SentFile
  bytes: Buffer
  id: string | undefined
  /** The URL path of a tus upload; empty for PUT. */
  path: string
}

const random = makeRandom('F12')
const history = new UploadHistory()
/** Violations found while the load runs. */
const violations: string[] = []
const recoveryTimes: number[] = []
let longestActionMs = 0
let postgres: Awaited<ReturnType<typeof startPostgres>>
let server: TestServer
let people: Person[]
let linkWorkload: ReturnType<typeof makeLinkWorkload>

beforeAll(async () => {
  postgres = await startPostgres()
  server = await openFaultServer({ DATABASE_URL: postgres.url, TRUST_PROXY: '127.0.0.1' })
  people = await Promise.all(['ada', 'ben', 'cleo', 'dan'].map((name) => addStaff(server, name)))
  linkWorkload = makeLinkWorkload(server)
}, 60_000)
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await postgres.stop()
})

describe('F12: after five restarts of PostgreSQL under load from twenty clients', () => {
  beforeAll(async () => {
    let isOver = false
    const clients = Array.from({ length: 20 }, async (_, i) => {
      const files: OwnFile[] = []
      const clientRandom = random.fork()
      const person = people[i % people.length] as Person
      for (let count = 0; !isOver; count++) {
        const startedAt = performance.now()
        await act(clientRandom, person, files, `client-${i}-${count}.bin`)
        longestActionMs = Math.max(longestActionMs, performance.now() - startedAt)
      }
      return { files, person }
    })
    for (let round = 0; round < restarts; round++) {
      await wait(intervalMs)
      await postgres.restart()
      await waitForRecovery(round)
    }
    isOver = true
    // The load is over: resume interrupted tus uploads as soon as the processes that wrote them count as dead.
    const done = await Promise.all(clients)
    await Promise.all(done.flatMap(({ files, person }) => files.map((file) => resumeUpload(file, person))))
  }, 120_000)

  it('the server recovers within ten seconds each time without a restart, and no request fails with 500 or takes long', () => {
    const rejections = server.output().split('"code":"server.unavailable"').length - 1
    process.stdout.write(
      `F12: recovered after ${recoveryTimes.map(Math.round).join(', ')} ms; ${rejections} rejections; the longest action took ${Math.round(longestActionMs)} ms\n`,
    )
    expect(server.process.exitCode).toBeNull()
    expect(
      server
        .output()
        .split('\n')
        .filter((line) => line.includes('"code":"server.failed"')),
    ).toEqual([])
    expect(rejections, 'some were rejected').toBeGreaterThan(5)
    expect(longestActionMs, 'the longest action').toBeLessThan(actionTimeoutMs)
  })

  it('every acknowledged upload exists once and is identical, and no other is partial', async () => {
    expectNoViolations(history.findViolations(await server.findFiles()))
    expectNoViolations(violations)
    const counts = `${history.count('ok')} acknowledged, ${history.count('fail')} rejected, ${history.count('info')} unknown`
    process.stdout.write(`F12: ${history.sent.length} uploads, ${counts}\n`)
    expect(history.count('ok'), 'many uploads').toBeGreaterThan(100)
  })

  it('every acknowledged reset and deletion of a link is in effect', async () => {
    expectNoViolations(await linkWorkload.findViolations())
    const changes = linkWorkload.links.map(({ register }) => register.count('ok')).reduce((sum, count) => sum + count, 0)
    process.stdout.write(`F12: ${changes} changes of links acknowledged\n`)
    expect(changes, 'many changes').toBeGreaterThan(50)
  })

  it('no transaction is incomplete, and neptune fsck --scrub and neptune audit verify find no errors', async () => {
    for (const args of [
      ['fsck', '--scrub'],
      ['audit', 'verify'],
    ]) {
      const { code, out, err } = await runCommand(args, { DATA_DIR: server.data, DATABASE_URL: postgres.url })
      expect(code, `neptune ${args.join(' ')} printed:\n${out}${err}`).toBe(0)
    }
    const ids = await postgres.query('select id from upload where finished_at is not null except select id from file')
    expect(ids, 'finished uploads without a file').toEqual([])
  })
})

/** Repeats a write until it succeeds. Every rejection must have a Retry-After header. */
async function waitForRecovery(round: number) {
  const startedAt = performance.now()
  for (;;) {
    const response = await server.call('POST', '/v1/directory', { directory: `After ${round}`, client: server.company })
    if (response?.status === 200) break
    // An earlier attempt may have been committed although it was rejected.
    if (response?.body.code === 'directory.name_taken') break
    if (response?.status !== 503 || response.headers.get('retry-after') === null)
      violations.push(`after restart ${round} the status was ${response?.status}`)
    if (performance.now() - startedAt > recoveryTimeoutMs) {
      violations.push(`after restart ${round} the server did not recover in time`)
      break
    }
    await wait(50)
  }
  recoveryTimes.push(performance.now() - startedAt)
}

async function act(random: Random, person: Person, files: OwnFile[], name: string) {
  const dice = random.between(1, 100)
  if (dice <= 45) files.push(await upload(name, makeBody(random, 1, 30_000), random.chance(0.6) ? 'put' : 'tus', person))
  else if (dice <= 75) await linkWorkload.act(random, person)
  else if (files.length > 0) await useFile(random, random.pick(files), person)
}

/** If PostgreSQL goes away during a commit, the outcome is unknown. */
const isUnknown = (status: number | undefined) => status === undefined || status >= 500

async function upload(name: string, bytes: Buffer, method: 'put' | 'tus', { headers }: Person): Promise<OwnFile> {
  let path = ''
  const onCreated = (location: string) => {
    path = location
  }
  const { entry, status, id } = await server.upload(history, name, bytes, method, { headers, onCreated })
  if (isUnknown(status)) entry.outcome = 'info'
  return { entry, bytes, id, path }
}

async function resumeUpload(file: OwnFile, { headers }: Person) {
  if (file.path === '' || file.entry.outcome !== 'info') return
  const { status, id } = await server.resume(file.path, file.bytes, headers)
  if (status === 404) violations.push(`${file.entry.name} was created but cannot be resumed`)
  if (isUnknown(status)) return
  file.entry.outcome = 'ok'
  file.id = id
}

async function useFile(random: Random, file: OwnFile, person: Person) {
  const { entry, id, bytes } = file
  if (entry.outcome === 'info') return resumeUpload(file, person)
  if (id === undefined || entry.outcome !== 'ok' || entry.place === 'either') return
  if (entry.place === 'trash') return move(entry, 'listed', () => server.call('POST', '/v1/file/restore', { ids: [id] }))
  if (random.chance(0.5)) return move(entry, 'trash', () => server.call('DELETE', `/v1/file/${id}`))
  const reply = await fetch(`${server.url}/v1/file/${id}`, { headers: person.headers })
  const hash = reply.ok ? digest(new Uint8Array(await reply.arrayBuffer())) : undefined
  if (isUnknown(reply.status) ? reply.status !== 503 : hash !== digest(bytes))
    violations.push(`${entry.name} was downloaded with status ${reply.status} as ${hash}`)
}

async function move(entry: SentFile, to: 'listed' | 'trash', attempt: () => Promise<{ status: number } | undefined>) {
  entry.place = 'either'
  const response = await attempt()
  if (response && response.status < 300) entry.place = to
  else if (!isUnknown(response?.status)) violations.push(`${entry.name} could not be moved (${to}): ${response?.status}`)
}
