import { createHash, randomBytes } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Client, enter, openClient } from '../support/client.ts'
import { readMemoryMiB } from '../support/memory.ts'
import { type Cluster, startCluster } from '../support/start-cluster.ts'
import { admin } from '../support/start-neptune.ts'

const size = 6 * 2 ** 30
const block = randomBytes(2 ** 20)
let cluster: Cluster
let staff: Record<string, string>
let directory: string
let client: Client
let idle: number

beforeAll(async () => {
  cluster = await startCluster({ THUMBNAILS: 'off' })
  const { headers, company } = await enter(cluster.nodes[0], admin)
  staff = headers
  client = openClient(cluster.nodes[0], headers)
  directory = (await client.data('POST', '/v1/directory', { directory: 'Films', client: company }))['id'] ?? ''
  for (let i = 0; i < 50; i++) await client.data('GET', '/v1/stats')
  idle = memory()
}, 180_000)
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]()
}, 60_000)

it.each([
  ['by one request', () => sendWhole('film.mp4')],
  ['resumably', () => sendResumably('film-2.mp4')],
])(
  '6 GiB, sent %s, keep the memory of a node under idle + 150 MiB, and come back byte for byte',
  {
    timeout: 1_200_000,
  },
  async (way, send) => {
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, memory())
    }, 100)
    const begun = performance.now()
    const { id, sent } = await send().finally(() => clearInterval(watch))
    const took = (performance.now() - begun) / 1000
    process.stdout.write(
      `6 GiB ${way}: ${Math.round(idle)} MiB idle, ${Math.round(most)} MiB at most (+${Math.round(most - idle)}); ` +
        `${Math.round(took)} s, ${Math.round(size / 2 ** 20 / took)} MiB/s\n`,
    )
    expect(most - idle, 'MiB above idle').toBeLessThan(150)
    expect(await readBack(id)).toBe(sent)
  },
)

/** What the process of the first node holds, in MiB. */
const memory = () => readMemoryMiB(cluster.pidOf('node1'))

/** The bytes of the film, each mebibyte another one, and what they add up to when all have gone. */
function film() {
  const hash = createHash('sha256')
  function* bytes() {
    for (let i = 0; i < size / block.length; i++) {
      const next = Buffer.from(block)
      next.writeUInt32LE(i)
      hash.update(next)
      yield next
    }
  }
  return { bytes, sum: () => hash.digest('hex') }
}

async function sendWhole(name: string) {
  const { bytes, sum } = film()
  const head = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
  const tail = Buffer.from('\r\n--x--\r\n')
  const reply = await stream('PUT', `/v1/file/${directory}/${name}`, [head, bytes, tail], {
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': String(head.length + size + tail.length),
  })
  let text = ''
  for await (const chunk of reply) text += chunk
  expect(reply.statusCode, text).toBe(200)
  return { id: JSON.parse(text).data.id as string, sent: sum() }
}

async function sendResumably(name: string) {
  const { bytes, sum } = film()
  const path = (await client.createUpload(directory, name, size))?.headers.location ?? ''
  const reply = await stream('PATCH', path, [bytes], {
    'tus-resumable': '1.0.0',
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
    'content-length': String(size),
  })
  reply.resume()
  expect(reply.statusCode).toBe(204)
  return { id: String(reply.headers['neptune-file']), sent: sum() }
}

async function stream(
  method: string,
  path: string,
  parts: (Buffer | (() => Generator<Buffer>))[],
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  const agent = new Agent({ keepAlive: false })
  const call = request(cluster.nodes[0] + path, { method, agent, headers: { ...staff, ...headers } })
  const answered = new Promise<IncomingMessage>((resolve, reject) => call.once('response', resolve).once('error', reject))
  const all = Readable.from(
    (function* () {
      for (const part of parts)
        if (Buffer.isBuffer(part)) yield part
        else yield* part()
    })(),
  )
  await pipeline(all, call)
  return answered
}

/** From the other node. */
async function readBack(id: string): Promise<string> {
  const reply = await fetch(`${cluster.nodes[1]}/v1/file/${id}`, { headers: staff })
  const hash = createHash('sha256')
  for await (const chunk of reply.body ?? []) hash.update(chunk)
  return hash.digest('hex')
}
