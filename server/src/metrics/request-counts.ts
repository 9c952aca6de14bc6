import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { toErrorCode } from '../http/errors.ts'
import { getRouteLabels } from '../http/log/route-labels.ts'
import { createSingleValue, type Metric } from './metric.ts'

/** Counts requests, errors and bytes. Returns a function that reports the counts. */
export function countRequests(app: FastifyInstance) {
  const requests = new Map<string, { labels: Record<string, string>; value: number }>()
  const errors = new Map<string, number>()
  const inFlight = { requests: 0, uploads: 0, downloads: 0 }
  const traffic = countBytes()

  app.addHook('onRequest', (request, reply, done) => {
    const { endpoint } = request.routeOptions.config
    const uploadCount = typeof endpoint?.body === 'string' ? 1 : 0
    const downloadCount = endpoint?.reply === 'bytes' ? 1 : 0
    inFlight.requests++
    inFlight.uploads += uploadCount
    inFlight.downloads += downloadCount
    if (request.raw.socket instanceof Socket) traffic.track(request.raw.socket) // an injected request has none
    reply.raw.once('close', () => {
      inFlight.requests--
      inFlight.uploads -= uploadCount
      inFlight.downloads -= downloadCount
      const labels = { ...getRouteLabels(request), status: reply.raw.headersSent ? String(reply.raw.statusCode) : 'none' }
      const key = `${labels.method} ${labels.route} ${labels.status}`
      const counted = requests.get(key)
      if (counted) counted.value++
      else requests.set(key, { labels, value: 1 })
    })
    done()
  })
  app.addHook('onError', (_request, _reply, error, done) => {
    const code = toErrorCode(error)
    errors.set(code, (errors.get(code) ?? 0) + 1)
    done()
  })

  return (): Metric[] => [
    {
      name: 'neptune_http_requests_total',
      type: 'counter',
      help: 'Finished requests, by method, route and status. The status is none if the client disconnected first.',
      values: [...requests.values()],
    },
    {
      name: 'neptune_http_refusals_total',
      type: 'counter',
      help: 'Error replies, by error code.',
      values: [...errors].map(([code, value]) => ({ labels: { code }, value })),
    },
    createSingleValue('neptune_http_requests_in_flight', 'gauge', 'Requests in progress.', inFlight.requests),
    createSingleValue(
      'neptune_uploads_in_flight',
      'gauge',
      'Requests in progress that send a file, a part of one, or a form.',
      inFlight.uploads,
    ),
    createSingleValue(
      'neptune_downloads_in_flight',
      'gauge',
      'Requests in progress that get a file, a ZIP, a preview, a thumbnail or an export.',
      inFlight.downloads,
    ),
    ...traffic.toMetrics(),
  ]
}

/** Counts the bytes sent and received on all connections, headers included. */
function countBytes() {
  const sockets = new Set<Socket>()
  const closed = { received: 0, sent: 0 }
  const sum = (counter: 'bytesRead' | 'bytesWritten') => [...sockets].reduce((total, socket) => total + socket[counter], 0)
  return {
    track(socket: Socket) {
      if (sockets.has(socket)) return
      sockets.add(socket)
      socket.once('close', () => {
        sockets.delete(socket)
        closed.received += socket.bytesRead
        closed.sent += socket.bytesWritten
      })
    },
    toMetrics: () => [
      createSingleValue('neptune_http_connections', 'gauge', 'Open connections that have sent a request.', sockets.size),
      createSingleValue('neptune_http_received_bytes_total', 'counter', 'Bytes received.', closed.received + sum('bytesRead')),
      createSingleValue('neptune_http_sent_bytes_total', 'counter', 'Bytes sent.', closed.sent + sum('bytesWritten')),
    ],
  }
}
