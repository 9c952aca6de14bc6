import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../lib/app-error.ts'

/** Responds with 503 to requests that arrive on open connections during shutdown, and closes the connection. */
export function rejectWhileStopping(app: FastifyInstance) {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.addHook('onRequest', (_request, reply, done) => {
    if (!isStopping) return done()
    reply.header('connection', 'close')
    done(new AppError('server.stopping', { retryAfterSeconds: 5 }))
  })
}

/**
 * Makes `closeIdleConnections` also close connections on which nothing has arrived yet, such as those that browsers open in
 * advance. Node counts them as busy, so a shutdown would wait for them.
 */
export function countUnusedConnectionsAsIdle(server: Server) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const closeIdleConnections = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
}
