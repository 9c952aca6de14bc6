import { createHash, timingSafeEqual } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OnAnswer } from './answer-time.ts'
import { codeOf } from './errors.ts'

/** One thing that is measured, with a value for each set of labels. */
export interface Reading {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** `part` is what a histogram adds to its name. */
  values: { part?: string; labels?: Record<string, string>; value: number }[]
}

export interface Metrics {
  /** To be told of every answer: see answer-time.ts. */
  onAnswer: OnAnswer
  /** What is true of this process alone. */
  ofProcess(): Promise<Reading[]>
  /** What is the same whichever process is asked. */
  ofAll(): Promise<Reading[]>
  /** All of it in the text format of Prometheus. */
  text(): Promise<string>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** There if somebody wants to read them. */
    metrics?: Metrics
  }
}

export const one = (name: string, type: Reading['type'], help: string, value: number): Reading => ({
  name,
  type,
  help,
  values: [{ value }],
})

/** In seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

interface Times {
  method: string
  route: string
  counts: number[]
  sum: number
}

/** Counts requests from now on. `measure` tells what else is to be known, from outside HTTP, whenever somebody asks. */
export function addMetrics(app: FastifyInstance, measure: () => Promise<Reading[]>): Metrics {
  const requests = new Map<string, { labels: Record<string, string>; value: number }>()
  const refusals = new Map<string, number>()
  const times = new Map<string, Times>()
  const sockets = new Set<Socket>()
  const closed = { received: 0, sent: 0 }
  const underWay = { requests: 0, uploads: 0, downloads: 0 }
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()

  /** What all connections have carried, headers included. */
  function note(socket: Socket) {
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      closed.received += socket.bytesRead
      closed.sent += socket.bytesWritten
    })
  }

  app.addHook('onRequest', (request, reply, done) => {
    const { endpoint } = request.routeOptions.config
    const isUpload = typeof endpoint?.body === 'string' ? 1 : 0
    const isDownload = endpoint?.reply === 'bytes' ? 1 : 0
    underWay.requests++
    underWay.uploads += isUpload
    underWay.downloads += isDownload
    if (request.raw.socket instanceof Socket) note(request.raw.socket) // an injected request has none
    reply.raw.once('close', () => {
      underWay.requests--
      underWay.uploads -= isUpload
      underWay.downloads -= isDownload
      const labels = { ...labelsOf(request), status: reply.raw.headersSent ? String(reply.raw.statusCode) : 'none' }
      const key = `${labels.method} ${labels.route} ${labels.status}`
      const counted = requests.get(key)
      if (counted) counted.value++
      else requests.set(key, { labels, value: 1 })
    })
    done()
  })
  app.addHook('onError', (_request, _reply, error, done) => {
    const code = codeOf(error)
    refusals.set(code, (refusals.get(code) ?? 0) + 1)
    done()
  })
  app.addHook('onClose', async () => delay.disable())

  function counted(): Reading[] {
    const sum = (way: 'bytesRead' | 'bytesWritten') => [...sockets].reduce((total, socket) => total + socket[way], 0)
    return [
      {
        name: 'neptune_http_requests_total',
        type: 'counter',
        help: 'Requests that ended, by method, route and status; none if the other side went away first.',
        values: [...requests.values()],
      },
      {
        name: 'neptune_http_refusals_total',
        type: 'counter',
        help: 'Errors that were answered, by their code.',
        values: [...refusals].map(([code, value]) => ({ labels: { code }, value })),
      },
      one('neptune_http_requests_in_flight', 'gauge', 'Requests under way.', underWay.requests),
      one('neptune_uploads_in_flight', 'gauge', 'Uploads under way.', underWay.uploads),
      one('neptune_downloads_in_flight', 'gauge', 'Downloads under way.', underWay.downloads),
      one('neptune_http_connections', 'gauge', 'Connections open that have sent a request.', sockets.size),
      one('neptune_http_received_bytes_total', 'counter', 'Bytes received.', closed.received + sum('bytesRead')),
      one('neptune_http_sent_bytes_total', 'counter', 'Bytes sent.', closed.sent + sum('bytesWritten')),
    ]
  }

  async function machine(): Promise<Reading[]> {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const p99 = delay.percentile(99) / 1e9
    delay.reset()
    const open = await readdir('/proc/self/fd').catch(() => undefined) // where there is no such folder, nothing is said
    return [
      one('process_resident_memory_bytes', 'gauge', 'Memory in use.', rss),
      one('nodejs_heap_size_used_bytes', 'gauge', 'Of the JavaScript heap, in use.', heapUsed),
      one('nodejs_heap_size_total_bytes', 'gauge', 'The JavaScript heap.', heapTotal),
      one('nodejs_external_memory_bytes', 'gauge', 'Memory of buffers and native code.', external),
      one('process_cpu_seconds_total', 'counter', 'Processor time used.', (user + system) / 1e6),
      one('process_start_time_seconds', 'gauge', 'When it started, in Unix time.', performance.timeOrigin / 1000),
      one('nodejs_eventloop_lag_p99_seconds', 'gauge', 'How late the event loop was, since this was last asked.', p99 || 0),
      ...(open ? [one('process_open_fds', 'gauge', 'Open file descriptors.', open.length - 1)] : []), // but for the one that counts them
    ]
  }

  const metrics: Metrics = {
    onAnswer(request, milliseconds) {
      const { method, route } = labelsOf(request)
      const key = `${method} ${route}`
      const entry = times.get(key) ?? { method, route, counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 }
      times.set(key, entry)
      const seconds = milliseconds / 1000
      const at = buckets.findIndex((bucket) => seconds <= bucket)
      const bucket = at < 0 ? buckets.length : at
      entry.counts[bucket] = (entry.counts[bucket] ?? 0) + 1
      entry.sum += seconds
    },
    ofProcess: async () => [...counted(), ...(await machine()), histogramOf([...times.values()])],
    ofAll: measure,
    text: async () => textOf([...(await metrics.ofProcess()), ...(await measure())]),
  }
  return metrics
}

