import type { FastifyRequest } from 'fastify'

/** Aborts when the other side goes away before everything it was to send has come. */
export function hungUp({ raw }: FastifyRequest): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.complete) gone.abort()
  })
  return gone.signal
}
