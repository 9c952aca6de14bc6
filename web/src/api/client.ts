import type { Args, Endpoint, Reply } from '@neptune/contract'
import { readProblem, unreachable, unreadable } from './api-error.ts'
import { endSession, getSession } from './session-store.ts'

/** Empty: the web's own origin. Set at build time when the API lives elsewhere. */
export const apiUrl: string = import.meta.env.VITE_API_URL ?? ''

/** Longer than any call takes, so that a network that swallows packets ends in a message rather than in silence. */
const callTimeout = 30_000

interface CallOptions {
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

async function send(endpoint: Endpoint, args: object, { headers, signal }: CallOptions): Promise<unknown> {
  const token = tokenFor(endpoint)
  const { body } = args as Parts
  const response = await fetch(apiUrl + address(endpoint, args), {
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
  if (!response.ok) {
    const problem = await readProblem(response)
    if (problem.code === 'session.missing' && token !== undefined) endSession('expired', token)
    throw problem
  }
  return readReply(endpoint, response)
}

interface Parts {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
}

function tokenFor(endpoint: Endpoint): string | undefined {
  const session = getSession()
  return endpoint.access !== 'public' && session.kind === 'signed-in' ? session.token : undefined
}

function address(endpoint: Endpoint, args: object): string {
  const { params = {}, query = {} } = args as Parts
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
}

async function readReply({ reply }: Endpoint, response: Response): Promise<unknown> {
  if (reply === 'none') return undefined
  const json: unknown = await response.json().catch(() => undefined)
  const result = await reply['~standard'].validate(json)
  if (result.issues) throw unreadable(response.status)
  return result.value
}
