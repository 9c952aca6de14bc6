import type { FastifyInstance } from 'fastify'
import { AppError } from '../../lib/app-error.ts'

/** Answers 503 to requests that arrive on open connections during shutdown, and closes the connection. */
export function rejectWhileStopping(app: FastifyInstance) {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.addHook('onRequest', (_request, reply, done) => {
    if (!isStopping) return done()
    reply.header('connection', 'close')
    done(new AppError('server.stopping', { retryAfterSeconds: 5 }))
  })
}
