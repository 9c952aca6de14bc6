import { createHash } from 'node:crypto'
import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Writable } from 'node:stream'
import type { S3Signer } from './signer.ts'

/** The body of a request. It can be sent more than once. */
export interface Body {
  readonly size: number
  /** In hexadecimal. The store verifies it. */
  readonly sha256: string
  sendTo(to: Writable): Promise<void>
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The key of an object. Without it, the request is for the bucket. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Body
}

export interface S3Response {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

const connectTimeoutMs = 3_000
/** A listing page has at most a thousand keys of at most a kilobyte each. */
const maxResponseBytes = 8 * 2 ** 20

/** Signs and sends single requests to S3, without retries. */
export function createS3Transport(endpoint: string, { sign }: S3Signer) {
  const protocol = endpoint.startsWith('https:') ? https : http
  const agent = new protocol.Agent({ keepAlive: true })

  /** Resolves when the response headers have arrived; the caller reads the body. `signal` aborts it at any time. */
  async function send({ method, key, query, headers, body }: S3Request, idleTimeoutMs: number, signal?: AbortSignal) {
    const hashHeader = { 'x-amz-content-sha256': body?.sha256 ?? emptySha256 }
    const signed = await sign({ method, key, query, headers: { ...headers, ...hashHeader } })
    const lengthHeader = method === 'PUT' || method === 'POST' ? { 'content-length': String(body?.size ?? 0) } : {}
    const clientRequest = protocol.request(signed.url, {
      method,
      agent,
      headers: { ...Object.fromEntries(signed.headers), ...lengthHeader },
    })
    applyTimeouts(clientRequest, idleTimeoutMs, signal)
    const response = new Promise<IncomingMessage>((resolve, reject) =>
      clientRequest.once('response', resolve).on('error', reject),
    )
    const bodySent = (body?.sendTo(clientRequest) ?? Promise.resolve()).then(
      () => void clientRequest.end(),
      (error) => void clientRequest.destroy(error),
    )
    try {
      return { clientRequest, bodySent, response: (await response).on('error', () => undefined) }
    } catch (error) {
      await bodySent // so that the body is no longer being read
      throw error
    }
  }

  /** Sends a request and reads the whole response. */
  async function exchange(request: S3Request, idleTimeoutMs: number): Promise<S3Response> {
    const { clientRequest, bodySent, response } = await send(request, idleTimeoutMs)
    try {
      // A response to HEAD has no body. Some stores send the end of one anyway, which breaks the connection while it is read.
      const text = request.method === 'HEAD' ? '' : await readText(response)
      const status = response.statusCode ?? 0
      // The response to CompleteMultipartUpload may be a 200 whose body is an error.
      const isHiddenError = status === 200 && /^\s*(<\?[^>]*\?>)?\s*<Error>/.test(text)
      return { status: isHiddenError ? 500 : status, headers: response.headers, text }
    } finally {
      response.resume()
      // A store may refuse a request before it has read the whole body. The rest is not sent.
      if (!clientRequest.writableEnded) clientRequest.destroy()
      await bodySent
    }
  }

  return { send, exchange }
}

/** Destroys a request when it is aborted, when it can't connect in time, or when its connection is idle for too long. */
function applyTimeouts(clientRequest: ClientRequest, idleTimeoutMs: number, signal?: AbortSignal) {
  const abort = () => clientRequest.destroy(new Error('The request was aborted'))
  signal?.addEventListener('abort', abort)
  clientRequest.once('close', () => signal?.removeEventListener('abort', abort))
  if (signal?.aborted) abort()
  clientRequest.setTimeout(idleTimeoutMs, () =>
    clientRequest.destroy(new Error(`The connection was idle for ${idleTimeoutMs} ms`)),
  )
  clientRequest.once('socket', (socket) => {
    if (!socket.connecting) return
    const fail = () => clientRequest.destroy(new Error(`No connection within ${connectTimeoutMs} ms`))
    const timer = setTimeout(fail, connectTimeoutMs)
    const cancel = () => clearTimeout(timer)
    socket.once('connect', cancel).once('close', cancel)
  })
}

/** Creates a body from a short text, such as XML. */
export function createTextBody(text: string): Body {
  const bytes = Buffer.from(text)
  return {
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    async sendTo(to) {
      if (bytes.length > 0) to.write(bytes)
    },
  }
}

const emptySha256 = createTextBody('').sha256

export async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxResponseBytes) throw new Error('The response of the store is too long')
  }
  return Buffer.concat(chunks).toString()
}
