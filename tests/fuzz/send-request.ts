import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { FuzzRequest } from './generate-request.ts'

export interface FuzzReply {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Sends a request exactly as generated: unlike `fetch`, this does not normalize the path. */
export function sendFuzzRequest(url: string, agent: Agent, { method, target, headers, body }: FuzzRequest): Promise<FuzzReply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const length = body ? { 'content-length': String(body.length) } : {}
    const call = request({ hostname, port, agent, method, path: target, headers: { ...headers, ...length } }, (reply) => {
      const chunks: Buffer[] = []
      // A stream of events would not end.
      if (reply.headers['content-type']?.startsWith('text/event-stream'))
        reply.once('data', () => reply.destroy()).once('close', () => reply.emit('end'))
      reply.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks) }))
    })
    call.on('error', reject).end(body)
  })
}
