import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    timing?: { cameAt: number; bodyFrom: number; bodyUntil: number; isAnswered: boolean } | undefined
    /** For whoever writes an answer past Fastify: to be called as its first byte leaves. */
    answerBegins?(): void
  }
}

export type OnAnswer = (request: FastifyRequest, milliseconds: number) => void

/**
 * Tells how long each request waited for us: from when it came until its answer began. The time its body took to arrive is left out, and
 * the sending of the answer is not in it: how fast those are is up to the other side's line.
 */
export function addAnswerTime(app: FastifyInstance, listeners: OnAnswer[]) {
  if (listeners.length === 0) return
  app.decorateRequest('timing', undefined)
  app.decorateRequest('answerBegins', function (this: FastifyRequest) {
    const { timing } = this
    if (!timing || timing.isAnswered) return
    timing.isAnswered = true
    const now = performance.now()
    const waited = timing.bodyFrom === 0 ? 0 : (timing.bodyUntil || now) - timing.bodyFrom
    for (const listener of listeners) listener(this, now - timing.cameAt - waited)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    request.timing = { cameAt: performance.now(), bodyFrom: 0, bodyUntil: 0, isAnswered: false }
    done()
  })
  app.addHook('preParsing', ({ raw, headers, timing }, _reply, payload, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (timing && hasBody && !raw.complete) {
      timing.bodyFrom = performance.now()
      raw.once('end', () => {
        timing.bodyUntil = performance.now()
      })
    }
    done(null, payload)
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.answerBegins?.()
    done(null, payload)
  })
}
