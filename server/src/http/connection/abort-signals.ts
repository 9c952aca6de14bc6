import type { FastifyReply, FastifyRequest } from 'fastify'

/** Returns a signal that aborts when the client disconnects before the request body has arrived. */
export function createRequestAbortSignal({ raw }: FastifyRequest): AbortSignal {
  const gone = new AbortController()
  const onClose = () => {
    if (!raw.complete) gone.abort()
  }
  raw.once('close', onClose)
  if (raw.destroyed) onClose() // closed before we added the listener
  return gone.signal
}

/** Returns a signal that aborts when the client disconnects before the reply is sent. */
export function createReplyAbortSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const onClose = () => {
    if (!raw.writableFinished) gone.abort()
  }
  raw.once('close', onClose)
  if (raw.destroyed) onClose() // closed before we added the listener
  return gone.signal
}
