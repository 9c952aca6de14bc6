import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { enter, openClient, share } from '../support/client.ts'
import { fill } from '../support/fill.ts'
import { startSendingProxy } from '../support/sending-proxy.ts'
import { freePort } from '../support/start-cluster.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'
import { memoryOf, type Sample, sample } from './measure.ts'
import { type House, type Nginx, openHouse, openNginx, settings } from './servers.ts'
import { form, type Headers, inParallel } from './wire-client.ts'

const MiB = 2 ** 20
const GiB = 2 ** 30

/** One line of the table. Contenders take turns, round after round, so that whatever else the machine does falls on all of them. */
export interface Case {
  name: string
  /** `CPU-s/GiB` and `CPU-ms` are of the server; `ms` is what who asks waits; the others say themselves what they are. */
  unit: 'CPU-s/GiB' | 'CPU-ms' | 'ms' | 's' | 'MiB' | 'KiB'
  atMost?: number
  rounds: number
  contenders: { neptune: () => Promise<Sample>; nginx?: (() => Promise<Sample>) | undefined }
}

/** Things that belong to the same servers. They are started when one of its cases is wanted, and stopped when all are done. */
export interface Group {
  names: string[]
  open: (stack: AsyncDisposableStack) => Promise<Case[]>
}

/** Something that moves so many bytes. */
const moving = (pids: number[], bytes: number, work: () => Promise<unknown>) => sample(pids, work, () => bytes / GiB)

export const groups: Group[] = [
  // Each with servers of its own, so that no more is on the disk than has to be.
  { names: ['download'], open: async (stack) => downloads(...(await openBoth(stack))) },
  { names: ['upload'], open: async (stack) => uploads(...(await openBoth(stack))) },
  { names: ['upload 6 GiB'], open: async (stack) => largeUploads(...(await openBoth(stack))) },
  { names: ['download by nginx'], open: byProxy },
  { names: ['small'], open: small },
  { names: ['zip'], open: zip },
  { names: ['list'], open: lists },
  { names: ['verify', 'sign-in'], open: codes },
  { names: ['start', 'memory'], open: starts },
]

async function openBoth(stack: AsyncDisposableStack): Promise<[House, Nginx | undefined]> {
  const house = stack.use(await openHouse())
  const nginx = await openNginx()
  if (nginx) stack.use(nginx)
  return [house, nginx]
}

async function downloads(house: House, nginx: Nginx | undefined): Promise<Case[]> {
  const sizes = [...Array.from({ length: 32 }, () => 64 * MiB), GiB, 6 * GiB]
  const ids: string[] = []
  const paths: string[] = []
  for (const size of sizes) {
    ids.push(await house.put(size))
    if (nginx) paths.push(await nginx.put(size))
  }
  const read = (pid: number, get: (n: number, size: number) => Promise<void>) => ({
    one: (n: number) => moving([pid], sizes[n] ?? 0, () => get(n, sizes[n] ?? 0)),
    many: () => moving([pid], 2 * GiB, () => inParallel(32, 32, (n) => get(n, 64 * MiB))),
    /** One after the other: what beginning costs. */
    row: () => moving([pid], GiB, () => inParallel(16, 1, (n) => get(n, 64 * MiB))),
  })
  const ours = read(house.pid, (n, size) => house.get(`/v1/file/${ids[n]}`, size))
  const theirs = nginx && read(nginx.pid, (n, size) => nginx.get(paths[n] ?? '', size))
  const line = (name: string, atMost: number, rounds: number, pick: (way: typeof ours) => Promise<Sample>): Case => ({
    name: `download ${name}`,
    unit: 'CPU-s/GiB',
    atMost,
    rounds,
    contenders: { neptune: () => pick(ours), nginx: theirs && (() => pick(theirs)) },
  })
  return [
    line('1 GiB', 0.75, 7, (way) => way.one(32)),
    line('32 × 64 MiB, all at once', 1.0, 5, (way) => way.many()),
    line('16 × 64 MiB, one by one', 0.75, 5, (way) => way.row()),
    line('6 GiB', 0.75, 3, (way) => way.one(33)),
  ]
}

/** Neptune says who may, and nginx sends: both count. */
async function byProxy(stack: AsyncDisposableStack): Promise<Case[]> {
  const house = stack.use(await openHouse({ X_ACCEL_REDIRECT: '/stored/', TRUST_PROXY: '127.0.0.1' }))
  const nginx = await startSendingProxy(house)
  if (!nginx) return []
  stack.use(nginx)
  const id = await house.put(GiB)
  const get = () => house.get(`/v1/file/${id}`, GiB, nginx.url)
  return [
    {
      name: 'download 1 GiB by nginx with X-Accel-Redirect',
      unit: 'CPU-s/GiB',
      atMost: 0.2,
      rounds: 7,
      contenders: { neptune: () => moving([house.pid, nginx.pid], GiB, get) },
    },
  ]
}

/** A line for bytes that are sent to a server. */
const uploading =
  (house: House, nginx: Nginx | undefined) =>
  (
    name: string,
    atMost: number,
    rounds: number,
    bytes: number,
    ours: () => Promise<unknown>,
    theirs?: (nginx: Nginx) => Promise<unknown>,
  ): Case => ({
    name: `upload ${name}`,
    unit: 'CPU-s/GiB',
    atMost,
    rounds,
    contenders: {
      neptune: () => moving([house.pid], bytes, ours),
      nginx: nginx && theirs && (() => moving([nginx.pid], bytes, () => theirs(nginx))),
    },
  })

