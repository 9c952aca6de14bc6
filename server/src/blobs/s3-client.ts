import { createHash } from 'node:crypto'
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { BlobError } from './blob-store.ts'

export interface S3Settings {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Where others reach the store, if it is another place than where we do. */
  publicEndpoint?: string | undefined
}

/** What a request brings along. It may be sent more than once. */
export interface Body {
  readonly size: number
  /** In hexadecimal. The store compares it with what arrives. */
  readonly sha256: string
  sendTo(to: Writable): Promise<void>
}

interface Question {
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

export interface Patience {
  /** No further try begins after so long. */
  patience: number
  /** How long nothing may happen on a connection. */
  quiet: number
}

/** What the store says no to, for the operator's log. It names no secret and no signed address. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  /** As S3 calls it: `NoSuchBucket`, `AccessDenied`. */
  readonly code: string

  constructor({ method, key = '' }: Question, { status, text }: Answer) {
    const [, code = ''] = /<Code>([^<]{1,100})<\/Code>/.exec(text) ?? []
    super(`The store answered ${method} ${key || 'bucket'} with ${status}${code && ` ${code}`}`)
    this.status = status
    this.code = code
  }
}

export type S3Client = ReturnType<typeof openS3Client>

const connectsWithin = 3_000
/** Whoever was kept waiting in vain is given one more try. */
const usual: Patience = { patience: 16_000, quiet: 15_000 }
const tries = 4
/** A page of a listing has at most a thousand keys of at most a kilobyte each. */
const textMax = 8 * 2 ** 20

/** Speaks S3: signs, and asks again where asking again may help. Redirects are not followed. */
export function openS3Client({ endpoint, publicEndpoint = endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings) {
  const { request, Agent } = endpoint.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true })
  const signing = { service: 's3', region, accessKeyId, secretAccessKey, cache: new Map<string, ArrayBuffer>() }

  function addressOf(key: string | undefined, query: Record<string, string> = {}, at = endpoint) {
    const url = new URL(at)
    url.pathname = [bucket, ...(key?.split('/') ?? [])].map(encodeURIComponent).join('/')
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url.href
  }

  /** Once. Resolves when the answer begins; its bytes are still to be read. `signal` ends it at any time. */
  async function send({ method, key, query, headers, body }: Question, quiet: number, signal?: AbortSignal) {
    const signed = await new AwsV4Signer({
      ...signing,
      method,
      url: addressOf(key, query),
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? sha256OfNothing },
    }).sign()
    const length = method === 'PUT' || method === 'POST' ? { 'content-length': String(body?.size ?? 0) } : {}
    const call = request(signed.url, { method, agent, headers: { ...Object.fromEntries(signed.headers), ...length } })
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

  async function once(question: Question, quiet: number): Promise<Answer> {
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

  return {
    /** The answer, if its status is one of those expected; a `Refusal` otherwise. Fault: `unavailable`, after some tries. */
    async ask(question: Question, expected: number[], { patience, quiet }: Patience = usual): Promise<Answer> {
      const begun = performance.now()
      for (let n = 1; ; n++) {
        const outcome = await once(question, quiet).catch((error: Error) => error)
        if ('status' in outcome && expected.includes(outcome.status)) return outcome
        if ('status' in outcome && !isTemporary(outcome.status)) throw new Refusal(question, outcome)
        const pause = pauseAfter(n)
        if (n === tries || performance.now() - begun + pause > patience)
          throw new BlobError('unavailable', { cause: 'status' in outcome ? new Refusal(question, outcome) : outcome })
        await wait(pause)
      }
    },

    /** Once, to be read as it comes. Throws unless the status is the expected one. */
    async read(question: Question, expected: number, signal: AbortSignal): Promise<IncomingMessage> {
      const { response } = await send(question, usual.quiet, signal)
      const status = response.statusCode ?? 0
      if (status === expected) return response
      const text = status >= 400 ? await textOf(response) : ''
      response.destroy()
      throw new Refusal(question, { status, headers: response.headers, text })
    },

    /** Where an object is, as stores name it to each other. */
    placeOf: (key: string) => new URL(addressOf(key)).pathname,

    /** An address by which anybody may do this one thing for a while, with these headers. */
    async link(
      method: 'GET' | 'PUT',
      key: string,
      query: Record<string, string>,
      seconds: number,
      headers = {},
    ): Promise<string> {
      const url = addressOf(key, { ...query, 'X-Amz-Expires': String(seconds) }, publicEndpoint)
      const signed = await new AwsV4Signer({ ...signing, method, url, headers, signQuery: true, allHeaders: true }).sign()
      return signed.url.href.replaceAll('+', '%20') // not every store takes a plus for a space
    },
  }
}

/** Worth another try. */
export const isTemporary = (status: number) => [429, 500, 502, 503, 504].includes(status)

/** Exponential, with full jitter, so that many who failed at once do not come back at once. */
export const pauseAfter = (failures: number) => Math.random() * 200 * 2 ** failures

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

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    size += chunk.length
    if (size > textMax) throw new Error('The store says more than it should')
  }
  return Buffer.concat(chunks).toString()
}
