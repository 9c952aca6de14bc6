import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'

/** Reads the body of an endpoint that takes a small file. Returns undefined if it has more bytes than this; its rest is not read then. */
export async function readFileBody({ raw, headers }: FastifyRequest, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) return undefined
  const body = Buffer.allocUnsafe(maxBytes) // of this size at once, so that a client that sends byte by byte takes no more memory
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
