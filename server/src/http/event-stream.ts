import type { FastifyReply, FastifyRequest } from 'fastify'

/** An open reply that sends server-sent events. */
export interface EventStream {
  send: (event: string, data: unknown) => void
  /** Sends a comment, which keeps proxies from closing the connection. */
  keepAlive: () => void
  end: () => void
  /** Calls the listener once when either side has closed the connection. */
  onClose: (listener: () => void) => void
}

/** A client with more unread bytes than this has stopped reading. */
const maxWaitingBytes = 64 * 1024

export function openEventStream(request: FastifyRequest, reply: FastifyReply): EventStream {
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // So that the next request of the client can go to another process if this one is being replaced.
    connection: 'close',
    'x-accel-buffering': 'no', // otherwise nginx would hold events back until its buffer is full
  })
  reply.hijack()
  request.reportResponseTime?.()
  const { raw } = reply
  raw.writeHead(200, reply.getHeaders() as Record<string, string>)
  const write = (text: string) => {
    if (raw.writableEnded) return
    raw.write(text)
    if (raw.writableLength > maxWaitingBytes) raw.destroy()
  }
  return {
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    keepAlive: () => write(':\n\n'),
    end: () => raw.end(),
    // A client can disconnect before the reply begins.
    onClose: (listener) => void (raw.destroyed ? listener() : raw.once('close', listener)),
  }
}
