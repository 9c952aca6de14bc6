import { Agent, request } from 'node:http'
import { createDirectoryLink, type Headers } from '../support/client.ts'
import { admin } from '../support/start-neptune.ts'
import type { Case } from './case.ts'
import { measure, type Sample } from './measure.ts'
import { openBenchServer, openBoth } from './servers.ts'
import { form } from './wire-client.ts'

/** Sends requests for this many seconds over eight keep-alive connections. Returns their durations in ms. */
async function sendConcurrently(seconds: number, sendOne: (agent: Agent, n: number) => Promise<void>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  const run = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now()
      await sendOne(agent, times.length)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: 8 }, run))
  agent.destroy()
  return times
}

async function measureConcurrent(pid: number, sendOne: (agent: Agent, n: number) => Promise<void>): Promise<Sample> {
  const { result: times, ...rest } = await measure(
    [pid],
    () => sendConcurrently(3, sendOne),
    ({ length }) => length,
  )
  return { ...rest, times }
}

interface RequestOptions {
  url: string
  method: string
  headers?: Headers
  body?: Buffer | string
  expectedStatus?: number
}

const sendRequest = (agent: Agent, { url, method, headers = {}, body, expectedStatus = 200 }: RequestOptions) =>
  new Promise<void>((resolve, reject) => {
    const length: Headers = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const call = request(url, { method, agent, headers: { ...headers, ...length } }, (reply) => {
      reply.resume().once('end', () => {
        if (reply.statusCode === expectedStatus) resolve()
        else reject(new Error(`${method} ${url} returned ${reply.statusCode}`))
      })
    })
    call.once('error', reject).end(body)
  })

export async function makeSmallFileCases(stack: AsyncDisposableStack): Promise<Case[]> {
  const [server, nginx] = await openBoth(stack)
  const bytes = Buffer.alloc(10 * 1024, 'a file of ten kibibytes. ')
  const [head = '', , tail = ''] = form.makeParts(0)
  const body = Buffer.concat([Buffer.from(String(head)), bytes, Buffer.from(String(tail))])
  const id = await server.put(bytes.length)
  const path = await nginx?.put(bytes.length)
  let count = 0
  const put = (agent: Agent) =>
    sendRequest(agent, {
      url: `${server.url}/v1/file/${server.directory}/small-${++count}.bin`,
      method: 'PUT',
      headers: { ...server.headers, ...form.headers },
      body,
    })
  const get = (agent: Agent) => sendRequest(agent, { url: `${server.url}/v1/file/${id}`, method: 'GET', headers: server.headers })
  const putToNginx = (agent: Agent) =>
    sendRequest(agent, { url: `${nginx?.url}/small-${++count}.bin`, method: 'PUT', body: bytes, expectedStatus: 201 })
  const getFromNginx = (agent: Agent) => sendRequest(agent, { url: `${nginx?.url}${path}`, method: 'GET' })
  await sendConcurrently(2, put) // warm-up
  await sendConcurrently(2, get)
  const makeCase = (name: string, atMost: number, sendToNeptune: typeof put, sendToNginx: typeof put): Case => ({
    name: `small: 10 KiB ${name}, 8 connections`,
    unit: 'CPU-ms',
    atMost,
    rounds: 5,
    measurements: {
      neptune: () => measureConcurrent(server.pid, sendToNeptune),
      nginx: nginx && (() => measureConcurrent(nginx.pid, sendToNginx)),
    },
  })
  return [makeCase('up', 2.0, put, putToNginx), makeCase('down', 0.45, get, getFromNginx)]
}

export async function makeCredentialCases(stack: AsyncDisposableStack): Promise<Case[]> {
  const server = stack.use(await openBenchServer())
  const { key, code } = await createDirectoryLink(server.client, server.company, server.directory)
  const json = { 'content-type': 'application/json' }
  const post = (path: string, body: object) => (agent: Agent) =>
    sendRequest(agent, { url: server.url + path, method: 'POST', headers: json, body: JSON.stringify(body) })
  const verify = post('/v1/link/verify', { accessKey: key, accessCode: code })
  const signIn = post('/v1/identity/login', admin)
  await sendConcurrently(2, verify) // warm-up
  return [
    {
      name: 'verify a right code, 8 connections',
      unit: 'CPU-ms',
      atMost: 1.0,
      rounds: 5,
      measurements: { neptune: () => measureConcurrent(server.pid, verify) },
    },
    {
      name: 'sign-in with a right password, 8 connections',
      unit: 'CPU-ms',
      rounds: 3,
      measurements: { neptune: () => measureConcurrent(server.pid, signIn) },
    },
  ]
}