/** What several processes tell of themselves, each with its number: summed up, they would seem to go back when one of them dies. */
export function labelled(parts: { worker: number; readings: Reading[] }[]): Reading[] {
  const all = parts.flatMap(({ worker, readings }) =>
    readings.map(({ values, ...reading }) => ({
      ...reading,
      values: values.map((value) => ({ ...value, labels: { ...value.labels, worker: String(worker) } })),
    })),
  )
  return [...Map.groupBy(all, ({ name }) => name).values()].flatMap(([first, ...rest]) =>
    first ? [{ ...first, values: [...first.values, ...rest.flatMap(({ values }) => values)] }] : [],
  )
}

export const textOf = (readings: Reading[]) => readings.flatMap(linesOf).join('\n').concat('\n')

/** Never an address as it was asked for: those are without number, and some are secret. */
function labelsOf(request: FastifyRequest) {
  const url = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
  return {
    method: methods.includes(request.method) ? request.method : 'other',
    route: url.startsWith('/assets/') ? '/assets/*' : url,
  }
}

const linesOf = ({ name, help, type, values }: Reading) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...values.map(({ part = '', labels = {}, value }) => `${name}${part}${bracket(labels)} ${value}`),
]

function histogramOf(times: Times[]): Reading {
  const values = times.flatMap(({ method, route, counts, sum }) => {
    let total = 0
    const rows = counts.map((count, i) => {
      total += count
      return { part: '_bucket', labels: { method, route, le: String(buckets[i] ?? '+Inf') }, value: total }
    })
    const labels = { method, route }
    return [...rows, { part: '_sum', labels, value: sum }, { part: '_count', labels, value: total }]
  })
  const help = 'How long requests waited until their answer began, without the time their bodies took to arrive.'
  return { name: 'neptune_http_answer_seconds', type: 'histogram', help, values }
}

function bracket(labels: Record<string, string>) {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))}"`,
  )
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** On the same port as all the rest, for whoever has the token. To others there is nothing at this address. */
export function serveMetrics(app: FastifyInstance, metrics: Metrics, token: string) {
  app.get('/metrics', { config: { access: 'public' } }, async ({ headers }, reply) => {
    if (!isToken(headers.authorization, token)) return reply.callNotFound()
    return reply.type(contentType).send(await metrics.text())
  })
}

/** On a port of their own. */
export async function listenForMetrics(
  metrics: Pick<Metrics, 'text'>,
  { host, port, token }: { host: string; port: number; token: string | undefined },
) {
  const { createServer } = process.getBuiltinModule('node:http') // not imported: see errors.ts
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    const isOpen = token === undefined || isToken(request.headers.authorization, token)
    const isAsked = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics'
    if (!isOpen || !isAsked) return response.writeHead(404, { 'content-length': 0 }).end()
    const headers = { 'content-type': contentType, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
    metrics.text().then(
      (text) => response.writeHead(200, headers).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ host, port }, resolve))
  const { address, port: actual, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/metrics`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Takes as long for a near miss as for a wild guess, of whatever length. */
function isToken(authorization = '', token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(authorization.replace(/^bearer /i, '')), hash(token)) && /^bearer /i.test(authorization)
}
