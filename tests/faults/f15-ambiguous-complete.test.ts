import { afterAll, beforeAll, expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import { type S3, startS3 } from '../support/start-s3.ts'
import { outcomeOf, SetHistory } from './history.ts'
import { body } from './house.ts'
import { randomOf } from './random.ts'
import { openS3House } from './s3-house.ts'

let s3: S3
beforeAll(async () => {
  s3 = await startS3()
}, 180_000) // it may have to be installed
afterAll(() => s3.stop())

const large = 10_000_000
const patience = { timeout: 60_000 }
const steps = {
  'an object': /^PUT \/[^/]+\/(blobs|uploads)\/[^?]+$/,
  'a part': /^PUT .*partNumber=/,
  'the beginning of parts': /^POST .*uploads=/,
  'the end of parts': /^POST .*uploadId=/,
}

it.each(Object.entries(steps))(
  'F15: when the answer to %s gets lost, there is exactly one file, and nothing besides',
  async (_, requests) => {
    const random = randomOf('F15')
    const history = new SetHistory()
    await using s3House = await openS3House(s3)
    const { house, faulty } = s3House
    for (const times of [1, 3]) {
      for (const way of ['put', 'tus'] as const) {
        faulty.heal()
        faulty.fail(requests, { loseAnswer: true }, times)
        const bytes = requests === steps['an object'] ? body(random, 1, 1_000_000) : random.bytes(large)
        const { entry } = await house.upload(history, `${way}-${times}.bin`, bytes, way)
        expect(faulty.done, 'answers lost').toBe(times)
        expect(entry.outcome).toBe('ok')
      }
    }
    await s3House.expectWhole(history)
  },
)

it('F15: when no answer to the end of parts ever comes, the object itself tells', async () => {
  const random = randomOf('F15 for good')
  const history = new SetHistory()
  await using s3House = await openS3House(s3)
  const { house, faulty } = s3House
  faulty.fail(steps['the end of parts'], { loseAnswer: true })
  for (const way of ['put', 'tus'] as const)
    expect((await house.upload(history, `${way}.bin`, random.bytes(large), way)).entry.outcome).toBe('ok')
  await s3House.expectWhole(history)
})

it('F15: a kill between the end of parts and its answer leaves one file to whoever resumes, and none to whoever does not', async () => {
  const random = randomOf('F15 kill')
  const history = new SetHistory()
  await using s3House = await openS3House(s3)
  const { house, faulty } = s3House
  const bytes = random.bytes(large)
  for (const [name, size, requests] of [
    ['small.bin', 100_000, /^PUT .*\/blobs\//],
    ['large.bin', large, steps['the end of parts']],
  ] as const) {
    const content = bytes.subarray(0, size)
    const entry = history.invoke(name, digest(content), size)
    faulty.heal()
    faulty.fail(requests, { keepAnswer: true })
    let path = ''
    const sending = house.tus(name, content, { pieces: 1, at: (told) => (path = told) })
    await expect.poll(() => faulty.done, patience).toBe(1)
    await house.kill()
    expect((await sending).status).toBeUndefined()
    faulty.heal()
    await house.start()
    expect(await house.rows('')).toHaveLength(history.count('ok'))
    entry.outcome = outcomeOf((await house.resume(path, content)).status)
    expect(entry.outcome).toBe('ok')
    await s3House.expectWhole(history)
  }
})
