import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authenticate, digest, openClient } from '../support/client.ts'
import { makeCrowd } from '../support/load/crowd.ts'
import { runCommand } from '../support/run-command.ts'
import { findFreePort } from '../support/services/free-port.ts'
import { startPostgres } from '../support/services/start-postgres.ts'
import { startS3 } from '../support/services/start-s3.ts'
import { admin, startNeptune, tryToStart } from '../support/start-neptune.ts'
import { settings } from '../support/start-signed-in.ts'
import { openClientPerWorker, readWorkerPids } from '../support/workers.ts'

type Settings = Record<string, string>
type Neptune = Awaited<ReturnType<typeof startNeptune>>

const pollOptions = { timeout: 60_000 }
const scratch = mkdtempSync(join(tmpdir(), 'neptune-many-'))
let postgres: Awaited<ReturnType<typeof startPostgres>>
let s3: Awaited<ReturnType<typeof startS3>>
let DATABASE_URL: string
let count = 0
/** All servers, to stop at the end. */
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

/** Signs in and creates a directory. */
async function prepare({ url }: Neptune) {
  const { headers, company } = await authenticate(url, admin)
  using client = openClient(url, headers)
  const { id: directory = '' } = await client.requestData('POST', '/v1/directory', { directory: 'Plans', client: company })
  return { headers, company, directory }
}

async function expectClean(environment: Settings) {
  for (const args of [
    ['fsck', '--scrub'],
    ['audit', 'verify'],
  ]) {
    const { code, out, err } = await runCommand(args, environment)
    expect(code, `neptune ${args.join(' ')}: ${out}${err}`).toBe(0)
  }
}

type Crowd = ReturnType<typeof makeCrowd>
const countUploads = ({ members }: Crowd) => members.reduce((sum, { uploadCount }) => sum + uploadCount, 0)

describe('three workers that are killed one after another under load', () => {
  it.each([
    ['SQLite', () => ({})],
    ['PostgreSQL', () => ({ DATABASE_URL })],
  ])('lose no acknowledged change on %s', async (_, more) => {
    await using neptune = await start({ WORKERS: '3', PORT: String(await findFreePort()), ...more() })
    const { headers, ...place } = await prepare(neptune)
    using crowd = makeCrowd([neptune.url], headers, place)
    let isOver = false
    const working = crowd.work(() => isOver)
    for (let round = 0; round < 6; round++) {
      const uploadsBefore = countUploads(crowd)
      await expect.poll(() => countUploads(crowd) - uploadsBefore, pollOptions).toBeGreaterThan(40) // counted in uploads, not in seconds
      const workers = [...readWorkerPids(neptune).values()]
      process.kill(workers[round % workers.length] ?? 0, 'SIGKILL')
    }
    isOver = true
    await working
    // On a fast machine all three may be killed before the first is restarted.
    await expect.poll(() => fetch(`${neptune.url}/healthz`).then(({ status }) => status, String), pollOptions).toBe(200)
    await crowd.resume()
    expect(crowd.members.flatMap(({ rejected }) => rejected)).toEqual([])
    expect(crowd.members.flatMap(({ unfinished }) => unfinished)).toEqual([])
    expect(await crowd.findViolations()).toEqual([])
    const broken = crowd.members.reduce((sum, { unanswered }) => sum + unanswered, 0)
    expect(broken, 'some were interrupted').toBeGreaterThan(0)
    await expectClean({ DATA_DIR: join(neptune.folder, 'data'), ...more() })
  })
})

it('a worker that was suspended while another took over its upload does no harm when it resumes', async () => {
  await using neptune = await start({ WORKERS: '2', LOG_LEVEL: 'info' })
  const { headers, directory } = await prepare(neptune)
  using clients = await openClientPerWorker(neptune, 2, headers)
  const { one, two } = clients
  const bytes = randomBytes(8_000_000)
  const path = (await one.createUpload(directory, 'suspended.bin', bytes.length))?.headers.location ?? ''
  // An interrupted chunk with a checksum is discarded.
  const checksum = { 'upload-checksum': `sha256 ${createHash('sha256').update(bytes).digest('base64')}` }
  const stalled = one.stallPatch(path, 0, bytes, 4_000_000, checksum)
  await expect.poll(() => two.readReceived(directory), pollOptions).toBeGreaterThan(1_000_000)
  const suspendedPid = readWorkerPids(neptune).get('1') ?? 0
  process.kill(suspendedPid, 'SIGSTOP')
  const readOffset = async () => Number((await two.headUpload(path))?.headers['upload-offset'])
  const offset = await readOffset()
  expect((await two.patch(path, offset, bytes.subarray(offset, offset + 500_000)))?.status).toBe(204)
  process.kill(suspendedPid, 'SIGCONT')
  expect(await stalled.ended).not.toBe(204)
  // One write may have been under way when it was suspended. It adds bytes of the same file.
  const received = await readOffset()
  expect(received).toBeGreaterThanOrEqual(offset + 500_000)
  const last = await two.patch(path, received, bytes.subarray(received))
  expect(last?.status).toBe(204)
  const file = await two.send('HEAD', `/v1/file/${last?.headers['neptune-file']}`)
  expect(file?.headers.etag).toBe(`"${digest(bytes)}"`)
  await expectClean({ DATA_DIR: join(neptune.folder, 'data') })
})

describe('two nodes', () => {
  it('resume each other’s uploads while one at a time is killed or stopped and restarted', async () => {
    const common = {
      ...settings,
      DATABASE_URL,
      SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9',
      ...s3.settings,
      S3_BUCKET: 'many',
    }
    const ports = [await findFreePort(), await findFreePort()]
    const startAt = (i: number) => start({ ...common, PORT: String(ports[i]) })
    const nodes = await Promise.all([startAt(0), startAt(1)])
    const urls = nodes.map(({ url }) => url)
    const { headers, ...place } = await prepare(nodes[0] as Neptune)
    using crowd = makeCrowd(urls, headers, place)
    let isOver = false
    const working = crowd.work(() => isOver)
    for (let round = 0; round < 4; round++) {
      const i = round % 2
      const uploadsBefore = countUploads(crowd)
      await expect.poll(() => countUploads(crowd) - uploadsBefore, pollOptions).toBeGreaterThan(40)
      if (round < 2) nodes[i]?.process.kill('SIGKILL')
      else nodes[i]?.process.kill('SIGTERM')
      const code = await nodes[i]?.ended
      if (round >= 2) expect(code).toBe(0)
      nodes[i] = await startAt(i)
    }
    isOver = true
    await working
    await crowd.resume()
    // A node that shuts down responds with 503 on open connections; a response to HEAD has no body.
    const rejected = crowd.members.flatMap(({ rejected }) => rejected)
    expect(rejected.filter((text) => !/^HEAD: 503 $|server\.stopping/.test(text))).toEqual([])
    expect(crowd.members.flatMap(({ unfinished }) => unfinished)).toEqual([])
    expect(await crowd.findViolations()).toEqual([])
    await expectClean({ ...common, DATA_DIR: join(nodes[0]?.folder ?? '', 'data') })
  })

  it('with separate file folders cannot both start', async () => {
    const common = { ...settings, DATABASE_URL, SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9' }
    await using _ = await start(common)
    const { lines } = await tryToStart({ ...common, DATA_DIR: join(scratch, 'second') })
    expect(lines).toEqual([expect.stringContaining('in another data folder (compare the file store.id), not in')])
  })
})
