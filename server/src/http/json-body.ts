import type { FastifyInstance } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { parseStrictJson } from '../lib/strict-json.ts'

/** Long enough for 256 KiB over the worst line; whoever needs longer is holding the connection on purpose. */
const deadline = 30_000

/** The one way a body is read. Every other content type is refused, so that none can slip past the contract. */
export function addJsonBody(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addHook('preParsing', async (request, _reply, payload) => {
    const timer = setTimeout(() => request.raw.destroy(new Error('The body took too long')), deadline)
    payload.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
    return payload
  })
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
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