function uploads(house: House, nginx: Nginx | undefined): Case[] {
  const line = uploading(house, nginx)
  return [
    line(
      '1 GiB by PUT',
      3.3,
      5,
      GiB,
      () => house.put(GiB),
      (nginx) => nginx.put(GiB),
    ),
    line('1 GiB by tus', 2.9, 5, GiB, () => house.putByTus(GiB)),
    line(
      '64 × 16 MiB by PUT, 8 at once',
      3.6,
      5,
      GiB,
      () => inParallel(64, 8, () => house.put(16 * MiB)),
      (nginx) => inParallel(64, 8, () => nginx.put(16 * MiB)),
    ),
    line('16 × 64 MiB by PUT, one by one', 3.3, 3, GiB, () => inParallel(16, 1, () => house.put(64 * MiB))),
  ]
}

function largeUploads(house: House, nginx: Nginx | undefined): Case[] {
  const line = uploading(house, nginx)
  return [
    line('6 GiB by PUT', 3.3, 2, 6 * GiB, () => house.put(6 * GiB)),
    line('6 GiB by tus', 2.9, 2, 6 * GiB, () => house.putByTus(6 * GiB)),
  ]
}

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

async function small(stack: AsyncDisposableStack): Promise<Case[]> {
  const house = stack.use(await openHouse())
  const nginx = await openNginx()
  if (nginx) stack.use(nginx)
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

async function zip(stack: AsyncDisposableStack): Promise<Case[]> {
  const house = stack.use(await openHouse())
  const files = 1000
  await inParallel(files, 8, () => house.put(MiB))
  const get = () => house.get(`/v1/directory/${house.directory}/zip`, 0)
  return [
    {
      name: 'zip of 1,000 files of 1 MiB',
      unit: 'CPU-s/GiB',
      atMost: 1.0,
      rounds: 5,
      contenders: { neptune: () => moving([house.pid], files * MiB, get) },
    },
  ]
}

async function lists(stack: AsyncDisposableStack): Promise<Case[]> {
  const cases: Case[] = []
  for (const files of [1_000, 100_000, 1_000_000]) {
    const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
    stack.defer(() => rmSync(folder, { recursive: true, force: true }))
    const DATA_DIR = join(folder, 'data')
    {
      await using first = await startNeptune({ ...settings, DATA_DIR })
      await first.stop()
    }
    fill(join(DATA_DIR, 'neptune.db'), { files })
    const neptune = stack.use(await startNeptune({ ...settings, DATA_DIR }))
    const { headers } = await enter(neptune.url, admin)
    const client = stack.use(openClient(neptune.url, headers))
    const page = async (query: string) => {
      const reply = await client.ask('GET', `/v1/file?${query}`)
      if (reply?.status !== 200) throw new Error(`a list was answered ${reply?.status}`)
      return JSON.parse(reply.text) as { data: { file_name: string }[]; next: string | null }
    }
    let deep = ''
    for (let n = 0, next: string | null = ''; n < 250 && next !== null; n++) {
      deep = next
      next = (await page(`limit=200${next && `&cursor=${encodeURIComponent(next)}`}`)).next
    }
    const one = (await page('limit=1')).data[0]?.file_name.slice(0, 12) ?? ''
    const ways = {
      'first page': '',
      'deep page': `cursor=${encodeURIComponent(deep)}`,
      'search for one': `search=${encodeURIComponent(one)}`,
      'search for many': 'search=report',
    }
    for (const [name, query] of Object.entries(ways))
      cases.push({
        name: `list of ${files.toLocaleString('en')}: ${name}`,
        unit: 'ms',
        atMost: 10,
        rounds: 60,
        contenders: {
          neptune: () =>
            sample(
              [],
              () => page(query),
              () => 1,
            ),
        },
      })
  }
  return cases
}

async function codes(stack: AsyncDisposableStack): Promise<Case[]> {
  const house = stack.use(await openHouse())
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

async function starts(stack: AsyncDisposableStack): Promise<Case[]> {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const script = join(import.meta.dirname, '../../scripts/start.mjs')
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, DATA_DIR: join(folder, 'data'), PORT: String(port), ...settings }
  /** As `npm start` does it. */
  const begin = () => spawn(process.execPath, ['--max-semi-space-size=8', script], { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const answers = (path: string) =>
    fetch(url + path).then(
      ({ ok }) => ok,
      () => false,
    )
  const end = async (child: ReturnType<typeof begin>) => {
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await ended
  }
  /** From nothing to the first answer; and what it holds when it has been quiet for a while. */
  async function once(isIdle: boolean): Promise<Sample> {
    const begun = performance.now()
    const child = begin()
    while (!(await answers('/healthz'))) await wait(5)
    const seconds = (performance.now() - begun) / 1000
    if (isIdle) {
      for (const path of ['/', '/login', '/readyz', '/v1/identity']) await answers(path)
      await wait(5000)
    }
    const amount = isIdle ? memoryOf(child.pid ?? 0) : seconds
    await end(child)
    return { cpu: 0, seconds, amount }
  }
  await once(false) // which makes the database
  return [
    { name: 'start to the first answer', unit: 's', atMost: 0.8, rounds: 9, contenders: { neptune: () => once(false) } },
    { name: 'memory, idle', unit: 'MiB', atMost: 110, rounds: 3, contenders: { neptune: () => once(true) } },
  ]
}
