import type { FastifyRequest } from 'fastify'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Returns the metric labels for a route. Never the requested path: there are too many of them, and some contain secrets. */
export function getRouteLabels(request: FastifyRequest) {
  const url = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
  return {
    method: methods.includes(request.method) ? request.method : 'other',
    route: url.startsWith('/assets/') ? '/assets/*' : url,
  }
}
