import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    timing?: { startedAt: number; bodyStartedAt: number; bodyEndedAt: number; isReported: boolean } | undefined
    /** Reports the response time. Code that sends a reply without Fastify calls it before the first byte. */
    reportResponseTime?(): void
  }
}

export type ResponseTimeListener = (request: FastifyRequest, milliseconds: number) => void

/**
 * Measures the server's share of each request: from its headers to the first byte of the reply. Excludes the time that the request body
 * takes to arrive and the reply takes to be sent, because these depend on the client's connection.
 */
export function addResponseTime(app: FastifyInstance, listeners: ResponseTimeListener[]) {
  if (listeners.length === 0) return
  app.decorateRequest('timing', undefined)
  app.decorateRequest('reportResponseTime', function (this: FastifyRequest) {
    const { timing } = this
    if (!timing || timing.isReported) return
    timing.isReported = true
    const now = performance.now()
    const bodyMs = timing.bodyStartedAt === 0 ? 0 : (timing.bodyEndedAt || now) - timing.bodyStartedAt
    for (const listener of listeners) listener(this, now - timing.startedAt - bodyMs)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    request.timing = { startedAt: performance.now(), bodyStartedAt: 0, bodyEndedAt: 0, isReported: false }
    done()
  })
  app.addHook('preParsing', ({ raw, headers, timing }, _reply, payload, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (timing && hasBody && !raw.complete) {
      timing.bodyStartedAt = performance.now()
      raw.once('end', () => {
        timing.bodyEndedAt = performance.now()
      })
    }
    done(null, payload)
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.reportResponseTime?.()
    done(null, payload)
  })
}
