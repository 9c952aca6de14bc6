import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ResponseTimeListener } from './answer-time.ts'

/** One line a request, after it ended. Never a query, a header or a body: those carry secrets. */
export function addRequestLog(app: FastifyInstance) {
  const log = (request: FastifyRequest, reply: FastifyReply, more = {}) => {
    const path = loggedPath(request.routeOptions.url, request.params, request.url)
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.info({ method: request.method, path, status: reply.statusCode, ms, client: request.ip, ...more }, 'request')
  }
  app.addHook('onResponse', (request, reply, done) => {
    log(request, reply)
    done()
  })
  // A connection that breaks ends no answer, so nobody would hear of it.
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => reply.raw.writableEnded || log(request, reply, { isCut: true }))
    done()
  })
}

/** A line for each request that waited for us longer than this. */
export const slowLog =
  (limit: number): ResponseTimeListener =>
  (request, milliseconds) => {
    if (milliseconds < limit) return
    const path = loggedPath(request.routeOptions.url, request.params, request.url)
    request.log.warn({ method: request.method, path, ms: Math.round(milliseconds) }, 'slow request')
  }

/** Parameters that open something are logged as a fingerprint: enough to tell two apart, too little to use one. */
const secrets = ['accessKey', 'key', 'token', 'ticket']

/** The route with its parameters filled in again. What no route took is logged without its query and without anything long enough to be a key. */
export function loggedPath(route: string | undefined, params: unknown, url: string): string {
  if (!route?.includes(':')) return (url.split('?', 1)[0] ?? '').slice(0, 200).replace(/[\w-]{16,}/g, fingerprint)
  const values = params as Record<string, string>
  return route.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values[name] ?? ''
    return secrets.includes(name) || /^(\/v1\/link|(\/v1)?\/receipt)\//.test(route)
      ? fingerprint(value)
      : encodeURIComponent(value)
  })
}

function fingerprint(secret: string) {
  return `#${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`
}
