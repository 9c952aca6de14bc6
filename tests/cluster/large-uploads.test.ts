import { createHash, randomBytes } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { authenticate, type Client, openClient } from '../support/client.ts'
import { readMemoryMiB } from '../support/read-memory.ts'
import { type Cluster, startCluster } from '../support/services/start-cluster.ts'
import { admin } from '../support/start-neptune.ts'

const size = 6 * 2 ** 30
const block = randomBytes(2 ** 20)
let cluster: Cluster
let staff: Record<string, string>
let directory: string
let client: Client
let idleMiB: number

beforeAll(async () => {
  cluster = await startCluster({ THUMBNAILS: 'off' })
  const { headers, company } = await authenticate(cluster.nodes[0], admin)
  staff = headers
  client = openClient(cluster.nodes[0], headers)
  directory = (await client.requestData('POST', '/v1/directory', { directory: 'Videos', client: company }))['id'] ?? ''
  for (let i = 0; i < 50; i++) await client.requestData('GET', '/v1/stats')
  idleMiB = readMemory()
}, 180_000)
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]()
}, 60_000)

it.each([
  ['PUT', () => uploadWithPut('video.mp4')],
  ['tus', () => uploadWithTus('video-2.mp4')],
])(
  'uploads 6 GiB with %s using less than 150 MiB above idle, and returns identical bytes',
  {
    timeout: 1_200_000,
  },
  async (method, send) => {
    let peakMiB = 0
    const timer = setInterval(() => {
      peakMiB = Math.max(peakMiB, readMemory())
    }, 100)
    const startedAt = performance.now()
    const { id, sent } = await send().finally(() => clearInterval(timer))
    const seconds = (performance.now() - startedAt) / 1000
    process.stdout.write(
      `6 GiB ${method}: ${Math.round(idleMiB)} MiB idle, ${Math.round(peakMiB)} MiB at most (+${Math.round(peakMiB - idleMiB)}); ` +
        `${Math.round(seconds)} s, ${Math.round(size / 2 ** 20 / seconds)} MiB/s\n`,
    )
    expect(peakMiB - idleMiB, 'MiB above idle').toBeLessThan(150)
    expect(await downloadAndHash(id)).toBe(sent)
  },
)

/** Returns the memory of the first node's process in MiB. */
const readMemory = () => readMemoryMiB(cluster.readPid('node1'))

/** Returns a generator of 6 GiB, in which each MiB differs, and a function that returns their hash once all were read. */
function generateVideo() {
  const hash = createHash('sha256')
  function* bytes() {
    for (let i = 0; i < size / block.length; i++) {
      const next = Buffer.from(block)
      next.writeUInt32LE(i)
      hash.update(next)
      yield next
    }
  }
  return { bytes, hash: () => hash.digest('hex') }
}

async function uploadWithPut(name: string) {
  const { bytes, hash } = generateVideo()
  const head = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
  const tail = Buffer.from('\r\n--x--\r\n')
  const reply = await sendStream('PUT', `/v1/file/${directory}/${name}`, [head, bytes, tail], {
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': String(head.length + size + tail.length),
  })
  let text = ''
  for await (const chunk of reply) text += chunk
  expect(reply.statusCode, text).toBe(200)
  return { id: JSON.parse(text).data.id as string, sent: hash() }
}

async function uploadWithTus(name: string) {
  const { bytes, hash } = generateVideo()
  const path = (await client.createUpload(directory, name, size))?.headers.location ?? ''
  const reply = await sendStream('PATCH', path, [bytes], {
    'tus-resumable': '1.0.0',
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
    'content-length': String(size),
  })
  reply.resume()
  expect(reply.statusCode).toBe(204)
  return { id: String(reply.headers['neptune-file']), sent: hash() }
}

/** Sends a request whose body is streamed from these parts. */
async function sendStream(
  method: string,
  path: string,
  parts: (Buffer | (() => Generator<Buffer>))[],
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  const agent = new Agent({ keepAlive: false })
  const call = request(cluster.nodes[0] + path, { method, agent, headers: { ...staff, ...headers } })
  const response = new Promise<IncomingMessage>((resolve, reject) => call.once('response', resolve).once('error', reject))
  const all = Readable.from(
    (function* () {
      for (const part of parts)
        if (Buffer.isBuffer(part)) yield part
        else yield* part()
    })(),
  )
  await pipeline(all, call)
  return response
}

/** Downloads a file from the other node and returns its hash. */
async function downloadAndHash(id: string): Promise<string> {
  const reply = await fetch(`${cluster.nodes[1]}/v1/file/${id}`, { headers: staff })
  const hash = createHash('sha256')
  for await (const chunk of reply.body ?? []) hash.update(chunk)
  return hash.digest('hex')
}
