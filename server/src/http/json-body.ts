import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { parseStrictJson } from '../lib/strict-json.ts'

const streamed = { 'application/offset+octet-stream': 'bytes', 'multipart/form-data': 'multipart' } as const

/** Long enough for 256 KiB over the worst line; whoever needs longer is holding the connection on purpose. */
const deadline = 30_000

/**
 * How bodies are read: as JSON, or left to the handler where the contract says that bytes come. Every other content type is
 * refused, so that none can slip past the contract.
 */
export function addJsonBody(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw, headers } = request
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    // Bytes take as long as they take; and without a body there is nothing to wait for, only an answer that may take long to send.
    if (!hasBody || typeof request.routeOptions.config.endpoint?.body === 'string') return done(null, payload)
    const timer = setTimeout(() => raw.complete || raw.destroy(new Error('The body took too long')), deadline)
    payload.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
    done(null, payload)
  })
  for (const [type, body] of Object.entries(streamed)) {
    app.addContentTypeParser(type, async (request: FastifyRequest) => {
      if (!request.is404 && request.routeOptions.config.endpoint?.body !== body) throw new AppError('request.wrong_type')
      return undefined
    })
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (typeof request.routeOptions.config.endpoint?.body === 'string') throw new AppError('request.wrong_type')
    if (body.length === 0) return undefined
    try {
      return parseStrictJson(body)
    } catch (error) {
      throw new AppError('request.invalid', {
        cause: error,
        fields: [{ field: '', message: 'The body is not JSON this server reads.' }],
      })
    }
  })
}
