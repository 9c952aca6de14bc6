import { api, type Endpoint, type ErrorCode, errors, Problem, type TokenScope } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'

/** Written when it is first asked for: most starts never are, and it takes a while. */
export function addOpenapi(app: FastifyInstance) {
  let document: string | undefined
  app.get('/openapi.json', { config: { access: 'public' } }, async (_request, reply) => {
    document ??= JSON.stringify(openapi())
    return reply.type('application/json').send(document)
  })
}

/** The contract, printed as OpenAPI 3.1 (whose schemas are plain JSON Schema, which zod speaks). */
export function openapi() {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [tag, endpoints] of Object.entries(api)) {
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(tag, name, endpoint) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Neptune',
      version: '1',
      description: 'The HTTP API of Neptune. Errors are RFC 9457 problem documents with a stable code.',
      contact: { name: 'An administrator of this portal' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Where this document came from.' }],
    tags: Object.entries(subjects).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { Problem: problem() },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token that sign-in answers with, or an API token.' },
      },
    },
  }
}

/** What the calls of each group are about. */
const subjects: Record<keyof typeof api, string> = {
  identity: 'Signing in and out, one’s own sessions and password.',
  company: 'Companies, to which staff and directories belong.',
  user: 'Staff: who may sign in, and as what.',
  mail: 'What became of each mail.',
  directory: 'Directories of files.',
  file: 'Files: uploaded, listed, downloaded, in the trash and out of it.',
  upload: 'Uploads that survive a lost network, by tus 1.0.',
  link: 'Shareable links: what staff do with them, and what recipients do.',
  receipt: 'Signed receipts for what recipients brought.',
  token: 'API tokens, for scripts.',
  webhook: 'Webhooks: what happens is sent to programs of others, signed.',
  stats: 'Totals.',
  activity: 'What happened.',
}

/** `x-access`, for people. */
const callers: Record<Endpoint['access'], string> = {
  public: 'Anybody may call this.',
  staff: 'For staff who have signed in.',
  admin: 'For admins who have signed in.',
  link: 'For recipients, with the token they got for the access code of a link.',
  shared: 'For staff who have signed in, and for recipients with the token they got for the access code of a link.',
}

/** `x-token`, for people. */
const scopes: Record<TokenScope, string> = {
  read: 'An API token opens it.',
  write: 'An API token of scope write opens it.',
}

function operation(tag: string, name: string, endpoint: Endpoint) {
  return {
    tags: [tag],
    operationId: `${tag}.${name}`,
    summary: endpoint.summary,
    description: [callers[endpoint.access], ...(endpoint.token ? [scopes[endpoint.token]] : [])].join(' '),
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    'x-access': endpoint.access,
    ...(endpoint.token && { 'x-token': endpoint.token }),
    parameters: [...parameters('path', endpoint.params), ...parameters('query', endpoint.query)],
    ...(endpoint.body && { requestBody: { required: true, ...requestBody(endpoint.body) } }),
    responses: { ...success(endpoint), ...failures(endpoint) },
  }
}

const binary = { type: 'string', contentMediaType: 'application/octet-stream' }

function requestBody(body: NonNullable<Endpoint['body']>) {
  if (body === 'bytes') return content('application/offset+octet-stream', binary)
  if (body !== 'multipart') return content('application/json', input(body))
  return content('multipart/form-data', { type: 'object', required: ['file'], properties: { file: binary } })
}

function success({ reply, method }: Endpoint) {
  if (reply === 'none') return { 204: { description: 'Done.' } }
  if (reply === 'empty')
    return {
      [method === 'POST' ? 201 : method === 'HEAD' ? 200 : 204]: { description: 'Done. What there is to say is in the headers.' },
    }
  if (reply !== 'bytes') return { 200: { description: 'OK', ...content('application/json', output(reply)) } }
  const bytes = content('application/octet-stream', binary)
  return { 200: { description: 'The bytes.', ...bytes }, 206: { description: 'The bytes of the range asked for.', ...bytes } }
}

/** What a call may answer: what any call may, what the guard may, and what the endpoint itself names. */
export function errorsOf({ access, token, method, body, errors: own = [] }: Endpoint): ErrorCode[] {
  return [
    'request.invalid',
    ...(body || method !== 'GET' ? (['request.too_large', 'request.wrong_type'] as const) : []),
    ...(access === 'public' ? [] : (['session.missing', 'link.closed', 'link.forbidden'] as const)),
    ...(access === 'admin' ? (['session.forbidden'] as const) : []),
    ...(access === 'public' || token === 'read' ? [] : (['token.forbidden'] as const)),
    ...own,
    'server.failed',
    'server.stopping',
    'server.unavailable',
  ]
}

function failures(endpoint: Endpoint) {
  const byStatus = Map.groupBy(errorsOf(endpoint), (code) => errors[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n'),
        ...([429, 503].includes(status) && { headers: { 'Retry-After': retryAfter } }),
        ...content('application/problem+json', { $ref: '#/components/schemas/Problem' }),
      },
    ]),
  )
}

const retryAfter = { description: 'In how many seconds to try again, where that is known.', schema: { type: 'integer' } }

/** With every code there is, which the contract's schema leaves open so that an older web can still read a newer server's refusal. */
function problem() {
  const schema = output(Problem)
  return { ...schema, properties: { ...schema.properties, code: { type: 'string', enum: Object.keys(errors) } } }
}

const input = (schema: z.core.$ZodType) => plain(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
const output = (schema: z.core.$ZodType) => plain(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }))
const plain = ({ $schema: _, ...schema }: z.core.JSONSchema.BaseSchema) => schema
const content = (type: string, schema: unknown) => ({ content: { [type]: { schema } } })

function parameters(where: 'path' | 'query', schema?: z.core.$ZodType) {
  const { properties = {}, required = [] } = schema ? input(schema) : {}
  return Object.entries(properties).map(([name, schema]) => ({ name, in: where, required: required.includes(name), schema }))
}
