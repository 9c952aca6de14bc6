import type { FastifyInstance } from 'fastify'

const open = { config: { access: 'public' } } as const

/** For whoever watches the process: alive, and able to serve. */
export function addHealth(app: FastifyInstance, isReady: () => Promise<unknown>) {
  app.get('/healthz', open, async () => ({ status: 'ok' }))
  app.get('/readyz', open, async (request, reply) => {
    try {
      await isReady()
      return { status: 'ok' }
    } catch (error) {
      request.log.warn({ err: error }, 'not ready')
      return reply.code(503).header('retry-after', '5').send({ status: 'unavailable' })
    }
  })
}
