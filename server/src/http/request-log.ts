import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** One line a request, after it ended. Never a query, a header or a body: those carry secrets. */
export function addRequestLog(app: FastifyInstance) {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: loggedPath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        client: request.ip,
      },
      'request',
    )
  })
}

/** A link's key opens half a door, so it is logged as a fingerprint: enough to tell two links apart, too little to use one. */
export function loggedPath(url: string): string {
  const path = url.split('?', 1)[0] ?? ''
  return path.replace(
    /^(\/(?:access|reset)\/|\/v1\/link\/)([^/]+)/,
    (_, before: string, secret: string) => before + fingerprint(secret),
  )
}

const fingerprint = (secret: string) => `#${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`
