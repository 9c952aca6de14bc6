import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { digest, enter, openClient } from '../support/client.ts'
import { makeCrowd } from '../support/crowd.ts'
import { freePort } from '../support/free-port.ts'
import { runCommand } from '../support/run-command.ts'
import { settings } from '../support/signed-in.ts'
import { admin, failToStart, startNeptune } from '../support/start-neptune.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { startS3 } from '../support/start-s3.ts'
import { clientsOfEach, pidsOf } from '../support/workers.ts'

type Settings = Record<string, string>
type Neptune = Awaited<ReturnType<typeof startNeptune>>

const patience = { timeout: 60_000 }
const scratch = mkdtempSync(join(tmpdir(), 'neptune-many-'))
let postgres: Awaited<ReturnType<typeof startPostgres>>
let s3: Awaited<ReturnType<typeof startS3>>
let DATABASE_URL: string
let count = 0
/** Whatever is still running at the end. */
const started: Neptune[] = []

async function start(more: Settings): Promise<Neptune> {
  const neptune = await startNeptune({ ...settings, ...more })
  started.push(neptune)
  return neptune
}

beforeAll(async () => {
  ;[postgres, s3] = await Promise.all([startPostgres(), startS3()])
}, 120_000)
beforeEach(async () => {
  await postgres.query(`create database neptune_${++count}`)
  DATABASE_URL = postgres.url.replace(/postgres$/, `neptune_${count}`)
})
afterAll(async () => {
  await Promise.all(started.map((neptune) => neptune[Symbol.asyncDispose]()))
  await Promise.all([postgres.stop(), s3.stop()])
  rmSync(scratch, { recursive: true, force: true })
}, 60_000)

/** Somebody signed in, and a directory. */
async function moveIn({ url }: Neptune) {
  const { headers, company } = await enter(url, admin)
  using client = openClient(url, headers)
  const { id: directory = '' } = await client.data('POST', '/v1/directory', { directory: 'Plans', client: company })
  return { headers, company, directory }
}

async function expectClean(environment: Settings) {
  for (const words of [
    ['fsck', '--scrub'],
    ['audit', 'verify'],
  ]) {
    const { code, out, err } = await runCommand(words, environment)
    expect(code, `neptune ${words.join(' ')}: ${out}${err}`).toBe(0)
  }
}

describe('three workers of which one is killed again and again, under load', () => {
  it.each([
    ['SQLite', () => ({})],
    ['PostgreSQL', () => ({ DATABASE_URL })],
  ])('lose nothing on %s that they acknowledged', async (_, more) => {
    await using neptune = await start({ WORKERS: '3', PORT: String(await freePort()), ...more() })
    const { headers, ...place } = await moveIn(neptune)
    using crowd = makeCrowd([neptune.url], headers, place)
    let isOver = false
    const working = crowd.work(() => isOver)
    for (let round = 0; round < 6; round++) {
      const uploads = crowd.members.reduce((sum, { count }) => sum + count, 0)
      const more = () => crowd.members.reduce((sum, { count }) => sum + count, 0) - uploads
      await expect.poll(more, patience).toBeGreaterThan(40) // a moment counted in deeds
      const workers = [...pidsOf(neptune).values()]
      process.kill(workers[round % workers.length] ?? 0, 'SIGKILL')
    }
    isOver = true
    await working
    // On a quick machine all three may have been hit before the first was back.
    await expect.poll(() => fetch(`${neptune.url}/healthz`).then(({ status }) => status, String), patience).toBe(200)
    await crowd.resume()
    expect(crowd.members.flatMap(({ refused }) => refused)).toEqual([])
    expect(crowd.members.flatMap(({ unfinished }) => unfinished)).toEqual([])
    expect(await crowd.violations()).toEqual([])
    const broken = crowd.members.reduce((sum, { broken }) => sum + broken, 0)
    expect(broken, 'some were cut').toBeGreaterThan(0)
    await expectClean({ DATA_DIR: join(neptune.folder, 'data'), ...more() })
  })
})

