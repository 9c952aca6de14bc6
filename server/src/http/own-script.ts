import type { FastifyRequest } from 'fastify'

/** Guards against CSRF: requires our header, which another site's page cannot send, and a matching `Sec-Fetch-Site` or `Origin`. */
export function isOwnScript({ headers }: FastifyRequest, corsOrigins: string[]): boolean {
  const site = headers['sec-fetch-site']
  const isOwn =
    site === undefined || site === 'same-origin' || (headers.origin !== undefined && corsOrigins.includes(headers.origin))
  return isOwn && headers['x-neptune'] === '1'
}
