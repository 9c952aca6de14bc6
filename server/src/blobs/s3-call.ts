import { createHash } from 'node:crypto'
import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Writable } from 'node:stream'
import type { S3Signer } from './s3-sign.ts'

/** What a request brings along. It may be sent more than once. */
export interface Body {
  readonly size: number
  /** In hexadecimal. The store compares it with what arrives. */
  readonly sha256: string
  sendTo(to: Writable): Promise<void>
}

export interface Question {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Of an object; without it the bucket is meant. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Body
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

const connectsWithin = 3_000
/** A page of a listing has at most a thousand keys of at most a kilobyte each. */
const textMax = 8 * 2 ** 20

/** One request at a time, each of them tried once. `quiet` is how long nothing may happen on a connection. */
export function s3Calls(endpoint: string, { sign }: S3Signer) {
  const { request, Agent } = endpoint.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true })

  /** Resolves when the answer begins; its bytes are still to be read. `signal` ends it at any time. */
  async function send({ method, key, query, headers, body }: Question, quiet: number, signal?: AbortSignal) {
    const hash = { 'x-amz-content-sha256': body?.sha256 ?? sha256OfNothing }
    const signed = await sign({ method, key, query, headers: { ...headers, ...hash } })
    const length = method === 'PUT' || method === 'POST' ? { 'content-length': String(body?.size ?? 0) } : {}
    const call = request(signed.url, { method, agent, headers: { ...Object.fromEntries(signed.headers), ...length } })
    endInTime(call, quiet, signal)
    const response = new Promise<IncomingMessage>((resolve, reject) => call.once('response', resolve).on('error', reject))
    const sent = (body?.sendTo(call) ?? Promise.resolve()).then(
      () => void call.end(),
      (error) => void call.destroy(error),
    )
    try {
      return { call, sent, response: (await response).on('error', () => undefined) }
    } catch (error) {
      await sent // nobody reads from the body any more
      throw error
    }
  }

  /** The whole answer. */
  async function answerTo(question: Question, quiet: number): Promise<Answer> {
    const { call, sent, response } = await send(question, quiet)
    try {
      // To HEAD some stores send what looks like the end of a body, and the connection breaks on it.
      const text = question.method === 'HEAD' ? '' : await textOf(response)
      const status = response.statusCode ?? 0
      // Completing an upload begins with 200 and may still end in an error.
      const isTrue = status !== 200 || !/^\s*(<\?[^>]*\?>)?\s*<Error>/.test(text)
      return { status: isTrue ? status : 500, headers: response.headers, text }
    } finally {
      response.resume()
      // A store may say no before it has read everything: the rest is for nobody.
      if (!call.writableEnded) call.destroy()
      await sent
    }
  }

  return { send, answerTo }
}

/** When it is stopped, when no connection comes about, or when nothing happens on it any more. */
function endInTime(call: ClientRequest, quiet: number, signal?: AbortSignal) {
  const stop = () => call.destroy(new Error('Stopped'))
  signal?.addEventListener('abort', stop)
  call.once('close', () => signal?.removeEventListener('abort', stop))
  if (signal?.aborted) stop()
  call.setTimeout(quiet, () => call.destroy(new Error(`Nothing came for ${quiet} ms`)))
  call.once('socket', (socket) => {
    if (!socket.connecting) return
    const timer = setTimeout(() => call.destroy(new Error(`No connection within ${connectsWithin} ms`)), connectsWithin)
    const settle = () => clearTimeout(timer)
    socket.once('connect', settle).once('close', settle)
  })
}

/** A body that lies in memory: XML. */
export function bodyOf(text: string): Body {
  const bytes = Buffer.from(text)
  return {
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    async sendTo(to) {
      if (bytes.length > 0) to.write(bytes)
    },
  }
}

const sha256OfNothing = bodyOf('').sha256

export async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    size += chunk.length
    if (size > textMax) throw new Error('The store says more than it should')
  }
  return Buffer.concat(chunks).toString()
}
