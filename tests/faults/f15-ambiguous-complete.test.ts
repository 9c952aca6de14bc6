import { afterAll, beforeAll, expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import { type S3Server, startS3 } from '../support/services/start-s3.ts'
import { toOutcome, UploadHistory } from './history.ts'
import { makeRandom } from './random.ts'
import { openS3TestServer } from './s3-test-server.ts'
import { makeBody } from './test-server.ts'

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
}, 180_000) // may have to install it first
afterAll(() => s3.stop())

const large = 10_000_000
const pollOptions = { timeout: 60_000 }
const steps = {
  PutObject: /^PUT \/[^/]+\/(blobs|uploads)\/[^?]+$/,
  UploadPart: /^PUT .*partNumber=/,
  CreateMultipartUpload: /^POST .*uploads=/,
  CompleteMultipartUpload: /^POST .*uploadId=/,
}

it.each(Object.entries(steps))(
  'F15: stores exactly one file and nothing else when the response to %s is lost',
  async (_, requests) => {
    const random = makeRandom('F15')
    const history = new UploadHistory()
    await using s3Server = await openS3TestServer(s3)
    const { server, faulty } = s3Server
    for (const lostResponses of [1, 3]) {
      for (const method of ['put', 'tus'] as const) {
        faulty.heal()
        faulty.fail(requests, { loseResponse: true }, lostResponses)
        const bytes = requests === steps.PutObject ? makeBody(random, 1, 1_000_000) : random.bytes(large)
        const { entry } = await server.upload(history, `${method}-${lostResponses}.bin`, bytes, method)
        expect(faulty.lostResponses, 'lost responses').toBe(lostResponses)
        expect(entry.outcome).toBe('ok')
      }
    }
    await s3Server.expectConsistent(history)
  },
)

it('F15: checks the object itself when no response to CompleteMultipartUpload ever arrives', async () => {
  const random = makeRandom('F15 no response')
  const history = new UploadHistory()
  await using s3Server = await openS3TestServer(s3)
  const { server, faulty } = s3Server
  faulty.fail(steps.CompleteMultipartUpload, { loseResponse: true })
  for (const method of ['put', 'tus'] as const)
    expect((await server.upload(history, `${method}.bin`, random.bytes(large), method)).entry.outcome).toBe('ok')
  await s3Server.expectConsistent(history)
})

it('F15: after a kill before S3’s response arrives, lists no file until the upload is resumed, and then exactly one', async () => {
  const random = makeRandom('F15 kill')
  const history = new UploadHistory()
  await using s3Server = await openS3TestServer(s3)
  const { server, faulty } = s3Server
  const bytes = random.bytes(large)
  for (const [name, size, requests] of [
    ['small.bin', 100_000, /^PUT .*\/blobs\//],
    ['large.bin', large, steps.CompleteMultipartUpload],
  ] as const) {
    const content = bytes.subarray(0, size)
    const entry = history.invoke(name, digest(content), size)
    faulty.heal()
    faulty.fail(requests, { withholdResponse: true })
    let path = ''
    const sending = server.uploadByTus(name, content, { requests: 1, onCreated: (location) => (path = location) })
    await expect.poll(() => faulty.lostResponses, pollOptions).toBe(1)
    await server.kill()
    expect((await sending).status).toBeUndefined()
    faulty.heal()
    await server.start()
    expect(await server.listRows('')).toHaveLength(history.count('ok'))
    entry.outcome = toOutcome((await server.resume(path, content)).status)
    expect(entry.outcome).toBe('ok')
    await s3Server.expectConsistent(history)
  }
})
