import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A fault of a request: an error status, no response, or a late response; a response body that is cut off with the connection, or that
 * ends early without an error; or a request that is executed but whose response is lost, with or without closing the connection.
 */
export type Fault =
  | { status: number }
  | { hang: true }
  | { delayMs: number }
  | { cutAfter: number }
  | { endAfter: number }
  | { loseResponse: true }
  | { withholdResponse: true }

interface Rule {
  requests: RegExp
  fault: Fault
  remaining: number
}

/** Starts a proxy in front of an object store that injects faults. */
export async function startFaultyS3(endpoint: string) {
  const rules: Rule[] = []
  const received: string[] = []
  let lostResponses = 0

  const server = createServer((incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url}`
    received.push(line)
    incoming.on('error', () => undefined)
    outgoing.on('error', () => undefined)
    const rule = rules.find(({ requests, remaining }) => remaining > 0 && requests.test(line))
    if (rule) rule.remaining--
    handle({ incoming, outgoing, endpoint, onResponseLost: () => lostResponses++ }, rule?.fault)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every request, as `GET /bucket/key?query`. */
    received,
    /** How many requests were executed but got no response. */
    get lostResponses() {
      return lostResponses
    },
    /** Injects this fault into the next matching requests. */
    fail(requests: RegExp, fault: Fault, times = Number.POSITIVE_INFINITY) {
      rules.push({ requests, fault, remaining: times })
    },
    /** Removes all faults and forgets the requests so far. */
    heal() {
      rules.length = 0
      received.length = 0
      lostResponses = 0
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A request to forward. `onResponseLost` is called when it was executed but its response was dropped. */
interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  endpoint: string
  onResponseLost: () => void
}

function handle(exchange: Exchange, fault: Fault | undefined) {
  if (fault && 'hang' in fault) exchange.incoming.resume()
  else if (fault && 'status' in fault) reject(exchange, fault.status)
  else if (fault && 'delayMs' in fault) setTimeout(() => forward(exchange, undefined), fault.delayMs)
  else forward(exchange, fault)
}

function reject({ incoming, outgoing }: Exchange, status: number) {
  const body = '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'
  incoming.resume().once('end', () => outgoing.writeHead(status, { 'content-length': body.length }).end(body))
}

/** Forwards the request with its original Host header, which the signature covers. */
function forward({ incoming, outgoing, endpoint, onResponseLost }: Exchange, fault: Fault | undefined) {
  const { method, url, headers } = incoming
  const { hostname, port } = new URL(endpoint)
  const upstream = request({ hostname, port, method, path: url, headers })
  upstream.on('error', () => !outgoing.headersSent && outgoing.destroy())
  upstream.once('response', (response) => {
    // Swift closes the connection after a response to HEAD, which Node reports as an error.
    if (method === 'HEAD') response.on('error', () => undefined).resume()
    if (fault && ('loseResponse' in fault || 'withholdResponse' in fault)) {
      response.resume().once('end', () => {
        onResponseLost()
        if ('loseResponse' in fault) outgoing.destroy()
      })
    } else if (fault && 'cutAfter' in fault) shorten(response, outgoing, fault.cutAfter, true)
    else if (fault && 'endAfter' in fault) shorten(response, outgoing, fault.endAfter, false)
    else {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      if (method === 'HEAD') outgoing.end()
      else response.pipe(outgoing)
    }
  })
  outgoing.once('close', () => upstream.destroy())
  incoming.pipe(upstream)
}

/** Shortens a response body: closes the connection, or ends the body early without a Content-Length, so that HTTP shows no error. */
function shorten(response: IncomingMessage, outgoing: ServerResponse, bytes: number, closesConnection: boolean) {
  const { 'content-length': length, ...rest } = response.headers
  outgoing.writeHead(response.statusCode ?? 502, closesConnection ? { ...rest, 'content-length': length } : rest)
  let remaining = bytes
  response.on('data', (chunk: Buffer) => {
    const chunkStart = chunk.subarray(0, remaining)
    remaining -= chunkStart.length
    const isOver = remaining === 0
    outgoing.write(chunkStart, () => isOver && closesConnection && outgoing.destroy())
    if (!isOver) return
    if (!closesConnection) outgoing.end()
    response.destroy()
  })
  response.once('end', () => outgoing.end())
}
