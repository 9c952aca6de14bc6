import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import type { Headers } from '../support/client.ts'

// A minimal HTTP client that only reads and writes a socket. It leaves as much CPU time as possible to the server that is measured.

/** Random bytes to send. */
const block = randomBytes(1 << 20)

export interface WireRequest {
  url: string
  method: string
  path: string
  headers: Headers
  /** The expected status. */
  status: number
}

export interface WireReply {
  status: number
  headers: Map<string, string>
  /** The start of the body. */
  text: string
  bytes: number
}

/** Sends a request and returns the response. Each part of the body is text, or a number of random bytes. */
export function exchange(url: string, method: string, path: string, headers: Headers, parts: (string | number)[] = []) {
  const { hostname, port } = new URL(url)
  const length = parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? part : Buffer.byteLength(part)), 0)
  const all = { host: `${hostname}:${port}`, connection: 'close', 'content-length': String(length), ...headers }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise<WireReply>((resolve, reject) => {
    let start = Buffer.alloc(0)
    let headEnd = -1
    let bytes = 0
    const onRead = (count: number, buffer: Uint8Array) => {
      bytes += count
      if (start.length < 8192) start = Buffer.concat([start, buffer.subarray(0, Math.min(count, 8192))])
      if (headEnd < 0) headEnd = start.indexOf('\r\n\r\n')
      return true
    }
    const socket = connect({ host: hostname, port: Number(port), onread: { buffer: Buffer.alloc(1 << 20), callback: onRead } })
    socket.setNoDelay(true)
    socket.once('error', reject)
    socket.once('close', () => {
      if (headEnd < 0) return reject(new Error(`${method} ${path} got no response`))
      const [first = '', ...lines] = start.subarray(0, headEnd).toString('latin1').split('\r\n')
      const headerPairs = lines.map(
        (line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)] as const,
      )
      const text = start.subarray(headEnd + 4).toString('utf8')
      resolve({ status: Number(first.split(' ')[1]), headers: new Map(headerPairs), text, bytes: bytes - headEnd - 4 })
    })
    socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`)
    send(0)

    function send(index: number) {
      const part = parts[index]
      if (part === undefined) return
      if (typeof part === 'string') {
        socket.write(part)
        return send(index + 1)
      }
      let remaining = part
      const writeMore = () => {
        while (remaining > 0) {
          const next = remaining < block.length ? block.subarray(0, remaining) : block
          remaining -= next.length
          if (!socket.write(next)) return void socket.once('drain', writeMore)
        }
        send(index + 1)
      }
      writeMore()
    }
  })
}

export function expectStatus(reply: WireReply, ...expected: number[]): WireReply {
  if (!expected.includes(reply.status)) throw new Error(`returned ${reply.status}: ${reply.text.slice(0, 300)}`)
  return reply
}

/** A form with one file of a given size. */
export const form = {
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  makeParts: (size: number) => [
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: application/octet-stream\r\n\r\n',
    size,
    '\r\n--x--\r\n',
  ],
}

/** Runs `work` with each number below `count`, with limited concurrency. */
export async function runInParallel(count: number, concurrency: number, work: (n: number) => Promise<unknown>) {
  let next = 0
  const run = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: concurrency }, run))
}
