import { lookup, Resolver } from 'node:dns/promises'
import { request as overHttp } from 'node:http'
import { request as overTls } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '../../lib/public-address.ts'

/** Why something could not be sent, in words fit to show. */
export class PostError extends Error {
  override name = 'PostError'
}

interface Place {
  address: string
  family: number
}

/** The addresses of a name. */
export type ResolveHost = (name: string, signal: AbortSignal) => Promise<Place[]>

export interface PostRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** Whether it may go to http:// and to this machine or network. */
  isPrivate: boolean
  signal: AbortSignal
}

/** What of an answer is read, and thrown away: so that whoever answers at length is not cut off in the middle. */
const readAtMost = 64 * 1024

/** What is wrong with an address before anybody looks up its name; undefined if nothing is. */
export function findUrlProblem(typed: string, isPrivate: boolean): string | undefined {
  const url = URL.parse(typed)
  if (!url || !['https:', 'http:'].includes(url.protocol)) return 'This must be an address such as https://example.com/hook.'
  if (url.protocol === 'http:' && !isPrivate) return 'This must begin with https://.'
  if (url.username || url.password) return 'This must not contain a name or a password.'
  const host = hostOf(url)
  if (isIP(host) && !isPrivate && !isPublicAddress(host))
    return 'This is an address of this machine or network, not of the internet.'
  return undefined
}

/**
 * Sends a letter and says with which status it was answered. The name is looked up here, once, and the connection goes to what was found and
 * judged: a name that points elsewhere a moment later leads nowhere. Redirects are not followed: they are an answer like any other.
 */
export async function post({ url: typed, headers, body, isPrivate, signal }: PostRequest, find?: ResolveHost): Promise<number> {
  const fault = findUrlProblem(typed, isPrivate)
  if (fault) throw new PostError(fault)
  const url = new URL(typed)
  const places = await placesOf(hostOf(url), isPrivate, signal, find)
  return exchange(url, places, { headers, body, signal })
}

/** Without the brackets of IPv6. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

async function placesOf(host: string, isPrivate: boolean, signal: AbortSignal, find = isPrivate ? findNearby : findOutside) {
  const family = isIP(host)
  const places = family ? [{ address: host, family }] : await find(host, signal)
  if (places.length === 0) throw new PostError('Its name is not known.')
  // One that is not public is enough: whoever mixes them means it.
  if (!isPrivate && !places.every(({ address }) => isPublicAddress(address)))
    throw new PostError('Its name leads to this machine or network, not to the internet.')
  return places
}

/** By the name servers alone. The system's own way would take one of the few threads that files and passwords need, for as long as they please. */
async function findOutside(name: string, signal: AbortSignal): Promise<Place[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = (answer: PromiseSettledResult<string[]>, family: number) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
    return [...found(four, 4), ...found(six, 6)]
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** As the machine does it: names of a closed network often stand in its own files. */
const findNearby: ResolveHost = (name) => lookup(name, { all: true }).catch(() => [])

function exchange(url: URL, places: Place[], { headers, body, signal }: Pick<PostRequest, 'headers' | 'body' | 'signal'>) {
  const found: LookupFunction = (_name, { all }, done) => {
    const [first = { address: '', family: 0 }] = places
    return all ? done(null, places) : done(null, first.address, first.family)
  }
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const request = (url.protocol === 'https:' ? overTls : overHttp)(url, {
    method: 'POST',
    agent: false,
    lookup: found,
    signal,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  })
  let status: number | undefined
  // However the body of an answer ends: the status is the answer.
  const end = (why: string, cause?: Error) => (status ? resolve(status) : reject(new PostError(why, { cause })))
  request.on('error', (error) => end(wordsFor(error), error))
  // Whatever else ends it: somebody waits for this.
  request.on('close', () => end(brokenOff))
  request.on('upgrade', (response, socket) => {
    status = response.statusCode
    socket.destroy()
    end(brokenOff)
  })
  request.on('response', (response) => {
    status = response.statusCode ?? 0
    let read = 0
    response.on('data', (chunk: Buffer) => {
      read += chunk.length
      if (read > readAtMost) response.destroy()
    })
    response.on('error', () => undefined)
    response.on('close', () => resolve(status ?? 0))
  })
  request.end(body)
  return promise
}

const brokenOff = 'The connection broke off before there was an answer.'

function wordsFor({ name, code }: NodeJS.ErrnoException): string {
  if (name === 'AbortError' || code === 'ETIMEDOUT') return 'There was no answer in time.'
  if (code === 'ECONNREFUSED') return 'The connection was refused.'
  if (code === 'ECONNRESET' || code === 'EPIPE') return brokenOff
  if (/CERT|TLS|SSL|SIGNED|ISSUER/.test(code ?? '')) return `Its certificate is not trusted (${code}).`
  return `There was no answer that makes sense (${code ?? name}).`
}
