import type { Args, Endpoint, Reply } from '@neptune/contract'
import { readProblem, unreachable, unreadable } from './api-error.ts'
import { endSession, getSession } from './session-store.ts'

/** Empty: the web's own origin. Set at build time when the API lives elsewhere. */
export const apiUrl: string = import.meta.env.VITE_API_URL ?? ''

/** Longer than any call takes, so that a network that swallows packets ends in a message rather than in silence. */
const callTimeout = 30_000

/** Calls one endpoint of the contract. Arguments and reply are typed by the endpoint itself. */
export async function call<const E extends Endpoint>(
  endpoint: E,
  args: Args<E>,
  headers: Record<string, string> = {},
): Promise<Reply<E>> {
  const token = tokenFor(endpoint)
  const { body } = args as Parts
  const response = await fetch(apiUrl + address(endpoint, args), {
    method: endpoint.method,
    headers: {
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    credentials: apiUrl ? 'include' : 'same-origin',
    signal: AbortSignal.timeout(callTimeout),
  }).catch(() => {
    throw unreachable()
  })
  if (!response.ok) {
    if (response.status === 401 && token !== undefined) endSession('expired', token)
    throw await readProblem(response)
  }
  return (await readReply(endpoint, response)) as Reply<E>
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
