import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { authenticate, type Client, createDirectoryLink, digest, moveUpload, openClient } from '../support/client.ts'
import { makeCrowd } from '../support/load/crowd.ts'
import { runCommand } from '../support/run-command.ts'
import { startSmtp } from '../support/services/start-smtp.ts'
import { admin, startNeptune, tryToStart } from '../support/start-neptune.ts'
import { findWorker, openClientPerWorker, readLogEntries, readWorkerPids } from '../support/workers.ts'

const pollOptions = { timeout: 60_000 }
const token = 'a-token-of-more-than-20-chars'
let neptune: Awaited<ReturnType<typeof startNeptune>>
let smtp: Awaited<ReturnType<typeof startSmtp>>
let staff: Record<string, string>
let place: { company: string; directory: string }
let client: Client

beforeAll(async () => {
  smtp = await startSmtp()
  const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, METRICS_TOKEN: token, SMTP_URL: smtp.url }
  neptune = await startNeptune({ ...settings, WORKERS: '3' })
  const { headers, company } = await authenticate(neptune.url, admin)
  staff = headers
  client = openClient(neptune.url, staff, { keepAlive: false })
  const { id: directory = '' } = await client.requestData('POST', '/v1/directory', { directory: 'Plans', client: company })
  place = { company, directory }
}, 60_000)
afterAll(async () => {
  await neptune[Symbol.asyncDispose]()
  await smtp[Symbol.asyncDispose]()
}, 60_000)

async function expectNoErrors() {
  for (const args of [
    ['fsck', '--scrub'],
    ['audit', 'verify'],
  ]) {
    const { code, out, err } = await runCommand(args, { DATA_DIR: join(neptune.folder, 'data') })
    expect(code, `neptune ${args.join(' ')}: ${out}${err}`).toBe(0)
  }
}

it('counts wrong codes across all workers', async () => {
  const { key } = await createDirectoryLink(client, place.company, place.directory)
  using strangers = await openClientPerWorker(neptune, 3)
  const clients = [strangers.one, strangers.two, strangers.three]
  const guess = { accessKey: key, accessCode: '0000-0000-0000' }
  const replies = await Promise.all(Array.from({ length: 80 }, (_, i) => clients[i % 3]?.send('POST', '/v1/link/verify', guess)))
  const count = (status: number) => replies.filter((reply) => reply?.status === status).length
  expect([count(200), count(429)]).toEqual([10, 70])
})

it('resumes a stalled upload on another worker, with identical bytes', async () => {
  using clients = await openClientPerWorker(neptune, 3, staff)
  const bytes = randomBytes(20_000_000)
  const { headers } = await moveUpload(clients.one, clients.two, place.directory, bytes)
  const file = await client.send('HEAD', `/v1/file/${headers['neptune-file']}`)
  expect(file?.headers.etag).toBe(`"${digest(bytes)}"`)
  await expectNoErrors()
})

it('limits a recipient to four concurrent PUT uploads across all workers', async () => {
  const { key, code } = await createDirectoryLink(client, place.company, place.directory, 'LINK_EDITABLE_DIRECTORY')
  const { token = '' } = await client.requestData('POST', '/v1/link/verify', { accessKey: key, accessCode: code })
  const authorization = { authorization: `Bearer ${token}` }
  using first = await openClientPerWorker(neptune, 3, authorization)
  using second = await openClientPerWorker(neptune, 3, authorization)
  const stalled = [first.one, first.two, first.three, second.one].map((client, i) =>
    client.stallPut(place.directory, `stalled-${i}.bin`),
  )
  // Each upload counts once its bytes are on the disk.
  await expect.poll(() => readdirSync(join(neptune.folder, 'data/tmp')).length, pollOptions).toBe(4)
  const putOne = async () => (await second.two.put(place.directory, 'one-more.bin', Buffer.from('x')))?.status
  expect(await putOne()).toBe(429)
  for (const upload of stalled) upload.destroy()
  await expect.poll(putOne, pollOptions).toBe(200)
})

