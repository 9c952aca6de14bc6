import type { FastifyInstance } from 'fastify'
import { AppError } from '../lib/app-error.ts'

/** A request that comes on an open connection while we stop is told so in our own words, and sent elsewhere. */
export function addStopping(app: FastifyInstance) {
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
