import { Agent, request } from 'node:http'
import { createDirectoryLink, type Headers } from '../support/client.ts'
import { admin } from '../support/start-neptune.ts'
import type { Case, GroupOptions } from './case.ts'
import { measure, measureCare, readWrittenBytes, type Sample } from './measure.ts'
import { type Peer, putToPeer } from './peers.ts'
import { measureServers, openServers, type TestServer } from './servers.ts'
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

/** Sends one request. */
type Send = (agent: Agent) => Promise<void>

export async function makeSmallFileCases(stack: AsyncDisposableStack, options: GroupOptions): Promise<Case[]> {
  const servers = await openServers(stack, options)
  const bytes = Buffer.alloc(10 * 1024, 'a file of ten kibibytes. ')
  const [head = '', , tail = ''] = form.makeParts(0)
  const body = Buffer.concat([Buffer.from(String(head)), bytes, Buffer.from(String(tail))])
  let count = 0
  const put =
    ({ url, directory, headers }: TestServer): Send =>
    (agent) =>
      sendRequest(agent, {
        url: `${url}/v1/file/${directory}/small-${++count}.bin`,
        method: 'PUT',
        headers: { ...headers, ...form.headers },
        body,
      })
  const putTo =
    (peer: Peer): Send =>
    (agent) => {
      const { url, path, status, ...rest } = peer.put(`small-${++count}.bin`)
      return sendRequest(agent, { ...rest, url: url + path, body: bytes, expectedStatus: status })
    }
  const gets = new Map<object, Send>()
  for (const server of [servers.neptune, servers.empty]) {
    const url = `${server.url}/v1/file/${await server.put(bytes.length)}`
    gets.set(server, (agent) => sendRequest(agent, { url, method: 'GET', headers: server.headers }))
    await sendConcurrently(2, put(server)) // warm-up
  }
  for (const peer of servers.peers) {
    const { url, path, method, headers } = peer.get(await putToPeer(peer, bytes.length))
    gets.set(peer, (agent) => sendRequest(agent, { url: url + path, method, headers }))
    await sendConcurrently(2, putTo(peer))
  }
  const measureGet = (server: { pid: number }) => measureConcurrent(server.pid, gets.get(server) ?? (async () => undefined))
  const common = { unit: 'CPU-ms' as const, rounds: 5 }
  return [
    {
      ...common,
      name: 'small: 10 KiB up, 8 connections',
      atMost: 2.0,
      measurements: measureServers(
        servers,
        (server) => measureConcurrent(server.pid, put(server)),
        (peer) => measureConcurrent(peer.pid, putTo(peer)),
      ),
      care: async () => {
        const files = 200
        return { ...(await measureCare(bytes.length, files)), amount: files }
      },
    },
    {
      name: 'small: 10 KiB up, 8 connections, written per upload',
      unit: 'KB',
      rounds: 3,
      measurements: measureServers(
        servers,
        (server) => measureWritten(server.pid, put(server)),
        (peer) => measureWritten(peer.pid, putTo(peer)),
      ),
    },
    {
      ...common,
      name: 'small: 10 KiB down, 8 connections',
      atMost: 0.45,
      measurements: measureServers(servers, measureGet, measureGet),
    },
  ]
}

/** Measures how many KB the server writes per request. */
async function measureWritten(pid: number, send: Send): Promise<Sample> {
  const before = readWrittenBytes(pid)
  const { cpu, seconds, amount } = await measureConcurrent(pid, send)
  return { cpu, seconds, amount: (readWrittenBytes(pid) - before) / 1000 / amount }
}

export async function makeCredentialCases(stack: AsyncDisposableStack): Promise<Case[]> {
  const servers = { ...(await openServers(stack, { withPeers: false })), peers: [] }
  const verifies = new Map<TestServer, Send>()
  const json = { 'content-type': 'application/json' }
  const post =
    ({ url }: TestServer, path: string, body: object): Send =>
    (agent) =>
      sendRequest(agent, { url: url + path, method: 'POST', headers: json, body: JSON.stringify(body) })
  for (const server of [servers.neptune, servers.empty]) {
    const { key, code } = await createDirectoryLink(server.client, server.company, server.directory)
    const verify = post(server, '/v1/link/verify', { accessKey: key, accessCode: code })
    await sendConcurrently(2, verify) // warm-up
    verifies.set(server, verify)
  }
  return [
    {
      name: 'verify a right code, 8 connections',
      unit: 'CPU-ms',
      atMost: 1.0,
      rounds: 5,
      measurements: measureServers(servers, (server) =>
        measureConcurrent(server.pid, verifies.get(server) ?? (async () => undefined)),
      ),
    },
    {
      name: 'sign-in with a right password, 8 connections',
      unit: 'CPU-ms',
      rounds: 3,
      measurements: measureServers(servers, (server) => measureConcurrent(server.pid, post(server, '/v1/identity/login', admin))),
    },
  ]
}
