import type { FastifyReply, FastifyRequest } from 'fastify'

/** Returns a signal that aborts when the client disconnects before the whole request body has arrived. */
export function createRequestAbortSignal({ raw }: FastifyRequest): AbortSignal {
  const controller = new AbortController()
  const onClose = () => {
    if (!raw.complete) controller.abort()
  }
  raw.once('close', onClose)
  if (raw.destroyed) onClose() // closed before we added the listener
  return controller.signal
}

/** Returns a signal that aborts when the client disconnects before the reply is sent. */
export function createReplyAbortSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const onClose = () => {
    if (!raw.writableFinished) controller.abort()
  }
  raw.once('close', onClose)
  if (raw.destroyed) onClose() // closed before we added the listener
  return controller.signal
}
