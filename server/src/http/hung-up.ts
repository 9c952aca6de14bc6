import type { FastifyRequest } from 'fastify'

/** Aborts when the other side goes away before everything it was to send has come. */
export function hungUp({ raw }: FastifyRequest): AbortSignal {
  const gone = new AbortController()
  const onClose = () => {
    if (!raw.complete) gone.abort()
  }
  raw.once('close', onClose)
  if (raw.destroyed) onClose() // before we could listen
  return gone.signal
}
