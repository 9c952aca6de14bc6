import { lookup, Resolver } from 'node:dns/promises'
import { request as requestOverHttp } from 'node:http'
import { request as requestOverTls } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '../../lib/net/public-address.ts'

/** A failed request. Its message is shown to users. */
export class PostError extends Error {
  override name = 'PostError'
}

interface ResolvedAddress {
  address: string
  family: number
}

/** Returns the addresses of a host name. */
export type ResolveHost = (name: string, signal: AbortSignal) => Promise<ResolvedAddress[]>

export interface PostRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** Whether http:// and private addresses are allowed. */
  allowsPrivate: boolean
  signal: AbortSignal
}

/** How much of a response body is read and discarded, so that most receivers can finish their response. */
const maxResponseBytes = 64 * 1024

/** Returns the problem with a URL, without resolving its host name; undefined if there is none. */
export function findUrlProblem(typedUrl: string, allowsPrivate: boolean): string | undefined {
  const url = URL.parse(typedUrl)
  if (!url || !['https:', 'http:'].includes(url.protocol)) return 'This must be a URL such as https://example.com/hook.'
  if (url.protocol === 'http:' && !allowsPrivate) return 'This must start with https://.'
  if (url.username || url.password) return 'This must not contain a user name or password.'
  const host = getHost(url)
  if (isIP(host) && !allowsPrivate && !isPublicAddress(host)) return 'This is a private address. Enter a public one.'
  return undefined
}

/**
 * Sends a POST request and returns the status of the response. The host name is resolved once, and the connection goes to the
 * addresses that were checked, so that DNS rebinding has no effect. Redirects are not followed but returned like any other status.
 */
export async function post(
  { url: typedUrl, headers, body, allowsPrivate, signal }: PostRequest,
  resolve?: ResolveHost,
): Promise<number> {
  const problem = findUrlProblem(typedUrl, allowsPrivate)
  if (problem) throw new PostError(problem)
  const url = new URL(typedUrl)
  const addresses = await resolveAddresses(getHost(url), allowsPrivate, signal, resolve)
  return send(url, addresses, { headers, body, signal })
}

/** Returns the host of a URL, without the brackets of an IPv6 address. */
const getHost = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

async function resolveAddresses(
  host: string,
  allowsPrivate: boolean,
  signal: AbortSignal,
  resolve = allowsPrivate ? resolveLocally : resolveByDns,
) {
  const family = isIP(host)
  const addresses = family ? [{ address: host, family }] : await resolve(host, signal)
  if (addresses.length === 0) throw new PostError('The host name was not found.')
  // One private address is enough to reject the name: a mixture is an attack.
  if (!allowsPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new PostError('The host name points to a private address.')
  return addresses
}

/**
 * Resolves a name by DNS only. The system's resolver would block one of the few threads that file access and password hashing need,
 * for as long as a name server chooses.
 */
async function resolveByDns(name: string, signal: AbortSignal): Promise<ResolvedAddress[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addressesOf = (result: PromiseSettledResult<string[]>, family: number) =>
      result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
    return [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)]
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Resolves a name as the system does: names in a private network are often only in its hosts file. */
const resolveLocally: ResolveHost = (name) => lookup(name, { all: true }).catch(() => [])

function send(
  url: URL,
  addresses: ResolvedAddress[],
  { headers, body, signal }: Pick<PostRequest, 'headers' | 'body' | 'signal'>,
) {
  const useAddresses: LookupFunction = (_name, { all }, done) => {
    const [first = { address: '', family: 0 }] = addresses
    return all ? done(null, addresses) : done(null, first.address, first.family)
  }
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const request = (url.protocol === 'https:' ? requestOverTls : requestOverHttp)(url, {
    method: 'POST',
    agent: false,
    lookup: useAddresses,
    signal,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  })
  let status: number | undefined
  // Once there is a status, it does not matter how the body ends.
  const end = (problem: string, cause?: Error) => (status ? resolve(status) : reject(new PostError(problem, { cause })))
  request.on('error', (error) => end(describeError(error), error))
  // Settles the promise if the request ends in any other way.
  request.on('close', () => end(closedEarly))
  request.on('upgrade', (response, socket) => {
    status = response.statusCode
    socket.destroy()
    end(closedEarly)
  })
  request.on('response', (response) => {
    status = response.statusCode ?? 0
    let read = 0
    response.on('data', (chunk: Buffer) => {
      read += chunk.length
      if (read > maxResponseBytes) response.destroy()
    })
    response.on('error', () => undefined)
    response.on('close', () => resolve(status ?? 0))
  })
  request.end(body)
  return promise
}

const closedEarly = 'The connection was closed before a response arrived.'

function describeError({ name, code }: NodeJS.ErrnoException): string {
  if (name === 'AbortError' || code === 'ETIMEDOUT') return 'The receiver did not respond in time.'
  if (code === 'ECONNREFUSED') return 'The connection was refused.'
  if (code === 'ECONNRESET' || code === 'EPIPE') return closedEarly
  if (/CERT|TLS|SSL|SIGNED|ISSUER/.test(code ?? '')) return `The certificate is not trusted (${code}).`
  return `The request failed (${code ?? name}).`
}
