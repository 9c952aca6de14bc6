import type { Args, Endpoint, Reply } from '@neptune/contract'
import { type ApiError, readProblem, unreachable, unreadable } from './api-error.ts'
import { type Caller, staff } from './caller.ts'

/** Empty: the web's own origin. Set at build time when the API lives elsewhere. */
export const apiUrl: string = import.meta.env.VITE_API_URL ?? ''

/** Longer than any call takes, so that a network that swallows packets ends in a message rather than in silence. */
const callTimeout = 30_000

interface CallOptions {
  /** Who calls, if it is not staff. */
  as?: Caller
  headers?: Record<string, string>
  /** For a caller who may lose interest. The call then fails with the signal's own reason, which is no fault to show. */
  signal?: AbortSignal
}

/** Calls one endpoint of the contract. Arguments and reply are typed by the endpoint itself. */
export async function call<const E extends Endpoint>(endpoint: E, args: Args<E>, options: CallOptions = {}): Promise<Reply<E>> {
  try {
    return (await send(endpoint, args, options)) as Reply<E>
  } catch (error) {
    options.signal?.throwIfAborted()
    throw error
  }
}

/** Only the headers of what a download would send. A refusal has no body here and so no reason: then there is nothing. */
export async function headersOf<const E extends Endpoint>(
  endpoint: E,
  args: Args<E>,
  options: CallOptions = {},
): Promise<Headers | undefined> {
  const response = await request({ ...endpoint, method: 'HEAD' }, args, options)
  return response.ok ? response.headers : undefined
}

/** An address the server gave: it leaves out its own origin. */
export const addressAt = (path: string) => apiUrl + path

async function send(endpoint: Endpoint, args: object, options: CallOptions): Promise<unknown> {
  const { as = staff } = options
  const token = tokenFor(endpoint, as)
  const response = await request(endpoint, args, options)
  if (!response.ok) {
    const problem = await readProblem(response)
    if (isOver(problem) && token !== undefined) as.onRefused(token)
    throw problem
  }
  return readReply(endpoint, response)
}

/** The session, or a recipient's visit. Other refusals leave both as they are. */
const isOver = ({ code }: ApiError) => code === 'session.missing' || code === 'link.closed'

function request(endpoint: Endpoint, args: object, { as = staff, headers, signal }: CallOptions): Promise<Response> {
  const token = tokenFor(endpoint, as)
  const { body } = args as Parts
  return fetch(apiUrl + address(endpoint, args), {
    method: endpoint.method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    credentials: apiUrl ? 'include' : 'same-origin',
    signal: AbortSignal.any([AbortSignal.timeout(callTimeout), ...(signal ? [signal] : [])]),
  }).catch(() => {
    throw unreachable()
  })
}

interface Parts {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
}

const tokenFor = ({ access }: Endpoint, caller: Caller) => (access === 'public' ? undefined : caller.token())

function address(endpoint: Endpoint, args: object): string {
  const { params = {}, query = {} } = args as Parts
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
}

/** Reads a reply by the contract. A list keeps rows with missing values; any other reply that differs is an error. */
async function readReply({ reply }: Endpoint, response: Response): Promise<unknown> {
  if (typeof reply === 'string') return undefined
  const json: unknown = await response.json().catch(() => undefined)
  const result = await reply['~standard'].validate(json)
  if (!result.issues) return result.value
  // Loaded on demand, because it is seldom needed.
  const value = await import('./missing-values.ts').then(({ readWithGaps }) => readWithGaps(reply, json)).catch(() => undefined)
  if (value === undefined) throw unreadable(response.status)
  return value
}
