import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { parseStrictJson } from '../../lib/strict-json.ts'

const streamedTypes = {
  'application/offset+octet-stream': 'bytes',
  'application/octet-stream': 'file',
  'multipart/form-data': 'multipart',
} as const

/** Long enough for 256 KiB on a very slow connection. A client that needs longer holds the connection on purpose. */
const bodyTimeoutMs = 30_000

/**
 * Parses JSON bodies, and leaves bodies that the contract declares as bytes or forms to the handler. Rejects every other content type, so
 * that no body bypasses the contract.
 */
export function addBodyParsers(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw, headers } = request
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    const kind = request.routeOptions.config.endpoint?.body
    // Uploads have no deadline. Neither do requests without a body, whose replies may take long to send.
    if (!hasBody || kind === 'bytes' || kind === 'multipart') return done(null, payload)
    const timer = setTimeout(() => raw.complete || raw.destroy(new Error('The body took too long')), bodyTimeoutMs)
    payload.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
    done(null, payload)
  })
  for (const [type, body] of Object.entries(streamedTypes)) {
    app.addContentTypeParser(type, async (request: FastifyRequest) => {
      if (!request.is404 && request.routeOptions.config.endpoint?.body !== body) throw new AppError('request.wrong_type')
      return undefined
    })
  }
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (request: FastifyRequest, body: string) => {
      if (!request.is404 && request.routeOptions.config.endpoint?.body !== 'form') throw new AppError('request.wrong_type')
      return body
    },
  )
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (typeof request.routeOptions.config.endpoint?.body === 'string') throw new AppError('request.wrong_type')
    if (body.length === 0) return undefined
    try {
      return parseStrictJson(body)
    } catch (error) {
      throw new AppError('request.invalid', {
        cause: error,
        fields: [{ field: '', message: 'The body is not JSON that this server accepts.' }],
      })
    }
  })
}
