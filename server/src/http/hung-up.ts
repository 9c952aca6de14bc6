import type { FastifyReply, FastifyRequest } from 'fastify'

/** Aborts when the client disconnects before its body has arrived. */
export function hungUp({ raw }: FastifyRequest): AbortSignal {
  const gone = new AbortController()
  const onClose = () => {
    if (!raw.complete) gone.abort()
  }
  raw.once('close', onClose)
  if (raw.destroyed) onClose() // closed before we added the listener
  return gone.signal
}

/** Aborts when the client disconnects before the answer is sent. */
export function readerGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const onClose = () => {
    if (!raw.writableFinished) gone.abort()
  }
  raw.once('close', onClose)
  if (raw.destroyed) onClose() // closed before we added the listener
  return gone.signal
}
