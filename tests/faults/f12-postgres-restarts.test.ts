import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import { runCommand } from '../support/run-command.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { expectNone, type Sent, SetHistory } from './history.ts'
import { body, type House, hire, openHouse, type Person } from './house.ts'
import { shareLinks } from './links.ts'
import { type Random, randomOf } from './random.ts'

const restarts = 5
const every = 10_000
/** From when PostgreSQL is back. */
const patience = 10_000
/** For anything that anybody does meanwhile: an upload in pieces may wait six seconds until whoever had it is taken for dead. */
const longest = 20_000

/** A file of a client's own: nobody else touches it. */
interface Own {
  entry: Sent
  bytes: Buffer
  id: string | undefined
  /** Of one in pieces: where to go on. */
  path: string
}

const random = randomOf('F12')
const history = new SetHistory()
/** What was wrong at once, without looking at the whole. */
const wrong: string[] = []
const healed: number[] = []
let slowest = 0
let postgres: Awaited<ReturnType<typeof startPostgres>>
let house: House
let people: Person[]
let links: ReturnType<typeof shareLinks>

beforeAll(async () => {
  postgres = await startPostgres()
  house = await openHouse({ DATABASE_URL: postgres.url, TRUST_PROXY: '127.0.0.1' })
  people = await Promise.all(['ada', 'ben', 'cleo', 'dan'].map((name) => hire(house, name)))
  links = shareLinks(house)
}, 60_000)
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await postgres.stop()
})

describe('F12: after PostgreSQL was cut off and restarted five times under the traffic of twenty clients', () => {
  beforeAll(async () => {
    let isOver = false
    const clients = Array.from({ length: 20 }, async (_, i) => {
      const files: Own[] = []
      const chance = random.fork()
      const person = people[i % people.length] as Person
      for (let count = 0; !isOver; count++) {
        const begun = performance.now()
        await act(chance, person, files, `client-${i}-${count}.bin`)
        slowest = Math.max(slowest, performance.now() - begun)
      }
      return { files, person }
    })
    for (let round = 0; round < restarts; round++) {
      await wait(every)
      await postgres.restart()
      await heal(round)
    }
    isOver = true
    // Quiet now. What came in pieces and was cut goes on, as soon as whoever had it is taken for dead.
    const done = await Promise.all(clients)
    await Promise.all(done.flatMap(({ files, person }) => files.map((file) => goOn(file, person))))
  }, 120_000)

  it('it is whole within ten seconds each time without a restart of ours; nobody is told that it failed, or waits for long', () => {
    const refusals = house.output().split('"code":"server.unavailable"').length - 1
    process.stdout.write(
      `F12: whole after ${healed.map(Math.round).join(', ')} ms; ${refusals} refusals; the longest deed took ${Math.round(slowest)} ms\n`,
    )
    expect(house.process.exitCode).toBeNull()
    expect(
      house
        .output()
        .split('\n')
        .filter((line) => line.includes('"code":"server.failed"')),
    ).toEqual([])
    expect(refusals, 'some were refused').toBeGreaterThan(5)
    expect(slowest, 'the longest that anything took').toBeLessThan(longest)
  })

  it('every upload that was acknowledged is there once and byte-exact, and no other is half there', async () => {
    expectNone(history.violations(await house.found()))
    expectNone(wrong)
    const counts = `${history.count('ok')} acknowledged, ${history.count('fail')} refused, ${history.count('info')} unknown`
    process.stdout.write(`F12: ${history.sent.length} uploads, ${counts}\n`)
    expect(history.count('ok'), 'many uploads').toBeGreaterThan(100)
  })

  it('every reset and deletion of a link that was acknowledged holds', async () => {
    expectNone(await links.violations())
    const changes = links.links.map(({ register }) => register.count('ok')).reduce((sum, count) => sum + count, 0)
    process.stdout.write(`F12: ${changes} changes of links acknowledged\n`)
    expect(changes, 'many changes').toBeGreaterThan(50)
  })

  it('no transaction was left half done: neptune fsck --scrub and neptune audit verify come out clean', async () => {
    for (const words of [
      ['fsck', '--scrub'],
      ['audit', 'verify'],
    ]) {
      const { code, out, err } = await runCommand(words, { DATA_DIR: house.data, DATABASE_URL: postgres.url })
      expect(code, `neptune ${words.join(' ')} said:\n${out}${err}`).toBe(0)
    }
    const ids = await postgres.query('select id from upload where finished_at is not null except select id from file')
    expect(ids, 'uploads that are said to be files').toEqual([])
  })
})

