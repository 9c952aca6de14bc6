import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What goes wrong with a request: it is refused, it is never answered, its answer comes late; the bytes of its answer are cut off with
 * the connection, or end early as if that were all; or it is done, and the answer gets lost with the connection, or just does not come.
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

/** A store that stands in front of another one and misbehaves as it is told. */
export async function startFaultyS3(endpoint: string) {
  const rules: Rule[] = []
  const asked: string[] = []
  let done = 0

  const server = createServer((incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url}`
    asked.push(line)
    incoming.on('error', () => undefined)
    outgoing.on('error', () => undefined)
    const rule = rules.find(({ requests, left }) => left > 0 && requests.test(line))
    if (rule) rule.left--
    misbehave({ incoming, outgoing, endpoint, lost: () => done++ }, rule?.fault)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every request, as `GET /bucket/key?query`. */
    asked,
    /** How many were done, and their answers lost. */
    get done() {
      return done
    },
    /** From now on, so many times, for requests like this. */
    fail(requests: RegExp, fault: Fault, times = Number.POSITIVE_INFINITY) {
      rules.push({ requests, fault, left: times })
    },
    heal() {
      rules.length = 0
      asked.length = 0
      done = 0
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A request on its way, and whom to tell that it was done and its answer lost. */
interface Passing {
  incoming: IncomingMessage
  outgoing: ServerResponse
  endpoint: string
  lost: () => void
}

function misbehave(passing: Passing, fault: Fault | undefined) {
  if (fault && 'hang' in fault) passing.incoming.resume()
  else if (fault && 'answer' in fault) refuse(passing, fault.answer)
  else if (fault && 'late' in fault) setTimeout(() => pass(passing, undefined), fault.late)
  else pass(passing, fault)
}

function refuse({ incoming, outgoing }: Passing, status: number) {
  const body = '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'
  incoming.resume().once('end', () => outgoing.writeHead(status, { 'content-length': body.length }).end(body))
}

/** Signatures name the host they were made for, so that one stays. */
function pass({ incoming, outgoing, endpoint, lost }: Passing, fault: Fault | undefined) {
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
