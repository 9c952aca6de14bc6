import { createHash, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { answerHistogram } from './answer-histogram.ts'
import type { OnAnswer } from './answer-time.ts'
import { watchMachine } from './machine.ts'
import { type Reading, textOf } from './readings.ts'
import { countRequests } from './request-counts.ts'

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

/** Counts requests from now on. `measure` tells what else is to be known, from outside HTTP, whenever somebody asks. */
export function addMetrics(app: FastifyInstance, measure: () => Promise<Reading[]>): Metrics {
  const counted = countRequests(app)
  const machine = watchMachine(app)
  const answers = answerHistogram()
  const ofProcess = async () => [...counted(), ...(await machine()), answers.reading()]
  return {
    onAnswer: answers.onAnswer,
    ofProcess,
    ofAll: measure,
    text: async () => textOf([...(await ofProcess()), ...(await measure())]),
  }
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
