import type { Args, Endpoint, Reply } from '@neptune/contract'
import { type ApiError, createNetworkError, createReplyError, createUnconfirmedError, readProblem } from './api-error.ts'
import { type Caller, staffCaller } from './caller.ts'

/** The origin of the API, set at build time. Empty if it is the same as the web app’s. */
export const apiUrl: string = import.meta.env.VITE_API_URL ?? ''

/** Longer than any call takes. Without a timeout, a call would hang while the network drops its packets. */
const callTimeoutMs = 30_000

interface CallOptions {
  /** The caller. Staff by default. */
  as?: Caller
  headers?: Record<string, string>
  /** The body of an endpoint that takes a small file. */
  file?: Blob
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal
}

/** Calls an endpoint of the contract, which defines the types of the arguments and the reply. */
export async function call<const E extends Endpoint>(endpoint: E, args: Args<E>, options: CallOptions = {}): Promise<Reply<E>> {
  try {
    return (await send(endpoint, args, options)) as Reply<E>
  } catch (error) {
    options.signal?.throwIfAborted()
    throw error
  }
}

/**
 * Returns the headers a download would have (HEAD). Returns undefined for an error status: a response to HEAD has no body with the reason.
 */
export async function fetchHeaders<const E extends Endpoint>(
  endpoint: E,
  args: Args<E>,
  options: CallOptions = {},
): Promise<Headers | undefined> {
  const response = await request({ ...endpoint, method: 'HEAD' }, args, options)
  return response.ok ? response.headers : undefined
}

/** Resolves a path from the server, which omits its origin. */
export const toApiUrl = (path: string) => apiUrl + path

/** Sends a request. If it is sensitive, the person may have to confirm their identity first; then it is sent again, once. */
async function send(endpoint: Endpoint, args: object, options: CallOptions, isRepeated = false): Promise<unknown> {
  const { as = staffCaller } = options
  const token = selectToken(endpoint, as)
  const response = await request(endpoint, args, options)
  if (!response.ok) {
    const problem = await readProblem(response)
    if (endsSession(problem) && token !== undefined) as.onUnauthorized(token, problem)
    if (problem.code === 'session.factor_required' && token !== undefined) as.onFactorRequired?.(token)
    if (problem.code !== 'session.unconfirmed' || isRepeated || !as.confirm) throw problem
    if (!(await as.confirm())) throw createUnconfirmedError(problem)
    return send(endpoint, args, options, true)
  }
  return readReply(endpoint, response)
}

/** Returns whether the error ends the session or the recipient's visit. */
const endsSession = ({ code }: ApiError) => code === 'session.missing' || code === 'link.closed' || code === 'link.paused'

function request(endpoint: Endpoint, args: object, { as = staffCaller, headers, file, signal }: CallOptions): Promise<Response> {
  const token = selectToken(endpoint, as)
  const { body } = args as RequestParts
  return fetch(apiUrl + buildPath(endpoint, args), {
    method: endpoint.method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(file && { 'content-type': 'application/octet-stream' }),
    },
    body: body === undefined ? (file ?? null) : JSON.stringify(body),
    credentials: apiUrl ? 'include' : 'same-origin',
    signal: AbortSignal.any([AbortSignal.timeout(callTimeoutMs), ...(signal ? [signal] : [])]),
  }).catch(() => {
    throw createNetworkError()
  })
}

interface RequestParts {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
}

/** Public endpoints are called without a token. */
const selectToken = ({ access }: Endpoint, caller: Caller) => (access === 'public' ? undefined : caller.getToken())

function buildPath(endpoint: Endpoint, args: object): string {
  const { params = {}, query = {} } = args as RequestParts
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const entries = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return entries.length > 0 ? `${path}?${new URLSearchParams(entries)}` : path
}

/** Validates a reply against the contract. List rows may lack values; any other difference is an error. */
async function readReply({ reply }: Endpoint, response: Response): Promise<unknown> {
  if (typeof reply === 'string') return undefined
  const json: unknown = await response.json().catch(() => undefined)
  const result = await reply['~standard'].validate(json)
  if (!result.issues) return result.value
  // Loaded on demand, because it is rarely needed.
  const value = await import('./missing-values.ts')
    .then(({ readWithMissingValues }) => readWithMissingValues(reply, json))
    .catch(() => undefined)
  if (value === undefined) throw createReplyError(response.status)
  return value
}
