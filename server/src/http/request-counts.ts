import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { codeOf } from './errors.ts'
import { one, type Reading } from './readings.ts'
import { routeOf } from './route-label.ts'

/** Counts requests and what comes of them, from now on. */
export function countRequests(app: FastifyInstance) {
  const requests = new Map<string, { labels: Record<string, string>; value: number }>()
  const refusals = new Map<string, number>()
  const underWay = { requests: 0, uploads: 0, downloads: 0 }
  const carried = countBytes()

  app.addHook('onRequest', (request, reply, done) => {
    const { endpoint } = request.routeOptions.config
    const isUpload = typeof endpoint?.body === 'string' ? 1 : 0
    const isDownload = endpoint?.reply === 'bytes' ? 1 : 0
    underWay.requests++
    underWay.uploads += isUpload
    underWay.downloads += isDownload
    if (request.raw.socket instanceof Socket) carried.note(request.raw.socket) // an injected request has none
    reply.raw.once('close', () => {
      underWay.requests--
      underWay.uploads -= isUpload
      underWay.downloads -= isDownload
      const labels = { ...routeOf(request), status: reply.raw.headersSent ? String(reply.raw.statusCode) : 'none' }
      const key = `${labels.method} ${labels.route} ${labels.status}`
      const counted = requests.get(key)
      if (counted) counted.value++
      else requests.set(key, { labels, value: 1 })
    })
    done()
  })
  app.addHook('onError', (_request, _reply, error, done) => {
    const code = codeOf(error)
    refusals.set(code, (refusals.get(code) ?? 0) + 1)
    done()
  })

  return (): Reading[] => [
    {
      name: 'neptune_http_requests_total',
      type: 'counter',
      help: 'Requests that ended, by method, route and status; none if the other side went away first.',
      values: [...requests.values()],
    },
    {
      name: 'neptune_http_refusals_total',
      type: 'counter',
      help: 'Errors that were answered, by their code.',
      values: [...refusals].map(([code, value]) => ({ labels: { code }, value })),
    },
    one('neptune_http_requests_in_flight', 'gauge', 'Requests under way.', underWay.requests),
    one('neptune_uploads_in_flight', 'gauge', 'Uploads under way.', underWay.uploads),
    one('neptune_downloads_in_flight', 'gauge', 'Downloads under way.', underWay.downloads),
    ...carried.readings(),
  ]
}

/** What all connections have carried, headers included. */
function countBytes() {
  const sockets = new Set<Socket>()
  const closed = { received: 0, sent: 0 }
  const sum = (way: 'bytesRead' | 'bytesWritten') => [...sockets].reduce((total, socket) => total + socket[way], 0)
  return {
    note(socket: Socket) {
      if (sockets.has(socket)) return
      sockets.add(socket)
      socket.once('close', () => {
        sockets.delete(socket)
        closed.received += socket.bytesRead
        closed.sent += socket.bytesWritten
      })
    },
    readings: () => [
      one('neptune_http_connections', 'gauge', 'Connections open that have sent a request.', sockets.size),
      one('neptune_http_received_bytes_total', 'counter', 'Bytes received.', closed.received + sum('bytesRead')),
      one('neptune_http_sent_bytes_total', 'counter', 'Bytes sent.', closed.sent + sum('bytesWritten')),
    ],
  }
}