it('a worker that slept while another one took its upload does no harm when it wakes', async () => {
  await using neptune = await start({ WORKERS: '2', LOG_LEVEL: 'info' })
  const { headers, directory } = await moveIn(neptune)
  using each = await clientsOfEach(neptune, 2, headers)
  const { one, two } = each
  const bytes = randomBytes(3_000_000)
  const path = (await one.begin(directory, 'slept.bin', bytes.length))?.headers.location ?? ''
  // Broken off, a piece with a checksum is taken back.
  const checksum = { 'upload-checksum': `sha256 ${createHash('sha256').update(bytes).digest('base64')}` }
  const old = one.hang(path, 0, bytes, 1_500_000, checksum)
  const stands = async () => Number((await two.stand(path))?.headers['upload-offset'])
  await expect.poll(stands, patience).toBeGreaterThan(1_000_000)
  const sleeper = pidsOf(neptune).get('1') ?? 0
  process.kill(sleeper, 'SIGSTOP')
  const offset = await stands()
  expect((await two.patch(path, offset, bytes.subarray(offset, offset + 500_000)))?.status).toBe(204)
  process.kill(sleeper, 'SIGCONT')
  expect(await old.ended).not.toBe(204)
  expect(await stands()).toBe(offset + 500_000)
  const last = await two.patch(path, offset + 500_000, bytes.subarray(offset + 500_000))
  expect(last?.status).toBe(204)
  const file = await two.ask('HEAD', `/v1/file/${last?.headers['neptune-file']}`)
  expect(file?.headers.etag).toBe(`"${digest(bytes)}"`)
  await expectClean({ DATA_DIR: join(neptune.folder, 'data') })
})

describe('two nodes', () => {
  it('of which one is killed or stopped and comes back, again and again: what was begun at one goes on at the other', async () => {
    const common = {
      ...settings,
      DATABASE_URL,
      SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9',
      ...s3.settings,
      S3_BUCKET: 'many',
    }
    const ports = [await freePort(), await freePort()]
    const startAt = (i: number) => start({ ...common, PORT: String(ports[i]) })
    const nodes = await Promise.all([startAt(0), startAt(1)])
    const urls = nodes.map(({ url }) => url)
    const { headers, ...place } = await moveIn(nodes[0] as Neptune)
    using crowd = makeCrowd(urls, headers, place)
    let isOver = false
    const working = crowd.work(() => isOver)
    for (let round = 0; round < 4; round++) {
      const i = round % 2
      const uploads = crowd.members.reduce((sum, { count }) => sum + count, 0)
      const more = () => crowd.members.reduce((sum, { count }) => sum + count, 0) - uploads
      await expect.poll(more, patience).toBeGreaterThan(40)
      if (round < 2) nodes[i]?.process.kill('SIGKILL')
      else nodes[i]?.process.kill('SIGTERM')
      const code = await nodes[i]?.ended
      if (round >= 2) expect(code).toBe(0)
      nodes[i] = await startAt(i)
    }
    isOver = true
    await working
    await crowd.resume()
    // One that stops says so to whoever still asks on an open connection, though not in words to a HEAD.
    const refused = crowd.members.flatMap(({ refused }) => refused)
    expect(refused.filter((text) => !/^HEAD: 503 $|server\.stopping/.test(text))).toEqual([])
    expect(crowd.members.flatMap(({ unfinished }) => unfinished)).toEqual([])
    expect(await crowd.violations()).toEqual([])
    await expectClean({ ...common, DATA_DIR: join(nodes[0]?.folder ?? '', 'data') })
  })

  it('with a folder for files each: the second one is refused', async () => {
    const common = { ...settings, DATABASE_URL, SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9' }
    await using _ = await start(common)
    const { lines } = await failToStart({ ...common, DATA_DIR: join(scratch, 'second') })
    expect(lines).toEqual([expect.stringContaining('in another data folder (compare the file store.id), not in')])
  })
})
