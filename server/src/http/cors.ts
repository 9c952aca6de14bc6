import type { FastifyInstance } from 'fastify'

const exposedHeaders = [
  'content-disposition, content-filename, content-range, accept-ranges, etag, retry-after, x-request-id',
  'location, tus-resumable, tus-version, upload-offset, upload-length, upload-metadata, upload-expires, neptune-file, neptune-direct',
].join(', ')
const allowedHeaders = [
  'authorization, content-type, range, if-range, x-neptune',
  'tus-resumable, upload-length, upload-offset, upload-metadata, upload-checksum',
].join(', ')

/** Lets the configured origins call the API from a browser. Adds no headers when there are none, so browsers block every other origin. */
export function addCors(app: FastifyInstance, { corsOrigins }: { corsOrigins: string[] }) {
  if (corsOrigins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (!origin || !corsOrigins.includes(origin)) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': exposedHeaders,
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return
    return reply
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': allowedHeaders,
        'access-control-max-age': '600',
      })
      .code(204)
      .send()
  })
}
