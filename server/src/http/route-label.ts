import type { FastifyRequest } from 'fastify'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Never an address as it was asked for: those are without number, and some are secret. */
export function routeOf(request: FastifyRequest) {
  const url = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
  return {
    method: methods.includes(request.method) ? request.method : 'other',
    route: url.startsWith('/assets/') ? '/assets/*' : url,
  }
}
