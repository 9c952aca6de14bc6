import { api, type Endpoint, type ErrorCode } from '@neptune/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { safeParse } from 'zod'
import { describeResponses } from './openapi-responses.ts'

/**
 * Compares every reply with the OpenAPI document: status, error code, content type, headers and the shape of JSON. For tests.
 * Calls `report` with each mismatch and how to fix it.
 */
export function checkReplies(app: FastifyInstance, report: (mismatch: string) => void) {
  app.addHook('preSerialization', async (request, reply, payload) => {
    const { endpoint } = request.routeOptions.config
    if (!endpoint) return payload
    if (reply.statusCode >= 400) {
      const { code } = payload as { code?: ErrorCode }
      if (code) for (const mismatch of checkCode(endpoint, reply.statusCode, code)) report(mismatch)
    } else if (typeof endpoint.reply !== 'string') {
      const { error } = safeParse(endpoint.reply, payload)
      if (error) report(`${nameOf(endpoint)} sent a body that its \`reply\` does not allow: ${error.message}`)
    }
    return payload
  })
  app.addHook('onSend', async (request, reply, payload) => {
    for (const mismatch of checkHead(request, reply)) report(mismatch)
    return payload
  })
  // A download writes its bytes without Fastify, so no other hook sees it.
  app.addHook('onResponse', async (request, reply) => {
    if (reply.raw.headersSent) for (const mismatch of checkHead(request, reply)) report(mismatch)
  })
}

const cachedResponses = new WeakMap<Endpoint, ReturnType<typeof describeResponses>>()

function findResponses(endpoint: Endpoint) {
  const responses = cachedResponses.get(endpoint) ?? describeResponses(endpoint)
  cachedResponses.set(endpoint, responses)
  return responses
}

function checkCode(endpoint: Endpoint, status: number, code: ErrorCode): string[] {
  if (findResponses(endpoint)[status]?.['x-codes']?.includes(code)) return []
  const { endpointName, file } = findDeclaration(endpoint)
  return [
    `${nameOf(endpoint)} answered ${status} ${code}, which it does not declare. Add '${code}' to \`errors\` of ${endpointName} in ${file}, ` +
      'or throw a code that it declares; then run `npm run openapi`.',
  ]
}

function checkHead(request: FastifyRequest, reply: FastifyReply): string[] {
  const { endpoint } = request.routeOptions.config
  const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
  if (!endpoint || isPreflight) return []
  const responses = findResponses(endpoint)
  const response = responses[reply.statusCode]
  const { endpointName, file } = findDeclaration(endpoint)
  const answered = `${nameOf(endpoint)} answered ${reply.statusCode}`
  if (!response)
    return [
      `${answered}, which it does not declare (${Object.keys(responses)}). Change the handler, or \`reply\` of ${endpointName} in ${file}.`,
    ]
  const type = String(reply.getHeader('content-type') ?? '').split(';')[0] ?? ''
  const isUndeclaredType = type !== '' && response.content && !(type in response.content)
  return [
    ...(isUndeclaredType
      ? [
          `${answered} as ${type}, which it does not declare (${Object.keys(response.content ?? {})}). Add it to \`types\` of ${endpointName} in ${file}.`,
        ]
      : []),
    ...checkHeaders(reply, response).map((mismatch) => `${answered} ${mismatch} of ${endpointName} in ${file}.`),
  ]
}

/** Headers that any reply may have: those of HTTP itself, security headers, CORS, and those for the reverse proxy. */
const commonHeaders =
  /^(access-control-.*|cache-control|connection|content-(length|security-policy|type)|cross-origin-.*|permissions-policy|referrer-policy|strict-transport-security|transfer-encoding|vary|x-(accel-(redirect|buffering)|content-type-options|frame-options|request-id|robots-tag))$/

function checkHeaders(reply: FastifyReply, { headers = {} }: ReturnType<typeof describeResponses>[string]): string[] {
  const key = reply.statusCode < 400 ? 'replyHeaders' : 'errorHeaders'
  const declared = Object.entries(headers).map(([name, { required }]) => ({ name: name.toLowerCase(), required }))
  const undeclared = Object.keys(reply.getHeaders()).filter(
    (sent) => !commonHeaders.test(sent) && !declared.some(({ name }) => name === sent),
  )
  const missing = declared.filter(({ name, required }) => required && reply.getHeader(name) === undefined)
  return [
    ...undeclared.map((name) => `with the undeclared header ${name}. Add it to \`${key}\``),
    ...missing.map(({ name }) => `without the header ${name}. Send it, or mark it \`optional\` in \`${key}\``),
  ]
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Where each endpoint is declared. */
const declarations = new Map(
  Object.entries(api).flatMap(([group, endpoints]) =>
    Object.entries<Endpoint>(endpoints).map(
      ([name, endpoint]) => [endpoint, { endpointName: `api.${group}.${name}`, file: `contract/src/${group}.ts` }] as const,
    ),
  ),
)

const findDeclaration = (endpoint: Endpoint) =>
  declarations.get(endpoint) ?? { endpointName: 'the endpoint', file: 'contract/src' }
