import { Agent, request } from 'node:http'
import { share } from '../support/client.ts'
import { admin } from '../support/start-neptune.ts'
import type { Case } from './case.ts'
import { type Sample, sample } from './measure.ts'
import { openBoth, openTestServer } from './servers.ts'
import { form, type Headers } from './wire-client.ts'

/** For so many seconds, by eight who keep their connections. */
async function crowd(seconds: number, ask: (agent: Agent, n: number) => Promise<void>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  const run = async () => {
    while (performance.now() < until) {
      const begun = performance.now()
      await ask(agent, times.length)
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: 8 }, run))
  agent.destroy()
  return times
}

async function crowded(pid: number, ask: (agent: Agent, n: number) => Promise<void>): Promise<Sample> {
  const { done: times, ...rest } = await sample(
    [pid],
    () => crowd(3, ask),
    ({ length }) => length,
  )
  return { ...rest, times }
}

interface Ask {
  url: string
  method: string
  headers?: Headers
  body?: Buffer | string
  wanted?: number
}

const ask = (agent: Agent, { url, method, headers = {}, body, wanted = 200 }: Ask) =>
  new Promise<void>((resolve, reject) => {
    const length: Headers = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const call = request(url, { method, agent, headers: { ...headers, ...length } }, (reply) => {
      reply.resume().once('end', () => {
        if (reply.statusCode === wanted) resolve()
        else reject(new Error(`${method} ${url} was answered ${reply.statusCode}`))
      })
    })
    call.once('error', reject).end(body)
  })

export async function small(stack: AsyncDisposableStack): Promise<Case[]> {
  const [house, nginx] = await openBoth(stack)
  const bytes = Buffer.alloc(10 * 1024, 'a file of ten kibibytes. ')
  const [head = '', , tail = ''] = form.parts(0)
  const body = Buffer.concat([Buffer.from(String(head)), bytes, Buffer.from(String(tail))])
  const id = await house.put(bytes.length)
  const path = await nginx?.put(bytes.length)
  let made = 0
  const put = (agent: Agent) =>
    ask(agent, {
      url: `${house.url}/v1/file/${house.directory}/small-${++made}.bin`,
      method: 'PUT',
      headers: { ...house.headers, ...form.headers },
      body,
    })
  const get = (agent: Agent) => ask(agent, { url: `${house.url}/v1/file/${id}`, method: 'GET', headers: house.headers })
  const nginxPut = (agent: Agent) =>
    ask(agent, { url: `${nginx?.url}/small-${++made}.bin`, method: 'PUT', body: bytes, wanted: 201 })
  const nginxGet = (agent: Agent) => ask(agent, { url: `${nginx?.url}${path}`, method: 'GET' })
  await crowd(2, put) // to be warm
  await crowd(2, get)
  const line = (name: string, atMost: number, ours: typeof put, theirs: typeof put): Case => ({
    name: `small: 10 KiB ${name}, 8 connections`,
    unit: 'CPU-ms',
    atMost,
    rounds: 5,
    contenders: {
      neptune: () => crowded(house.pid, ours),
      nginx: nginx && (() => crowded(nginx.pid, theirs)),
    },
  })
  return [line('up', 2.0, put, nginxPut), line('down', 0.45, get, nginxGet)]
}

export async function codes(stack: AsyncDisposableStack): Promise<Case[]> {
  const house = stack.use(await openTestServer())
  const { key, code } = await share(house.client, house.company, house.directory)
  const json = { 'content-type': 'application/json' }
  const post = (path: string, body: object) => (agent: Agent) =>
    ask(agent, { url: house.url + path, method: 'POST', headers: json, body: JSON.stringify(body) })
  const verify = post('/v1/link/verify', { accessKey: key, accessCode: code })
  const signIn = post('/v1/identity/login', admin)
  await crowd(2, verify) // to be warm
  return [
    {
      name: 'verify a right code, 8 connections',
      unit: 'CPU-ms',
      atMost: 1.0,
      rounds: 5,
      contenders: { neptune: () => crowded(house.pid, verify) },
    },
    {
      name: 'sign-in with a right password, 8 connections',
      unit: 'CPU-ms',
      rounds: 3,
      contenders: { neptune: () => crowded(house.pid, signIn) },
    },
  ]
}
