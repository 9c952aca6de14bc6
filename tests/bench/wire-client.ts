import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

/** A client that costs little, so that on two cores the server is what is measured: bytes go in and out of a socket, and nothing else. */

const block = randomBytes(1 << 20)

export interface Answer {
  status: number
  headers: Map<string, string>
  /** Of the body, the first ones. */
  text: string
  bytes: number
}

export type Headers = Record<string, string>

/** Each part is text, or a number of random bytes. */
export function exchange(url: string, method: string, path: string, headers: Headers, parts: (string | number)[] = []) {
  const { hostname, port } = new URL(url)
  const length = parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? part : Buffer.byteLength(part)), 0)
  const all = { host: `${hostname}:${port}`, connection: 'close', 'content-length': String(length), ...headers }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise<Answer>((resolve, reject) => {
    let said = Buffer.alloc(0)
    let ends = -1
    let bytes = 0
    const hear = (count: number, buffer: Uint8Array) => {
      bytes += count
      if (said.length < 8192) said = Buffer.concat([said, buffer.subarray(0, Math.min(count, 8192))])
      if (ends < 0) ends = said.indexOf('\r\n\r\n')
      return true
    }
    const socket = connect({ host: hostname, port: Number(port), onread: { buffer: Buffer.alloc(1 << 20), callback: hear } })
    socket.setNoDelay(true)
    socket.once('error', reject)
    socket.once('close', () => {
      if (ends < 0) return reject(new Error(`${method} ${path} was not answered`))
      const [first = '', ...lines] = said.subarray(0, ends).toString('latin1').split('\r\n')
      const named = lines.map(
        (line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)] as const,
      )
      const text = said.subarray(ends + 4).toString('utf8')
      resolve({ status: Number(first.split(' ')[1]), headers: new Map(named), text, bytes: bytes - ends - 4 })
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
      let left = part
      const more = () => {
        while (left > 0) {
          const next = left < block.length ? block.subarray(0, left) : block
          left -= next.length
          if (!socket.write(next)) return void socket.once('drain', more)
        }
        send(index + 1)
      }
      more()
    }
  })
}

export function expectStatus(answer: Answer, ...wanted: number[]): Answer {
  if (!wanted.includes(answer.status)) throw new Error(`answered ${answer.status}: ${answer.text.slice(0, 300)}`)
  return answer
}

/** The parts of a form with one file of so many bytes. */
export const form = {
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  parts: (size: number) => [
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: application/octet-stream\r\n\r\n',
    size,
    '\r\n--x--\r\n',
  ],
}

/** So many at a time, all with their number. */
export async function inParallel(count: number, atOnce: number, work: (n: number) => Promise<unknown>) {
  let next = 0
  const run = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, run))
}