/** Asks again and again for something that is written, until it is. What it is refused with must say when to come back. */
async function heal(round: number) {
  const begun = performance.now()
  for (;;) {
    const answer = await house.call('POST', '/v1/directory', { directory: `After ${round}`, client: house.company })
    if (answer?.status === 200) break
    // It may have been there all along: then whoever was refused before made it.
    if (answer?.body.code === 'directory.name_taken') break
    if (answer?.status !== 503 || answer.headers.get('retry-after') === null)
      wrong.push(`after restart ${round} the answer was ${answer?.status}`)
    if (performance.now() - begun > patience) {
      wrong.push(`after restart ${round} it was not whole in time`)
      break
    }
    await wait(50)
  }
  healed.push(performance.now() - begun)
}

async function act(chance: Random, person: Person, files: Own[], name: string) {
  const deed = chance.between(1, 100)
  if (deed <= 45) files.push(await upload(name, body(chance, 1, 30_000), chance.chance(0.6) ? 'put' : 'tus', person))
  else if (deed <= 75) await links.act(chance, person)
  else if (files.length > 0) await useFile(chance, chance.pick(files), person)
}

/** When PostgreSQL goes in the very moment of a commit, nobody knows whether there is a file. */
const isUnknown = (status: number | undefined) => status === undefined || status >= 500

async function upload(name: string, bytes: Buffer, way: 'put' | 'tus', { headers }: Person): Promise<Own> {
  let path = ''
  const at = (told: string) => {
    path = told
  }
  const { entry, status, id } = await house.upload(history, name, bytes, way, { headers, at })
  if (isUnknown(status)) entry.outcome = 'info'
  return { entry, bytes, id, path }
}

async function goOn(file: Own, { headers }: Person) {
  if (file.path === '' || file.entry.outcome !== 'info') return
  const { status, id } = await house.resume(file.path, file.bytes, headers)
  if (status === 404) wrong.push(`${file.entry.name} was begun, and cannot be gone on with`)
  if (isUnknown(status)) return
  file.entry.outcome = 'ok'
  file.id = id
}

async function useFile(chance: Random, file: Own, person: Person) {
  const { entry, id, bytes } = file
  if (entry.outcome === 'info') return goOn(file, person)
  if (id === undefined || entry.outcome !== 'ok' || entry.place === 'either') return
  if (entry.place === 'trash') return move(entry, 'listed', () => house.call('POST', '/v1/file/restore', { ids: [id] }))
  if (chance.chance(0.5)) return move(entry, 'trash', () => house.call('DELETE', `/v1/file/${id}`))
  const reply = await fetch(`${house.url}/v1/file/${id}`, { headers: person.headers })
  const sum = reply.ok ? digest(new Uint8Array(await reply.arrayBuffer())) : undefined
  if (isUnknown(reply.status) ? reply.status !== 503 : sum !== digest(bytes))
    wrong.push(`${entry.name} came down with ${reply.status} as ${sum}`)
}

async function move(entry: Sent, to: 'listed' | 'trash', attempt: () => Promise<{ status: number } | undefined>) {
  entry.place = 'either'
  const answer = await attempt()
  if (answer && answer.status < 300) entry.place = to
  else if (!isUnknown(answer?.status)) wrong.push(`${entry.name} could not be moved (${to}): ${answer?.status}`)
}
