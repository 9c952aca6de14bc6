import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import type { Fault } from '../support/faulty-s3.ts'
import { type S3, startS3 } from '../support/start-s3.ts'
import { outcomeOf, SetHistory } from './history.ts'
import { body, type House } from './house.ts'
import { randomOf } from './random.ts'
import { openS3House } from './s3-house.ts'

let s3: S3
beforeAll(async () => {
  s3 = await startS3()
}, 180_000) // it may have to be installed
afterAll(() => s3.stop())

/** More than one part. */
const large = 10_000_000
const ofBytes = /^PUT \/[^/]+\/(blobs|uploads)\//

it.each<[string, Fault]>([
  ['answers 500', { answer: 500 }],
  ['answers 503', { answer: 503 }],
  ['never answers', { hang: true }],
])(
  'F14: a store that %s is asked a few times; then it is 503, nothing is listed, and afterwards all goes on',
  async (_, fault) => {
    const random = randomOf('F14')
    const history = new SetHistory()
    await using s3House = await openS3House(s3)
    const { house, faulty, bucket } = s3House
    await house.upload(history, 'before.bin', body(random, 1, 100_000))
    faulty.heal()
    faulty.fail(ofBytes, fault)

    const bytes = random.bytes(large)
    const resumable = history.invoke('tus.bin', digest(bytes), large)
    let path = ''
    const statuses = await Promise.all([
      house.upload(history, 'small.bin', body(random, 1, 100_000)).then(({ status }) => status),
      house.upload(history, 'large.bin', random.bytes(large)).then(({ status }) => status),
      house.tus('tus.bin', bytes, { pieces: 1, at: (told) => (path = told) }).then(({ status }) => status),
    ])
    expect(statuses).toEqual([503, 503, 503])
    const tries = Map.groupBy(
      faulty.asked.filter((line) => ofBytes.test(line)),
      (line) => line,
    )
    expect(Math.max(...[...tries.values()].map(({ length }) => length)), 'tries of one request').toBeLessThanOrEqual(4)
    expect(await house.rows(''), 'only what was there before').toHaveLength(1)
    expect(await bucket.keys()).toHaveLength(1)
    expect(await bucket.unfinished(), 'of the upload that may go on').toBeLessThanOrEqual(1)
    expect((await house.call('GET', '/healthz'))?.status).toBe(200)

    faulty.heal()
    resumable.outcome = outcomeOf((await house.resume(path, bytes)).status)
    expect(resumable.outcome).toBe('ok')
    for (const way of ['put', 'tus'] as const) {
      const { entry } = await house.upload(history, `after-${way}.bin`, body(random, 1, 100_000), way)
      expect(entry.outcome).toBe('ok')
    }
    await s3House.expectWhole(history)
  },
)

it('F14: what goes wrong once or twice, or takes its time, nobody notices', async () => {
  const random = randomOf('F14 hiccups')
  const history = new SetHistory()
  await using s3House = await openS3House(s3)
  const { house, faulty } = s3House
  const faults: Fault[] = [{ answer: 500 }, { answer: 503 }, { answer: 429 }, { loseAnswer: true }, { late: 300 }]
  for (const [i, fault] of faults.entries()) {
    for (const [n, way] of (['put', 'tus'] as const).entries()) {
      const bytes = (i + n) % 2 ? body(random, 1, 100_000) : random.bytes(large)
      faulty.heal()
      for (const requests of [/^PUT/, /^POST/, /^HEAD/, /^GET/, /^DELETE/]) faulty.fail(requests, fault, random.between(1, 2))
      const { entry } = await house.upload(history, `${i}-${way}.bin`, bytes, way)
      expect(entry.outcome, `${JSON.stringify(fault)}, ${way}, ${bytes.length} bytes`).toBe('ok')
    }
  }
  faulty.heal()
  await s3House.expectWhole(history)
})

it('F14: a download goes on where the store breaks off or ends early; if it does so for good, the transfer breaks and is never short', async () => {
  const random = randomOf('F14 downloads')
  await using s3House = await openS3House(s3)
  const { house, faulty } = s3House
  const bytes = random.bytes(5_000_000)
  const { id = '' } = await house.put('large.bin', bytes)
  const ofFile = /^GET \/[^/]+\/blobs\//
  const faults: Fault[] = [{ cutAfter: 100_000 }, { endAfter: 100_000 }, { answer: 503 }, { cutAfter: 1 }, { endAfter: 1 }]
  for (const fault of faults) {
    faulty.heal()
    faulty.fail(ofFile, fault, 3)
    const { isWhole, received } = await download(house, id)
    expect({ isWhole, sum: digest(received) }, `three times ${JSON.stringify(fault)}`).toEqual({
      isWhole: true,
      sum: digest(bytes),
    })
  }
  for (const fault of [{ cutAfter: 1 }, { endAfter: 1 }, { answer: 503 }, { hang: true }] satisfies Fault[]) {
    faulty.heal()
    faulty.fail(ofFile, fault)
    const { isWhole, received } = await download(house, id)
    expect(isWhole, `always ${JSON.stringify(fault)}`).toBe(false)
    expect(bytes.subarray(0, received.length).equals(received)).toBe(true)
    expect(faulty.asked.filter((line) => ofFile.test(line)).length, 'tries').toBeLessThanOrEqual(4)
  }
  faulty.heal()
  expect((await download(house, id)).isWhole).toBe(true)
})

it('F14: while the store does not answer, that is said with 503, by downloads and by /readyz; afterwards not', async () => {
  const random = randomOf('F14 away')
  await using s3House = await openS3House(s3)
  const { house, faulty } = s3House
  const { id = '' } = await house.put('small.bin', random.bytes(1000))
  faulty.fail(/./, { answer: 500 })
  expect(await house.call('GET', `/v1/file/${id}`)).toMatchObject({ status: 503, body: { code: 'storage.unavailable' } })
  expect((await house.call('GET', '/readyz'))?.status).toBe(503)
  expect((await house.call('GET', '/healthz'))?.status).toBe(200)
  faulty.heal()
  expect((await house.call('GET', `/v1/file/${id}`))?.status).toBe(200)
  expect((await house.call('GET', '/readyz'))?.status).toBe(200)
})

/** What came down, and whether HTTP took it for all of it. */
function download(house: House, id: string): Promise<{ isWhole: boolean; received: Buffer }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const tell = (isWhole: boolean) => resolve({ isWhole, received: Buffer.concat(chunks) })
    const call = request(`${house.url}/v1/file/${id}`, { headers: house.staff })
    call.on('error', () => tell(false))
    call.once('response', (reply) => {
      reply.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => tell(false))
      reply.once('end', () => tell(reply.statusCode === 200))
    })
    call.end()
  })
}
