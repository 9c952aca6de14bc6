import { type Endpoint, type ErrorCode, errors, type Header, type HeaderDescriptions } from '@neptune/contract'
import * as z from 'zod'

interface Response {
  description: string
  headers?: Record<string, ReturnType<typeof describeHeader>>
  content?: Record<string, { schema: unknown }>
  /** The possible error codes. */
  'x-codes'?: ErrorCode[]
}

/** Returns every response an endpoint can give, by status, as the OpenAPI document has it. Tests compare each reply with it. */
export function describeResponses(endpoint: Endpoint): Record<string, Response> {
  const responses = { ...describeSuccess(endpoint), ...describeErrors(endpoint) }
  if (endpoint.method !== 'HEAD') return responses
  return Object.fromEntries(Object.entries(responses).map(([status, { content: _, ...response }]) => [status, response]))
}

function describeSuccess(endpoint: Endpoint): Record<string, Response> {
  const { reply, method, replyHeaders } = endpoint
  const headers = describeHeaders(replyHeaders)
  if (reply === 'none') return { 204: { description: 'Done.', ...headers } }
  if (reply === 'empty') {
    const status = method === 'POST' ? 201 : method === 'HEAD' ? 200 : 204
    return { [status]: { description: 'Done. The headers have the result.', ...headers } }
  }
  if (reply === 'redirect') return { 302: { description: 'Continue at another address.', ...headers } }
  if (reply === 'events')
    return {
      200: {
        description: 'The events. The server can close the connection at any time: connect again.',
        ...headers,
        ...eventStream,
      },
    }
  if (reply === 'bytes') return describeDownload(endpoint)
  return { 200: { description: 'OK', ...headers, ...describeContent(['application/json'], toJsonSchema(reply, 'output')) } }
}

const eventStream = { content: { 'text/event-stream': { schema: { type: 'string' } } } }

const downloadHeaders = {
  'Content-Disposition': { summary: 'Attachment or, for previews, inline; with the file name (RFC 6266).' },
} as const
const rangeReplyHeaders = {
  ...downloadHeaders,
  'Content-Filename': { summary: 'The file name, percent-encoded.' },
  'Accept-Ranges': { summary: 'The unit of ranges.', pattern: '^bytes$' },
  ETag: { summary: 'A strong validator: it changes with the bytes.' },
  'Last-Modified': { summary: 'When the file was stored, as an HTTP date. ZIP archives have none.', optional: true },
} as const
const contentRange = { summary: 'The range that is sent and the full size, or `*` and the full size.' }

/** Request headers of every download that supports ranges. */
export const rangeHeaders: HeaderDescriptions = {
  Range: {
    summary: 'The range of bytes to send, such as bytes=0-499. A request for several ranges gets all bytes.',
    optional: true,
  },
  'If-Range': { summary: 'An ETag or a date: the range is sent only if the bytes are still the same.', optional: true },
  'If-None-Match': { summary: 'ETags the caller has, separated by commas.', optional: true },
}

export const supportsRanges = ({ reply, errors = [] }: Endpoint) => reply === 'bytes' && errors.includes('range.unsatisfiable')

function describeDownload(endpoint: Endpoint): Record<string, Response> {
  const bytes = describeContent(endpoint.types ?? [], { $ref: '#/components/schemas/Bytes' })
  if (!supportsRanges(endpoint)) return { 200: { description: 'The bytes.', ...describeHeaders(downloadHeaders), ...bytes } }
  const redirect = {
    description: 'The bytes are at another address.',
    ...describeHeaders({ Location: { summary: 'The address of the bytes.' } }),
  }
  return {
    200: { description: 'The bytes.', ...describeHeaders(rangeReplyHeaders), ...bytes },
    206: {
      description: 'The requested range.',
      ...describeHeaders({ ...rangeReplyHeaders, 'Content-Range': contentRange }),
      ...bytes,
    },
    ...(endpoint.redirects && { 302: redirect }),
    304: { description: 'The caller already has these bytes.', ...describeHeaders(rangeReplyHeaders) },
  }
}

/** Returns the error codes of an endpoint: those of every call, those of the guard, and its own. */
function listErrorCodes({ access, token, method, path, body, errors: own = [], ...endpoint }: Endpoint): ErrorCode[] {
  return [
    'request.invalid',
    'request.timeout',
    'request.headers_too_large',
    ...(path.includes('{') ? (['route.not_found'] as const) : []),
    ...(body || !['GET', 'HEAD'].includes(method) ? (['request.too_large', 'request.wrong_type'] as const) : []),
    ...(access === 'public' ? [] : (['session.missing', 'link.closed', 'link.paused', 'link.forbidden'] as const)),
    ...(access === 'admin' || access === 'link' ? (['session.forbidden'] as const) : []),
    ...(['staff', 'admin', 'shared'].includes(access) && !endpoint.isForEnrollment ? (['session.factor_required'] as const) : []),
    ...(endpoint.isSensitive ? (['session.unconfirmed'] as const) : []),
    ...(access === 'public' || token === 'read' ? [] : (['token.forbidden'] as const)),
    ...own,
    'server.failed',
    'server.stopping',
    'server.unavailable',
  ]
}

const retryAfter = {
  summary: 'How many seconds to wait before trying again, if known.',
  type: 'integer',
  optional: true,
} as const
const errorHeadersByStatus: Record<number, HeaderDescriptions> = {
  401: { 'WWW-Authenticate': { summary: 'The authentication scheme.' } },
  412: { 'Tus-Version': { summary: 'The supported versions, separated by commas.' } },
  416: { 'Content-Range': contentRange },
  429: { 'Retry-After': retryAfter },
  503: { 'Retry-After': retryAfter },
}

function describeErrors(endpoint: Endpoint): Record<string, Response> {
  const codesByStatus = Map.groupBy(new Set(listErrorCodes(endpoint)), (code) => errors[code].status)
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n'),
        ...describeHeaders({ ...endpoint.errorHeaders, ...errorHeadersByStatus[status] }),
        ...describeContent(['application/problem+json'], { $ref: '#/components/schemas/Problem' }),
        'x-codes': codes,
      },
    ]),
  )
}

const describeContent = (types: readonly string[], schema: unknown) => ({
  content: Object.fromEntries(types.map((type) => [type, { schema }])),
})

const describeHeaders = (headers: HeaderDescriptions = {}) =>
  Object.keys(headers).length === 0
    ? {}
    : { headers: Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, describeHeader(header)])) }

const describeHeader = (header: Header) => ({
  description: header.summary,
  required: !header.optional,
  schema: toHeaderSchema(header),
})

export const toHeaderSchema = ({ type, pattern }: Header) => ({ type: type ?? 'string', ...(pattern && { pattern }) })

export const toJsonSchema = (schema: z.core.$ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
