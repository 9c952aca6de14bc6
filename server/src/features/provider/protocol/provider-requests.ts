import type { ServerMetadata } from 'openid-client'

/** Thrown if a provider can't be used. `detail` is for admins and the log. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly reason: 'unreachable' | 'timeout' | 'not_found' | 'not_discovery' | 'wrong_issuer' | 'insecure' | 'no_keys'

  constructor(reason: ProviderError['reason'], detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.reason = reason
  }
}

const requestTimeoutMs = 5_000
const maxReplyBytes = 512 * 1024

/** A set of public keys (RFC 7517). */
export interface KeySet {
  keys: JsonWebKey[]
}
interface JsonWebKey {
  kid?: string
  kty?: string
  alg?: string
  use?: string
  [member: string]: unknown
}

/** Sends a request to a provider. Doesn't follow redirects, and limits the time and the size of the reply. */
export async function requestFromProvider(url: string, options: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(requestTimeoutMs)
  try {
    const reply = await fetch(url, { ...options, redirect: 'manual', signal })
    const body = await readBody(reply)
    const isBodyless = [101, 204, 205, 304].includes(reply.status)
    return new Response(isBodyless ? null : body, { status: reply.status, headers: reply.headers })
  } catch (error) {
    if (error instanceof ProviderError) throw error
    if (signal.aborted) throw new ProviderError('timeout', `${url} didn’t reply within five seconds.`, { cause: error })
    throw new ProviderError('unreachable', `${url} can’t be reached${describeCause(error)}.`, { cause: error })
  }
}

function describeCause(error: unknown): string {
  const { code } = ((error as Error).cause ?? {}) as { code?: string }
  return code ? ` (${code})` : ''
}

async function readBody(reply: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of reply.body ?? []) {
    size += chunk.length
    if (size > maxReplyBytes) throw new ProviderError('not_discovery', `The reply has more than ${maxReplyBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Returns whether Neptune may send requests to this URL of a provider: only over HTTPS, or to a provider on the same machine, for tests.
 */
export function isPermittedUrl(url: unknown, issuer: string): url is string {
  const { protocol, hostname = '' } = (typeof url === 'string' && URL.parse(url)) || {}
  return protocol === 'https:' || (protocol === 'http:' && isLocal(issuer) && localHosts.includes(hostname))
}

const localHosts = ['localhost', '127.0.0.1', '[::1]']

/** Returns whether a provider runs on the same machine, without HTTPS. */
export const isLocal = (issuer: string) => issuer.startsWith('http:') && localHosts.includes(new URL(issuer).hostname)

/** The fields of the metadata that Neptune reads as lists. */
const lists = [
  'scopes_supported',
  'response_types_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'claims_supported',
  'id_token_signing_alg_values_supported',
]

interface Discovery {
  metadata: ServerMetadata
  /** The time in the `Date` header of the reply, in milliseconds. Undefined if it has none. */
  time: number | undefined
}

/** Requests the metadata of a provider (OpenID Connect Discovery). */
export async function discover(issuer: string): Promise<Discovery> {
  if (!isPermittedUrl(issuer, issuer)) throw new ProviderError('insecure', `${issuer} doesn’t start with https://.`)
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const reply = await requestFromProvider(url, { headers: { accept: 'application/json' } })
  if (reply.status >= 500) throw new ProviderError('unreachable', `${url} replied with the status ${reply.status}.`)
  if (reply.status !== 200) throw new ProviderError('not_found', `${url} replied with the status ${reply.status}.`)
  const metadata = (await reply.json().catch(() => undefined)) as ServerMetadata | undefined
  if (typeof metadata?.issuer !== 'string') throw new ProviderError('not_discovery', `${url} doesn’t describe a provider.`)
  if (metadata.issuer !== issuer)
    throw new ProviderError('wrong_issuer', `The provider’s issuer is ${metadata.issuer.slice(0, 300)}, not ${issuer}.`)
  for (const field of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
    if (!isPermittedUrl(metadata[field], issuer))
      throw new ProviderError('insecure', `The provider has no ${field} that starts with https://.`)
  const wrong = lists.find((name) => metadata[name] !== undefined && !Array.isArray(metadata[name]))
  if (wrong) throw new ProviderError('not_discovery', `In the description of the provider, ${wrong} is not a list.`)
  const time = Date.parse(reply.headers.get('date') ?? '')
  return { metadata, time: Number.isNaN(time) ? undefined : time }
}

/** Checking a signature may try all keys. Providers usually have only a few. */
const maxKeys = 200

export async function requestKeys({ issuer, jwks_uri = '' }: ServerMetadata): Promise<KeySet> {
  if (!isPermittedUrl(jwks_uri, issuer))
    throw new ProviderError('insecure', 'The address of the keys doesn’t start with https://.')
  const reply = await requestFromProvider(jwks_uri, { headers: { accept: 'application/json' } })
  const keys =
    reply.status === 200 ? ((await reply.json().catch(() => undefined)) as Partial<KeySet> | undefined)?.keys : undefined
  if (!Array.isArray(keys) || keys.length === 0) throw new ProviderError('no_keys', `There are no keys at ${jwks_uri}.`)
  if (keys.length > maxKeys) throw new ProviderError('no_keys', `There are more than ${maxKeys} keys at ${jwks_uri}.`)
  return { keys }
}
