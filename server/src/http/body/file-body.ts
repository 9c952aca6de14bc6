import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'

/** Reads the body of an endpoint that takes a small file. If the body is too large, returns undefined and leaves the rest unread. */
export async function readFileBody({ raw, headers }: FastifyRequest, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) return undefined
  const body = Buffer.allocUnsafe(maxBytes) // one buffer: collecting single bytes would take far more memory
  let length = 0
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      if (length + chunk.length > maxBytes) return undefined
      length += (chunk as Buffer).copy(body, length)
    }
  } catch (cause) {
    throw new AppError('request.invalid', { cause }) // the connection has ended
  }
  return body.subarray(0, length)
}
