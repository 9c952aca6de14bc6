import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import type { Fault } from '../support/services/faulty-s3.ts'
import { type S3Server, startS3 } from '../support/services/start-s3.ts'
import { toOutcome, UploadHistory } from './history.ts'
import { makeRandom } from './random.ts'
import { openS3TestServer } from './s3-test-server.ts'
import { makeBody, type TestServer } from './test-server.ts'

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
}, 180_000) // may have to install it first
afterAll(() => s3.stop())

/** Large enough for more than one part. */
const large = 10_000_000
const contentRequests = /^PUT \/[^/]+\/(blobs|uploads)\//

it.each<[string, Fault]>([
  ['responds with 500', { status: 500 }],
  ['responds with 503', { status: 503 }],
  ['never responds', { hang: true }],
])('F14: retries a few times if the store %s, then returns 503, lists nothing, and recovers afterwards', async (_, fault) => {
  const random = makeRandom('F14')
  const history = new UploadHistory()
  await using s3Server = await openS3TestServer(s3)
  const { server, faulty, bucket } = s3Server
  await server.upload(history, 'before.bin', makeBody(random, 1, 100_000))
  faulty.heal()
  faulty.fail(contentRequests, fault)

  const bytes = random.bytes(large)
  const resumable = history.invoke('tus.bin', digest(bytes), large)
  let path = ''
  const statuses = await Promise.all([
    server.upload(history, 'small.bin', makeBody(random, 1, 100_000)).then(({ status }) => status),
    server.upload(history, 'large.bin', random.bytes(large)).then(({ status }) => status),
    server
      .uploadByTus('tus.bin', bytes, { requests: 1, onCreated: (location) => (path = location) })
      .then(({ status }) => status),
  ])
  expect(statuses).toEqual([503, 503, 503])
  const attempts = Map.groupBy(
    faulty.received.filter((line) => contentRequests.test(line)),
    (line) => line,
  )
  expect(Math.max(...[...attempts.values()].map(({ length }) => length)), 'attempts of one request').toBeLessThanOrEqual(4)
  expect(await server.listRows(''), 'only the file from before').toHaveLength(1)
  expect(await bucket.listKeys()).toHaveLength(1)
  expect(await bucket.countUnfinished(), 'of the upload that can be resumed').toBeLessThanOrEqual(1)
  expect((await server.call('GET', '/healthz'))?.status).toBe(200)

  faulty.heal()
  resumable.outcome = toOutcome((await server.resume(path, bytes)).status)
  expect(resumable.outcome).toBe('ok')
  for (const method of ['put', 'tus'] as const) {
    const { entry } = await server.upload(history, `after-${method}.bin`, makeBody(random, 1, 100_000), method)
    expect(entry.outcome).toBe('ok')
  }
  await s3Server.expectConsistent(history)
})

it('F14: hides errors that occur once or twice, and slow responses', async () => {
  const random = makeRandom('F14 short errors')
  const history = new UploadHistory()
  await using s3Server = await openS3TestServer(s3)
  const { server, faulty } = s3Server
  const faults: Fault[] = [{ status: 500 }, { status: 503 }, { status: 429 }, { loseResponse: true }, { delayMs: 300 }]
  for (const [i, fault] of faults.entries()) {
    for (const [n, method] of (['put', 'tus'] as const).entries()) {
      const bytes = (i + n) % 2 ? makeBody(random, 1, 100_000) : random.bytes(large)
      faulty.heal()
      for (const requests of [/^PUT/, /^POST/, /^HEAD/, /^GET/, /^DELETE/]) faulty.fail(requests, fault, random.between(1, 2))
      const { entry } = await server.upload(history, `${i}-${method}.bin`, bytes, method)
      expect(entry.outcome, `${JSON.stringify(fault)}, ${method}, ${bytes.length} bytes`).toBe('ok')
    }
  }
  faulty.heal()
  await s3Server.expectConsistent(history)
})

it('F14: resumes a download where the store breaks off or ends early, and aborts the transfer if the store keeps failing', async () => {
  const random = makeRandom('F14 downloads')
  await using s3Server = await openS3TestServer(s3)
  const { server, faulty } = s3Server
  const bytes = random.bytes(5_000_000)
  const { id = '' } = await server.put('large.bin', bytes)
  const fileRequests = /^GET \/[^/]+\/blobs\//
  const faults: Fault[] = [{ cutAfter: 100_000 }, { endAfter: 100_000 }, { status: 503 }, { cutAfter: 1 }, { endAfter: 1 }]
  for (const fault of faults) {
    faulty.heal()
    faulty.fail(fileRequests, fault, 3)
    const { isComplete, received } = await download(server, id)
    expect({ isComplete, hash: digest(received) }, `three times ${JSON.stringify(fault)}`).toEqual({
      isComplete: true,
      hash: digest(bytes),
    })
  }
  for (const fault of [{ cutAfter: 1 }, { endAfter: 1 }, { status: 503 }, { hang: true }] satisfies Fault[]) {
    faulty.heal()
    faulty.fail(fileRequests, fault)
    const { isComplete, received } = await download(server, id)
    expect(isComplete, `always ${JSON.stringify(fault)}`).toBe(false)
    expect(bytes.subarray(0, received.length).equals(received)).toBe(true)
    expect(faulty.received.filter((line) => fileRequests.test(line)).length, 'attempts').toBeLessThanOrEqual(4)
  }
  faulty.heal()
  expect((await download(server, id)).isComplete).toBe(true)
})

it('F14: returns 503 from downloads and /readyz while the store fails, and recovers afterwards', async () => {
  const random = makeRandom('F14 unavailable')
  await using s3Server = await openS3TestServer(s3)
  const { server, faulty } = s3Server
  const { id = '' } = await server.put('small.bin', random.bytes(1000))
  faulty.fail(/./, { status: 500 })
  expect(await server.call('GET', `/v1/file/${id}`)).toMatchObject({ status: 503, body: { code: 'storage.unavailable' } })
  expect((await server.call('GET', '/readyz'))?.status).toBe(503)
  expect((await server.call('GET', '/healthz'))?.status).toBe(200)
  faulty.heal()
  expect((await server.call('GET', `/v1/file/${id}`))?.status).toBe(200)
  expect((await server.call('GET', '/readyz'))?.status).toBe(200)
})

/** Downloads a file. Returns the bytes, and whether the response was complete according to HTTP. */
function download(server: TestServer, id: string): Promise<{ isComplete: boolean; received: Buffer }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const finish = (isComplete: boolean) => resolve({ isComplete, received: Buffer.concat(chunks) })
    const call = request(`${server.url}/v1/file/${id}`, { headers: server.staff })
    call.on('error', () => finish(false))
    call.once('response', (reply) => {
      reply.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => finish(false))
      reply.once('end', () => finish(reply.statusCode === 200))
    })
    call.end()
  })
}