it('reports every worker’s metrics from any worker, and shared metrics once', async () => {
  const readMetrics = async () =>
    (await client.send('GET', '/metrics', undefined, { authorization: `Bearer ${token}` }))?.text ?? ''
  for (let i = 0; i < 3; i++) {
    const metrics = await readMetrics()
    for (const worker of ['1', '2', '3'])
      expect(metrics).toMatch(new RegExp(`^process_resident_memory_bytes{worker="${worker}"} `, 'm'))
    expect(metrics.match(/^neptune_database_up 1$/gm)).toHaveLength(1)
    expect(metrics.match(/^# TYPE neptune_http_requests_total /gm)).toHaveLength(1)
  }
  expect((await client.send('GET', '/metrics'))?.status).toBe(404)
})

it('closes only a killed worker’s connections, replaces the worker, and loses no acknowledged change', async () => {
  using crowd = makeCrowd([neptune.url], staff, place)
  // Each member keeps one connection.
  const workers = await Promise.all(
    crowd.members.map(async (member) => findWorker(neptune, await member.client.send('GET', '/healthz'))),
  )
  const before = readWorkerPids(neptune)
  let isOver = false
  const working = crowd.work(() => isOver)
  process.kill(before.get('2') ?? 0, 'SIGKILL')
  const countStarts = () =>
    readLogEntries(neptune).filter(({ msg, worker }) => worker === 2 && msg.startsWith('Server listening')).length
  await expect.poll(countStarts, pollOptions).toBe(2)
  isOver = true
  await working
  await crowd.resume()
  expect(crowd.members.filter((member, i) => member.unanswered > 0 && workers[i] !== 2)).toEqual([])
  expect(crowd.members.flatMap(({ rejected }) => rejected)).toEqual([])
  expect(await crowd.findViolations()).toEqual([])
  await expectNoErrors()
})

it('replaces all workers on SIGUSR2 under load, without rejecting, failing or interrupting a request', async () => {
  using reader = openClient(neptune.url, staff)
  const large = randomBytes(24 * 2 ** 20) // more than fits into a connection's buffers
  const stored = await reader.put(place.directory, 'large.bin', large)
  const finish = await reader.startSlowDownload(JSON.parse(stored?.text ?? '').data.id)
  using crowd = makeCrowd([neptune.url], staff, place)
  const before = new Set(readWorkerPids(neptune).values())
  let isOver = false
  const working = crowd.work(() => isOver)
  const countReplaced = () => readLogEntries(neptune).filter(({ msg }) => msg === 'a worker was replaced').length
  const replacedBefore = countReplaced()
  neptune.process.kill('SIGUSR2')
  await expect.poll(() => countReplaced() - replacedBefore, pollOptions).toBe(3)
  expect(await finish()).toBe(digest(large))
  await expect.poll(() => [...readWorkerPids(neptune).values()].filter((pid) => before.has(pid)), pollOptions).toEqual([])
  isOver = true
  await working
  expect(crowd.members.map(({ unanswered }) => unanswered).filter((unanswered) => unanswered > 0)).toEqual([])
  expect(crowd.members.flatMap(({ rejected }) => rejected)).toEqual([])
  expect(await crowd.findViolations()).toEqual([])
  await expectNoErrors()
})

it('sends each email once, even after the sending worker was killed', async () => {
  const send = (to: string) => client.requestData('POST', '/v1/admin/mail/test', { to })
  const first = readWorkerPids(neptune).get('1') ?? 0
  for (let i = 0; i < 8; i++) await send(`before-${i}@acme.example`)
  await expect.poll(() => smtp.messages.length, pollOptions).toBe(8)
  process.kill(first, 'SIGKILL')
  for (let i = 0; i < 8; i++) await send(`after-${i}@acme.example`)
  await expect.poll(() => smtp.messages.length, pollOptions).toBe(16)
  expect(new Set(smtp.messages.map(({ to }) => to[0])).size).toBe(16)
})

it('fails to start with one message if a worker cannot start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-workers-'))
  const NODE_OPTIONS = `--import=${join(import.meta.dirname, '../support/preload/exit-second-worker.ts')}`
  const { code, lines } = await tryToStart({ DATA_DIR: folder, WORKERS: '2', LOG_LEVEL: 'error', NODE_OPTIONS })
  rmSync(folder, { recursive: true })
  expect(code).toBe(1)
  expect(lines.at(-1)).toBe('Neptune cannot start. Worker 2 exited before it was ready (3).')
})

it('finishes requests in flight on every worker on SIGTERM, and ends all workers', async () => {
  await using other = await startNeptune({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, WORKERS: '2' })
  const { headers, company } = await authenticate(other.url, admin)
  const people = Array.from({ length: 6 }, () => openClient(other.url, headers))
  const { id: directory = '' } =
    (await people[0]?.requestData('POST', '/v1/directory', { directory: 'Plans', client: company })) ?? {}
  const uploads = people.map((person, i) => person.stallPut(directory, `${i}.bin`))
  await Promise.all(uploads.map(({ started }) => started))
  other.process.kill('SIGTERM')
  await expect.poll(other.output, pollOptions).toContain('Neptune is stopping')
  await expect
    .poll(
      () =>
        fetch(`${other.url}/healthz`).then(
          () => 'open',
          () => 'closed',
        ),
      pollOptions,
    )
    .toBe('closed')
  for (const upload of uploads) upload.finish()
  expect(await Promise.all(uploads.map(({ ended }) => ended))).toEqual(uploads.map(() => 200))
  expect(await other.ended).toBe(0)
})
