import type { FastifyInstance } from 'fastify'

const publicRoute = { config: { access: 'public' } } as const

/** Adds the liveness and readiness probes. `checkReady` throws when the server cannot serve requests. */
export function addHealth(app: FastifyInstance, checkReady: () => Promise<unknown>) {
  app.get('/healthz', publicRoute, async () => ({ status: 'ok' }))
  app.get('/readyz', publicRoute, async (request, reply) => {
    try {
      await checkReady()
      return { status: 'ok' }
    } catch (error) {
      request.log.warn({ err: error }, 'not ready')
      return reply.code(503).header('retry-after', '5').send({ status: 'unavailable' })
    }
  })
}
