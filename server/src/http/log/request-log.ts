import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ResponseTimeListener } from './response-time.ts'

/** Logs one line per request when it ends. Never logs query strings, headers or bodies, because they carry secrets. */
export function addRequestLog(app: FastifyInstance) {
  const log = (request: FastifyRequest, reply: FastifyReply, more = {}) => {
    const path = getLoggedPath(request.routeOptions.url, request.params, request.url)
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.info({ method: request.method, path, status: reply.statusCode, ms, client: request.ip, ...more }, 'request')
  }
  app.addHook('onResponse', (request, reply, done) => {
    log(request, reply)
    done()
  })
  // Fastify calls no `onResponse` hook when the connection breaks.
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => reply.raw.writableEnded || log(request, reply, { isCut: true }))
    done()
  })
}

/** Logs each request whose response time reaches the limit. */
export const logSlowRequests =
  (limitMs: number): ResponseTimeListener =>
  (request, milliseconds) => {
    if (milliseconds < limitMs) return
    const path = getLoggedPath(request.routeOptions.url, request.params, request.url)
    request.log.warn({ method: request.method, path, ms: Math.round(milliseconds) }, 'slow request')
  }

/** Parameters that grant access. They are logged as a fingerprint, which identifies a value without revealing it. */
const secretParameters = ['accessKey', 'key', 'token', 'ticket']

/**
 * Returns the path to log: the route with its parameters. The path of an unknown route loses its query and anything long
 * enough to be a key.
 */
export function getLoggedPath(route: string | undefined, params: unknown, url: string): string {
  if (!route?.includes(':')) return (url.split('?', 1)[0] ?? '').slice(0, 200).replace(/[\w-]{16,}/g, fingerprint)
  const values = params as Record<string, string>
  return route.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values[name] ?? ''
    return secretParameters.includes(name) || /^(\/v1\/link|(\/v1)?\/receipt)\//.test(route)
      ? fingerprint(value)
      : encodeURIComponent(value)
  })
}

function fingerprint(secret: string) {
  return `#${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`
}
