import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A fault of a request: an error status, no response, or a late response; a response body that is cut off with the connection, or that
 * ends early without an error; or a request that is executed but whose response is lost, with or without closing the connection.
 */
export type Fault =
  | { answer: number }
  | { hang: true }
  | { late: number }
  | { cutAfter: number }
  | { endAfter: number }
  | { loseAnswer: true }
  | { keepAnswer: true }

interface Rule {
  requests: RegExp
  fault: Fault
  left: number
}

/** Starts a proxy in front of an object store that injects faults. */
export async function startFaultyS3(endpoint: string) {
  const rules: Rule[] = []
  const received: string[] = []
  let executed = 0

  const server = createServer((incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url}`
    received.push(line)
    incoming.on('error', () => undefined)
    outgoing.on('error', () => undefined)
    const rule = rules.find(({ requests, left }) => left > 0 && requests.test(line))
    if (rule) rule.left--
    handle({ incoming, outgoing, endpoint, lost: () => executed++ }, rule?.fault)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every request, as `GET /bucket/key?query`. */
    received,
    /** How many requests were executed although their responses were lost. */
    get executed() {
      return executed
    },
    /** Injects this fault into the next matching requests. */
    fail(requests: RegExp, fault: Fault, times = Number.POSITIVE_INFINITY) {
      rules.push({ requests, fault, left: times })
    },
    heal() {
      rules.length = 0
      received.length = 0
      executed = 0
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A request to forward. `lost` is called when it was executed but its response was dropped. */
interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  endpoint: string
  lost: () => void
}

function handle(exchange: Exchange, fault: Fault | undefined) {
  if (fault && 'hang' in fault) exchange.incoming.resume()
  else if (fault && 'answer' in fault) reject(exchange, fault.answer)
  else if (fault && 'late' in fault) setTimeout(() => forward(exchange, undefined), fault.late)
  else forward(exchange, fault)
}

function reject({ incoming, outgoing }: Exchange, status: number) {
  const body = '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'
  incoming.resume().once('end', () => outgoing.writeHead(status, { 'content-length': body.length }).end(body))
}

/** Forwards the request with its original Host header, which the signature covers. */
function forward({ incoming, outgoing, endpoint, lost }: Exchange, fault: Fault | undefined) {
  const { method, url, headers } = incoming
  const { hostname, port } = new URL(endpoint)
  const onward = request({ hostname, port, method, path: url, headers })
  onward.on('error', () => !outgoing.headersSent && outgoing.destroy())
  onward.once('response', (answer) => {
    // Swift ends the body of such an answer, though it has none.
    if (method === 'HEAD') answer.on('error', () => undefined).resume()
    if (fault && ('loseAnswer' in fault || 'keepAnswer' in fault)) {
      answer.resume().once('end', () => {
        lost()
        if ('loseAnswer' in fault) outgoing.destroy()
      })
    } else if (fault && 'cutAfter' in fault) shorten(answer, outgoing, fault.cutAfter, true)
    else if (fault && 'endAfter' in fault) shorten(answer, outgoing, fault.endAfter, false)
    else {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      if (method === 'HEAD') outgoing.end()
      else answer.pipe(outgoing)
    }
  })
  outgoing.once('close', () => onward.destroy())
  incoming.pipe(onward)
}

/** Cut off with the connection; or an early end that looks like one to HTTP: no length is promised, so that none is missed. */
function shorten(answer: IncomingMessage, outgoing: ServerResponse, bytes: number, isCut: boolean) {
  const { 'content-length': length, ...rest } = answer.headers
  outgoing.writeHead(answer.statusCode ?? 502, isCut ? { ...rest, 'content-length': length } : rest)
  let left = bytes
  answer.on('data', (chunk: Buffer) => {
    const piece = chunk.subarray(0, left)
    left -= piece.length
    const isOver = left === 0
    outgoing.write(piece, () => isOver && isCut && outgoing.destroy())
    if (!isOver) return
    if (!isCut) outgoing.end()
    answer.destroy()
  })
  answer.once('end', () => outgoing.end())
}
