import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** How long, and for how many bytes, the rest of a body is read after the reply. */
export interface Linger {
  timeoutMs: number
  maxBytes: number
}

/** Long enough to read a reply over a slow connection, and to send the rest of a small body. */
export const standardLinger: Linger = { timeoutMs: 2_000, maxBytes: 64 * 2 ** 20 }

const pollIntervalMs = 100

/**
 * Closes connections whose response was sent before the whole request body had arrived, whatever the route and the status. Closing at once
 * would reset the connection, and the client could lose the response. So the rest of the body is read and discarded for a moment, as RFC
 * 9112 section 9.6 recommends. If the body ends in time, the connection stays open for the next request.
 */
export function closeUnfinishedBodies(server: Server, linger: Linger) {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (encoding === undefined && (length === undefined || length === '0')) return
    const { socket } = request
    let isLast = false
    // Node calls `destroySoon` after the last reply of a connection. Node's own version closes it without reading what has arrived.
    socket.destroySoon = () => {
      restore()
      if (request.complete || !response.writableEnded) return socket.destroySoon()
      isLast = true
      socket.end()
    }
    const restore = () => Reflect.deleteProperty(socket, 'destroySoon')
    response.once('finish', () => discardRest(request, linger, () => isLast && socket.destroy()))
    response.once('close', restore)
  })
}

function discardRest(request: IncomingMessage, { timeoutMs, maxBytes }: Linger, onEnd: () => void) {
  if (request.complete || request.destroyed) return onEnd()
  const { socket } = request
  const [endsAt, maxRead] = [performance.now() + timeoutMs, socket.bytesRead + maxBytes]
  // Polled, because Node emits no event while it discards the unread body of a request that was answered.
  const timer = setInterval(() => {
    if (performance.now() > endsAt || socket.bytesRead > maxRead) socket.destroy()
  }, pollIntervalMs)
  const stop = () => clearInterval(timer)
  request.once('end', stop).once('end', onEnd).once('close', stop)
  socket.once('close', stop)
  request.unpipe()
  request.resume()
}
