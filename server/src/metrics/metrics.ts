import { createHash, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { ResponseTimeListener } from '../http/log/response-time.ts'
import { formatMetrics, type Metric } from './metric.ts'
import { watchProcess } from './process-metrics.ts'
import { countRequests } from './request-counts.ts'
import { createResponseTimeHistogram } from './response-time-histogram.ts'

export interface Metrics {
  /** Records the response time of a request: see response-time.ts. */
  onResponse: ResponseTimeListener
  /** Returns the metrics of this process. */
  collectFromProcess(): Promise<Metric[]>
  /** Returns the metrics of the installation, which are the same in every process. */
  collectFromInstallation(): Promise<Metric[]>
  /** Returns all metrics in the Prometheus text format. */
  renderText(): Promise<string>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined unless metrics are enabled. */
    metrics?: Metrics
  }
}

/** Starts to collect metrics. `collectFromInstallation` runs at every scrape. */
export function addMetrics(app: FastifyInstance, collectFromInstallation: () => Promise<Metric[]>): Metrics {
  const collectFromRequests = countRequests(app)
  const collectFromRuntime = watchProcess(app)
  const responseTimes = createResponseTimeHistogram()
  const collectFromProcess = async () => [...collectFromRequests(), ...(await collectFromRuntime()), responseTimes.toMetric()]
  return {
    onResponse: responseTimes.onResponse,
    collectFromProcess,
    collectFromInstallation,
    renderText: async () => formatMetrics([...(await collectFromProcess()), ...(await collectFromInstallation())]),
  }
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Serves metrics on the main port to callers with the token. Everyone else gets 404, as for an unknown path. */
export function serveMetrics(app: FastifyInstance, metrics: Metrics, token: string) {
  app.get('/metrics', { config: { access: 'public' } }, async ({ headers }, reply) => {
    if (!hasToken(headers.authorization, token)) return reply.callNotFound()
    return reply.type(contentType).send(await metrics.renderText())
  })
}

/** Serves metrics on a separate port. */
export async function listenForMetrics(
  metrics: Pick<Metrics, 'renderText'>,
  { host, port, token }: { host: string; port: number; token: string | undefined },
) {
  const { createServer } = process.getBuiltinModule('node:http') // not imported: see http/errors.ts
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    const isAllowed = token === undefined || hasToken(request.headers.authorization, token)
    const isMetricsRequest = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics'
    if (!isAllowed || !isMetricsRequest) return response.writeHead(404, { 'content-length': 0 }).end()
    const headers = { 'content-type': contentType, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
    metrics.renderText().then(
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

/** Compares in constant time, whatever the length of the token sent. */
function hasToken(authorization = '', token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(authorization.replace(/^bearer /i, '')), hash(token)) && /^bearer /i.test(authorization)
}
